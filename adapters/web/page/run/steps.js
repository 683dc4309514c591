// The steps of a run as a list.

import { Icon } from "../icons.js";
import { Later } from "../lazy.js";
import { FileCard, isPicture } from "../media/figure.js";
import { html, useState } from "../view.js";
import { word } from "../words.js";
import { Clock } from "./clock.js";
import { dollars, place } from "./format.js";

const PREVIEW = 400; // characters of a result

/** @param {import("./plan.js").Shown} properties */
export function Steps({ run, shown, show, onrun, tell }) {
  if (!run.plan.length) return null;
  return html`
    <ol class="tasks">
      ${run.plan.map((step) => html`
        <li key=${step.id} class=${`task ${step.state}`}>
          <${Mark} state=${step.state} number=${step.number} />
          <div class="body">
            <span class="title">${step.says}</span>
            <${Facts} run=${run} step=${step} />
            ${step.state === "running" && step.fraction >= 0 && html`<progress max="1" value=${step.fraction} aria-label=${step.says}></progress>`}
            <${More} run=${run} step=${step} />
          </div>
          <span class="end">
            <${Clock} name="time" read=${() => step.lasting(run.elapsed)} live=${step.state === "running"} />
            <span class="unseen">${word(`state-${step.state}`)}</span>
            <button type="button" class="quiet small" aria-expanded=${String(shown === step.id)} aria-label=${word("step-more", { number: step.number })} title=${word("step-more", { number: step.number })}
              onClick=${() => show(shown === step.id ? -1 : step.id)}><${Icon} name="details" /></button>
          </span>
          ${shown === step.id && html`<${Later} from="run/panel.js" view="Panel" key=${step.id} run=${run} step=${step} show=${show} onrun=${onrun} tell=${tell} />`}
        </li>`)}
    </ol>
  `;
}

/** The number of a step until it is over, then how it ended. @param {{state: string, number: number}} properties */
export function Mark({ state, number }) {
  return html`<span class="mark" aria-hidden="true">${state === "waiting" || state === "running" ? number : html`<${Icon} name=${state} />`}</span>`;
}

// The model, where it works, and what a step waits for.
function Facts({ run, step }) {
  const steps = step.needs.map((id) => run.steps.get(id)?.number).filter(Boolean);
  const pieces = [
    step.model && html`<code>${step.model}</code>`,
    step.where && place(step),
    steps.length > 0 && word("after", { steps: steps.join(" + ") }),
    step.taken,
    step.note,
    dollars(step.cost),
  ].filter(Boolean);
  return html`<span class="meta" title=${step.reason || undefined}>${pieces.flatMap((piece, index) => (index ? [" · ", piece] : [piece]))}</span>`;
}

function More({ run, step }) {
  const { tried, outcome, failure } = step;
  const because = outcome?.because_of;
  const { output, files } = step.result;
  return html`
    <div class="more">
      ${tried.map(({ model, error }, index) => html`<p key=${index} class="warn">${word("tried", { model, error })}</p>`)}
      ${failure && html`<p class="bad">${failure}</p>`}
      ${because !== undefined && html`<p class="muted">${word("because", { step: run.steps.get(because)?.number ?? because })}</p>`}
      ${(output || files.length > 0) && html`<${Result} output=${output} files=${files} />`}
    </div>
  `;
}

// What a step made, small.
function Result({ output, files }) {
  const [open, setOpen] = useState(false);
  const text = output.length > PREVIEW ? `${output.slice(0, PREVIEW)} …` : output;
  return html`
    <details class="result" onToggle=${(event) => setOpen(event.currentTarget.open)}>
      <summary>${word("result")}</summary>
      ${text && html`<p dir="auto">${text}</p>`}
      ${files.map((file, index) => html`
        <div key=${index} class="small-file">
          ${open && isPicture(file.media_type) && html`<img src=${file.url} alt=${file.alt || file.name} loading="lazy" />`}
          <${FileCard} file=${file} />
        </div>`)}
    </details>
  `;
}
