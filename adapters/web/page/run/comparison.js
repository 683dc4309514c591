// The results of two models side by side, and the choice between them.

import { Files } from "../media/figure.js";
import { html } from "../view.js";
import { word } from "../words.js";
import { Icon } from "../icons.js";
import { Problem, usePress } from "./presses.js";
import { sides } from "./sides.js";
import { Words } from "./text.js";

/** @param {{run: import("./run.js").Run, origin: (file: any) => any, tell: (text: string) => void}} properties */
export function Comparison({ run, origin, tell }) {
  const { comparison, actions } = run.answer;
  const files = sides(run.answer);
  const chosen = comparison[run.vote] ? run.vote : "";
  const { ask, problem, busy } = usePress(run.id);
  const vote = (action) => ask(action, ({ text }) => {
    run.rate(action);
    tell(text);
  });
  return html`
    <div class="compared" role="group" aria-label=${word("compared")}>
      ${["first", "second"].map((side, index) => html`
        <section key=${side} class=${chosen === side ? "side preferred" : "side"} aria-label=${`${"AB"[index]}: ${comparison[side]}`}>
          <h3><span class="letter" aria-hidden="true">${"AB"[index]}</span> <code>${comparison[side]}</code></h3>
          ${comparison.html?.[index] && html`<${Words} text=${comparison.html[index]} />`}
          ${files[side].length > 0 && html`<${Files} files=${files[side]} origin=${origin} />`}
          ${actions.includes(side) && html`
            <button type="button" class="vote quiet small" aria-pressed=${String(chosen === side)} disabled=${busy} onClick=${() => vote(side)}>
              ${chosen === side && html`<${Icon} name="done" />`}<span>${word(side)}</span>
            </button>`}
        </section>`)}
    </div>
    ${chosen && html`<p class="muted voted">${word("voted", { letter: chosen === "first" ? "A" : "B", model: comparison[chosen] })}</p>`}
    <${Problem} text=${problem} />
  `;
}
