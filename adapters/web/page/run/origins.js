// Where an answer comes from: each file leads to the step that made it, the words to the steps that they rest on.

import { html } from "../view.js";
import { word } from "../words.js";

/** @typedef {import("./run.js").Run} Run */

/** The step that made a file.
 * @param {{run: Run, file: {task?: number}, show: (step: number) => void}} properties */
export function Origin({ run, file, show }) {
  const step = run.plan.find(({ id }) => id === file.task);
  return step && html`<span class="origin muted">${word("made-in")} <${Link} step=${step} show=${show} /></span>`;
}

/** The steps that were done and whose files are not in the answer.
 * @param {{run: Run, show: (step: number) => void}} properties */
export function Origins({ run, show }) {
  const made = new Set(run.answer.files.map(({ task }) => task));
  const steps = run.plan.filter(({ id, state }) => state === "done" && !made.has(id));
  if (!steps.length) return null;
  return html`<p class="origins muted">${word("according-to")} ${steps.map((step) => html`<${Link} key=${step.id} step=${step} show=${show} />`)}</p>`;
}

function Link({ step, show }) {
  return html`<button type="button" class="link" onClick=${() => show(step.id)}>${word("step", { number: step.number, says: step.says })}</button>`;
}
