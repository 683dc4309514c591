// One run as it happens: its plan, its answer, its files, and what can be done with it.

import { Later } from "../lazy.js";
import { Files } from "../media/figure.js";
import { html, useChanges, useEffect, useRef, useState } from "../view.js";
import { word } from "../words.js";
import { Actions } from "./actions.js";
import { dressFigures } from "./figures.js";
import { counted } from "./format.js";
import { Origin, Origins } from "./origins.js";
import { Plan } from "./plan.js";
import { sides } from "./sides.js";
import { Words } from "./text.js";

const CHART = "table-to-chart"; // the kind of step that draws one

/** `onrun` is called with the run that a button began, `tell` with what those who do not see it should hear. `waits`: another
 * run is answered before it.
 * @param {{run: import("./run.js").Run, onrun: (id: string) => void, tell: (text: string) => void, waits?: boolean}} properties */
export function RunView({ run, onrun, tell, waits = false }) {
  useChanges(run);
  const text = useRef();
  const [shown, show] = useState(-1); // the step whose details are open; -1 for none
  useEffect(() => {
    const say = (/** @type {any} */ { detail }) => tell(sentence(detail, run, text.current));
    run.addEventListener("told", say);
    return () => run.removeEventListener("told", say);
  }, [run, tell]);
  const { answer, apology, live, html: words } = run;
  const { common } = sides(answer);
  const origin = (file) => html`<${Origin} run=${run} file=${file} show=${show} />`;
  const below = ({ task }) => run.steps.get(task)?.kind === CHART && html`<${Later} from="run/chart_data.js" view="ChartData" run=${run} step=${task} />`;
  return html`
    <div class=${live ? "run live" : "run"} aria-busy=${String(live)}>
      <${Plan} run=${run} waits=${waits} shown=${shown} show=${show} onrun=${onrun} tell=${tell} />
      ${apology ? html`<div class="text"><${Apology} ...${apology} /></div>` : words && html`<${Words} text=${words} whole=${!live} inside=${text} dress=${(element) => dressFigures(element, run, show)} />`}
      ${answer && html`<${Origins} run=${run} show=${show} />`}
      ${answer && common.length > 0 && html`<${Files} files=${common} run=${answer.files.length > 1 ? run.id : ""} origin=${origin} below=${below} />`}
      ${answer?.comparison && html`<${Later} from="run/comparison.js" view="Comparison" run=${run} origin=${origin} tell=${tell} />`}
      <div class="after">
        ${run.delayed && html`<p class="muted">${run.delayed}</p>`}
        ${answer && html`<${Notices} notices=${answer.notices} />`}
        ${!live && html`<${Actions} run=${run} text=${text} onrun=${onrun} tell=${tell} />`}
      </div>
    </div>
  `;
}

function Apology({ error, reference, stopped }) {
  if (stopped) return html`<div class="ended" role="alert"><p class="calm">${error}</p></div>`;
  return html`
    <div class="ended failed" role="alert">
      <h3>${word("apology")}</h3>
      <p>${error}</p>
      ${reference && html`<p class="muted">${word("reference", { reference })}</p>`}
    </div>
  `;
}

function Notices({ notices }) {
  if (!notices?.length) return null;
  return html`<div class="notices"><h3>${word("notices")}</h3><ul>${notices.map((each) => html`<li key=${each}>${each}</li>`)}</ul></div>`;
}

function sentence(told, run, text) {
  if (told.text !== undefined) return told.text;
  if (told.id === "answer") {
    const files = run.answer.files.length ? ` ${word("told-files", { count: run.answer.files.length })}` : "";
    return word("told-answer", { text: read(run.html) || (text?.textContent ?? "") }) + files;
  }
  return word(told.id, { count: counted(run.plan.length) });
}

// The words of HTML that our server made, which is not drawn yet.
function read(words) {
  return new DOMParser().parseFromString(words, "text/html").body.textContent?.trim() ?? "";
}
