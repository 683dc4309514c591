// The plan of a run: how far it is, and its steps as a list or as a graph.

import { html, useEffect, useState } from "../view.js";
import { word } from "../words.js";
import { Clock } from "./clock.js";
import { counted, dollars } from "./format.js";
import { Steps } from "./steps.js";

const KEY = "troupe-plan"; // "list" or "graph", if somebody chose one
const MANY = 3; // steps that are easier to grasp as a graph
const WIDE = "(min-width: 42rem)";

/** `shown` is the step whose details are open; -1 for none.
 * @typedef {{run: import("./run.js").Run, shown: number, show: (step: number) => void, onrun: (id: string) => void, tell: (text: string) => void}} Shown */

/** @param {Shown & {waits: boolean}} properties */
export function Plan({ run, waits, shown, show, onrun, tell }) {
  const { plan, live } = run;
  const [open, setOpen] = useState(true);
  const [chosen, choose] = useState(kept);
  const [Graph, setGraph] = useState(/** @type {any} */ (null));
  const few = plan.length < 2;
  const look = few ? "list" : chosen || (plan.length >= MANY && matchMedia(WIDE).matches ? "graph" : "list");
  useEffect(() => setOpen(live || shown >= 0), [live]); // the answer tells what failed; what somebody looks into stays
  useEffect(() => {
    if (shown >= 0) setOpen(true);
  }, [shown]);
  useEffect(() => {
    if (look === "graph" && open && !Graph) import("./graph.js").then((made) => setGraph(() => made.Graph), () => {}); // the list tells the same
  }, [look, open]);
  if (!live && !plan.length) return null;
  const more = { run, shown, show, onrun, tell };
  const pick = (name) => {
    choose(name);
    keep(name);
  };
  const toggled = (event) => {
    setOpen(event.currentTarget.open);
    if (!event.currentTarget.open) show(-1);
  };
  return html`
    <details class="plan" open=${open} onToggle=${toggled}>
      <summary>
        <span class="spinner"></span>
        <span class="how"><span class="head">${heading(run, waits)}</span> <span class="fault">${fault(run)}</span></span>
        <${Clock} read=${() => run.elapsed} live=${live} />
      </summary>
      ${!few && html`
        <div class="looks" role="group" aria-label=${word("plan-looks")}>
          ${["list", "graph"].map((name) => html`<button key=${name} type="button" class="quiet small" aria-pressed=${String(look === name)} onClick=${() => pick(name)}>${word(`look-${name}`)}</button>`)}
        </div>`}
      ${look === "graph" && Graph ? open && html`<${Graph} ...${more} />` : html`<${Steps} ...${more} />`}
    </details>
  `;
}

/** @param {import("./run.js").Run} run @param {boolean} waits */
function heading(run, waits) {
  const { plan, live } = run;
  if (!live) return [counted(plan.length), dollars(run.cost)].filter(Boolean).join(" · ");
  if (!plan.length) return word(run.delayed || waits ? "waiting" : run.html ? "answering" : "planning");
  if (run.html && run.done === plan.length) return word("answering");
  return [word("steps-of", { done: run.done, count: plan.length }), run.estimate].filter(Boolean).join(" · ");
}

/** @param {import("./run.js").Run} run */
function fault({ live, failed, plan }) {
  return !live && failed ? `${plan.length > 1 ? failed : ""} ${word("state-failed")}`.trim() : "";
}

function kept() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // private windows may refuse
  }
}

/** @param {string} look */
function keep(look) {
  try {
    localStorage.setItem(KEY, look);
  } catch {
    // as above: it holds for this run
  }
}
