// Everything that is known of one run, for whoever looks for the cause at night.

import { Graph } from "../run/graph.js";
import { dollars } from "../run/format.js";
import { Run } from "../run/run.js";
import { Steps } from "../run/steps.js";
import { html, useMemo, useState } from "../view.js";
import { word } from "../words.js";
import { useAnswer } from "./asking.js";
import { ending, lasting, moment, number, where } from "./format.js";
import { Live } from "./health.js";
import { Problem } from "./problem.js";
import { Facts, Table } from "./table.js";

const LOOKS = ["graph", "list"];

// A run of anybody's: its steps are read as the owner, and it has no buttons.
class OwnedRun extends Run {
  get path() {
    return `/api/owner/runs/${this.id}`;
  }

  get actions() {
    return [];
  }
}

/** @param {{reference: string, tell: (text: string) => void}} properties */
export function OneRun({ reference, tell }) {
  const { told, problem, busy, again } = useAnswer(`/api/owner/runs/${encodeURIComponent(reference)}`);
  return html`
    <p class="owner-row"><a class="quiet button" href="#/owner/runs">${word("owner-all-runs")}</a><button type="button" class="quiet outlined" disabled=${busy} onclick=${again}>${word("owner-refresh")}</button></p>
    <${Problem} problem=${problem} />
    ${!told && busy && html`<p class="muted" role="status">${word("loading")}</p>`}
    ${told?.live && html`<h2>${word("owner-still-live")}</h2><${Live} runs=${[told.live]} />`}
    ${told?.request && html`<${Request} ...${told.request} />`}
    ${told?.run && html`<${Details} told=${told} tell=${tell} />`}
  `;
}

// A reference of the page or the API that is no run's.
function Request({ reference, at, path, error, trace }) {
  return html`
    <h2>${word("owner-request", { reference })}</h2>
    <${Facts} facts=${[[word("owner-at"), moment(at)], [word("owner-where"), html`<code>${path}</code>`], [word("owner-error"), html`<code>${error}</code>`]]} />
    <h3>${word("owner-trace")}</h3>
    <pre class="owner-pre" tabindex="0">${trace}</pre>
  `;
}

function Details({ told, tell }) {
  const run = useMemo(() => replay(told), [told]);
  const [shown, show] = useState(-1);
  const [look, setLook] = useState(LOOKS[0]);
  const more = { run, shown, show, onrun: () => {}, tell };
  return html`
    <h2>${word("owner-run", { reference: told.reference })}</h2>
    <p class=${told.failed ? "owner-bad" : "owner-good"}>${ending(told)} · ${moment(told.at)}</p>
    ${told.problems && html`<h3>${word("owner-cause")}</h3><pre class="owner-pre" tabindex="0">${told.problems}</pre>`}
    ${told.trace && html`<details open><summary>${word("owner-trace")}</summary><pre class="owner-pre" tabindex="0">${told.trace}</pre></details>`}
    <${Facts} facts=${[
      [word("owner-id"), html`<code>${told.run}</code>`],
      [word("owner-trace-id"), told.trace_id && html`<code>${told.trace_id}</code>`],
      [word("owner-where"), html`<span title=${told.thread}>${where(told)}</span>`],
      [word("owner-person"), told.person],
      [word("owner-error"), told.error && html`<code>${told.error}</code>`],
      [word("owner-undelivered"), told.undelivered && html`<code>${told.undelivered}</code>`],
      [word("owner-stages"), Object.entries(told.stages).map(([name, seconds]) => `${name}: ${lasting(seconds)}`).join(" · ")],
      [word("owner-prompts-version"), told.prompts_version],
    ]} />
    <h3>${word("owner-message")}</h3>
    <pre class="owner-pre" dir="auto" tabindex="0">${told.message}</pre>
    <${Answer} answer=${told.record.answer} />
    ${run.plan.length > 0 && html`
      <h3>${word("owner-plan")}</h3>
      <div class="owner-row" role="group" aria-label=${word("plan-looks")}>${LOOKS.map((name) => html`<button key=${name} type="button" class="quiet small" aria-pressed=${String(look === name)} onclick=${() => setLook(name)}>${word(`look-${name}`)}</button>`)}</div>
      <div class="run">${look === "graph" ? html`<${Graph} ...${more} />` : html`<${Steps} ...${more} />`}</div>
      <${Attempts} run=${run} />`}
    <${Calls} calls=${told.model_calls} />
    <${Prompts} prompts=${told.prompts} isKept=${told.keeps_prompts} />
  `;
}

function Answer({ answer }) {
  if (!answer) return null;
  return html`<h3>${word("owner-answer")}</h3>
    <pre class="owner-pre" dir="auto" tabindex="0">${answer.message ?? answer.error}</pre>
    ${answer.notices?.length > 0 && html`<ul>${answer.notices.map((each) => html`<li key=${each}>${each}</li>`)}</ul>`}
    ${answer.files?.length > 0 && html`<ul>${answer.files.map((file) => html`<li key=${file.url}><a href=${file.url} target="_blank" rel="noopener">${file.name}</a> <span class="muted">${file.model}</span></li>`)}</ul>`}`;
}

function Attempts({ run }) {
  const rows = run.plan.flatMap((step) => (step.outcome?.tried ?? []).map((each, index) => ({
    key: `${step.id} ${index}`,
    class: each.error ? "failed" : "",
    cells: [step.says, html`<code>${each.model}</code>`, [each.place, each.provider].filter(Boolean).join(" · "), lasting(each.took), dollars(each.cost) || "–", each.error || word("owner-ok")],
  })));
  if (!rows.length) return null;
  return html`<h3>${word("owner-attempts")}</h3>
    <${Table} label=${word("owner-attempts")} columns=${[word("owner-step"), word("owner-model"), word("owner-place"), word("owner-lasts"), word("owner-cost"), word("owner-outcome")]} rows=${rows} />`;
}

function Calls({ calls }) {
  if (!calls.length) return null;
  const count = (value) => (value < 0 ? "–" : number(value));
  return html`<h3>${word("owner-model-calls")}</h3>
    <${Table} label=${word("owner-model-calls")} columns=${[word("owner-model"), word("owner-lasts"), word("owner-prompt-tokens"), word("owner-reply-tokens"), word("owner-cost"), word("owner-outcome")]}
      rows=${calls.map((call, index) => ({ key: String(index), class: call.error ? "failed" : "", cells: [html`<code>${call.model}</code>`, lasting(call.took), count(call.prompt_tokens), count(call.reply_tokens), dollars(call.cost) || "–", call.error || word("owner-ok")] }))} />`;
}

function Prompts({ prompts, isKept }) {
  return html`<h3>${word("owner-prompts")}</h3>
    ${!prompts.length && html`<p class="muted">${word(isKept ? "owner-no-prompts" : "owner-prompts-off")}</p>`}
    ${prompts.map((each, index) => html`<details key=${index}>
      <summary>${word("owner-prompt", { number: index + 1, model: each.model })}</summary>
      <pre class="owner-pre" dir="auto" tabindex="0">${each.text}</pre>
      <h4>${word("owner-reply")}</h4>
      <pre class="owner-pre" dir="auto" tabindex="0">${each.reply}</pre>
    </details>`)}`;
}

function replay({ run: id, record }) {
  const run = new OwnedRun(id);
  for (const { type, ...data } of record.events) run.apply(type, data, { replayed: true });
  if (record.answer) run.apply("answer", record.answer, { replayed: true });
  return run;
}
