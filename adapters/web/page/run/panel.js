// Everything that is known of one step: what it was given and made, by which model, why, and what it took.

import { Icon } from "../icons.js";
import { Figure } from "../media/figure.js";
import { copyText } from "../media/reading.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { Refused, get } from "../wire.js";
import { word } from "../words.js";
import { Choice } from "./choice.js";
import { dollars, duration, place } from "./format.js";
import { Problem, usePress } from "./presses.js";

const MOMENT = 2000; // milliseconds
const OPENER = 'button[aria-expanded="true"]';

/** @param {{run: import("./run.js").Run, step: import("./step.js").Step, show: (step: number) => void, onrun: (id: string) => void, tell: (text: string) => void}} properties */
export function Panel({ run, step, show, onrun, tell }) {
  const [told, setTold] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const box = useRef();
  useEffect(() => {
    const left = new AbortController();
    get(`${run.path}/steps/${step.id}`, { signal: left.signal }).then(setTold, (error) => {
      if (!left.signal.aborted) setProblem(error instanceof Refused ? error.message : word("unreachable"));
    });
    return () => left.abort();
  }, [run.id, step.id, step.state]);
  useLayoutEffect(() => box.current.focus({ preventScroll: true }), []);
  useLayoutEffect(() => box.current.scrollIntoView({ block: "nearest" }), [told]);
  const close = () => {
    box.current.closest(".plan").querySelector(OPENER)?.focus();
    show(-1);
  };
  const key = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation(); // elsewhere it stops the run
    close();
  };
  return html`
    <section class="step-panel" ref=${box} aria-label=${word("step", { number: step.number, says: step.says })} tabindex="-1" onKeyDown=${key}>
      <header>
        <h3>${word("step", { number: step.number, says: step.says })} <span class="muted">${word(`state-${step.state}`)}</span></h3>
        <button type="button" class="quiet small" aria-label=${word("close")} title=${word("close")} onClick=${close}><${Icon} name="close" /></button>
      </header>
      <${Problem} text=${problem} />
      ${told && html`
        <${Inputs} inputs=${told.inputs} run=${run} show=${show} />
        <${Outputs} told=${told} />
        <${Facts} step=${step} told=${told} />
        ${!run.live && html`<${Again} run=${run} step=${step} onrun=${onrun} tell=${tell} />`}`}
    </section>
  `;
}

function Inputs({ inputs, run, show }) {
  if (!inputs.length) return null;
  return html`
    <h4>${word("given")}</h4>
    ${inputs.flatMap(({ name, pieces }) => pieces.map((piece, index) => html`
      <div key=${`${name} ${index}`} class="value">
        <p class="muted"><code>${name}</code> · ${piece.step === undefined ? word("from-message") : html`<${Origin} step=${run.steps.get(piece.step)} show=${show} />`}</p>
        <${Value} ...${piece} />
      </div>`))}
  `;
}

function Origin({ step, show }) {
  if (!step) return null;
  return html`<button type="button" class="link" onClick=${() => show(step.id)}>${word("from-step", { step: step.number })}</button>`;
}

function Outputs({ told }) {
  const { outputs, extras } = told;
  if (!outputs.length && !extras.length) return null;
  return html`
    <h4>${word("made")}</h4>
    ${outputs.map((output) => html`<div key=${output.name} class="value"><${Value} ...${output} /></div>`)}
    ${extras.map((file) => html`<${Figure} key=${file.url} file=${file} />`)}
  `;
}

// A file, or a text that can be copied.
function Value({ file = null, text = undefined, cut = false }) {
  const [copied, setCopied] = useState(false);
  if (file) return html`<${Figure} file=${file} />`;
  if (text === undefined) return null;
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), MOMENT);
  };
  const label = word(copied ? "copied" : "copy");
  return html`
    <div class="whole">
      <div class="whole-text" tabindex="0"><div dir="auto">${text}${cut && " …"}</div></div>
      <button type="button" class="quiet small" aria-label=${label} title=${label} onClick=${copy}><${Icon} name=${copied ? "done" : "copy"} /></button>
    </div>
  `;
}

function Facts({ step, told }) {
  const { choice, outcome } = told;
  const model = told.model ?? choice;
  const runners = choice?.runners_up.map(({ id }) => id) ?? [];
  const failed = outcome?.tried?.filter(({ error }) => error) ?? [];
  const facts = [
    ["model", model && html`<code>${model.id}</code>${model.page && html` · <a href=${model.page} target="_blank" rel="noopener noreferrer">${word("model-page")}</a>`}`],
    ["licence", model?.licence],
    ["place", step.where && place(step)],
    ["why", choice?.reason],
    ["runners-up", runners.length > 0 && runners.map((id, index) => html`${index > 0 && ", "}<code>${id}</code>`)],
    ["time", step.taken || duration(step.took)],
    ["cost", dollars(step.cost)],
    ["attempts", failed.length > 0 && html`<ul>${failed.map(({ model: id, error, took }, index) => html`<li key=${index}><code>${id}</code>: ${error} · ${duration(took)}</li>`)}</ul>`],
    ["source", outcome?.source],
    ["failure", outcome?.reason],
  ].filter(([, fact]) => fact);
  return html`<dl class="facts">${facts.map(([name, fact]) => html`<div key=${name}><dt>${word(`fact-${name}`)}</dt><dd dir="auto">${fact}</dd></div>`)}</dl>`;
}

// What can be done anew from this step on.
function Again({ run, step, onrun, tell }) {
  const [select, setSelect] = useState(/** @type {any} */ (null));
  const { ask, problem, busy } = usePress(run.id);
  const again = () => ask("retry", ({ run: made }) => made && onrun(made), String(step.id));
  const others = () => ask("details", (reply) => setSelect(reply.select ?? { action: "choose", label: "", options: [] }));
  const may = (name) => run.actions.includes(name);
  return html`
    <div class="actions">
      ${may("retry") && html`<button type="button" class="quiet small" disabled=${busy} title=${word("from-here-means")} onClick=${again}><${Icon} name="again" /><span>${word("from-here")}</span></button>`}
      ${may("details") && !select && html`<button type="button" class="quiet small" disabled=${busy} onClick=${others}><${Icon} name="other" /><span>${word("another-here")}</span></button>`}
      <${Problem} text=${problem} />
    </div>
    ${select && html`<${Choice} run=${run.id} select=${select} step=${step.id} onrun=${onrun} tell=${tell} />`}
  `;
}
