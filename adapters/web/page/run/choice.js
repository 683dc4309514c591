// The other models that can do a step, to try one of them.

import { html, useRef } from "../view.js";
import { word } from "../words.js";
import { Problem, usePress } from "./presses.js";

/** `select` is that of the button "details"; with `step`, only what it has for this step.
 * @param {{run: string, select: {action: string, label: string, options: {value: string, label: string, group: string}[]}, step?: number,
 *   onrun: (id: string) => void, tell: (text: string) => void}} properties */
export function Choice({ run, select, step, onrun, tell }) {
  const box = useRef();
  const { ask, problem, busy } = usePress(run);
  const options = select.options.filter(({ value }) => step === undefined || value.startsWith(`${step} `));
  const groups = [...new Set(options.map(({ group }) => group))];
  const submit = (event) => {
    event.preventDefault();
    ask(select.action, ({ run: made, text }) => (made ? onrun(made) : tell(text)), box.current.value);
  };
  if (!options.length) return html`<p class="muted">${word("no-other-model")}</p>`;
  return html`
    <form class="choice" onSubmit=${submit}>
      <label><span>${select.label}</span>
        <select ref=${box}>
          ${groups.map((group) => html`
            <optgroup key=${group} label=${group}>
              ${options.filter((option) => option.group === group).map(({ value, label }) => html`<option key=${value} value=${value}>${label}</option>`)}
            </optgroup>`)}
        </select>
      </label>
      <button class="quiet small" type="submit" disabled=${busy}>${word("try-it")}</button>
      <${Problem} text=${problem} />
    </form>
  `;
}
