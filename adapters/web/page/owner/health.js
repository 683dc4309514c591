// What goes on, what failed, and what the doctor finds.

import { dollars } from "../run/format.js";
import { html, useEffect, useState } from "../view.js";
import { get, send } from "../wire.js";
import { word } from "../words.js";
import { explain, useAnswer } from "./asking.js";
import { bytes, lasting, moment, number } from "./format.js";
import { Problem } from "./problem.js";
import { Facts, Table } from "./table.js";

const SPANS = ["1h", "6h", "24h", "7d"];

/** @param {{tell: (text: string) => void}} properties */
export function Health({ tell }) {
  const [since, setSince] = useState("6h");
  const { told, problem, busy, again } = useAnswer(`/api/owner/status?since=${since}`);
  return html`
    <div class="owner-row">
      <label class="field">${word("owner-since")}
        <select value=${since} onchange=${(event) => setSince(event.target.value)}>${SPANS.map((span) => html`<option value=${span}>${word(`owner-span-${span}`)}</option>`)}</select>
      </label>
      <button type="button" class="quiet outlined" disabled=${busy} onclick=${again}>${word("owner-refresh")}</button>
    </div>
    <${Problem} problem=${problem} />
    ${!told && busy && html`<p class="muted" role="status">${word("loading")}</p>`}
    ${told && html`<${Program} running=${told.running} version=${told.version} /><${Ended} database=${told.database} today=${told.spent_today} />`}
    <${Doctor} tell=${tell} />
  `;
}

function Program({ running, version }) {
  const problems = Object.entries(running.problems);
  const places = Object.entries(running.places).filter(([, why]) => why);
  const { workers } = running;
  return html`
    <p class=${running.ready ? "owner-good" : "owner-bad"}>${word(running.ready ? "owner-ready" : "owner-not-ready")}</p>
    ${problems.map(([name, why]) => html`<p key=${name} class="owner-bad"><strong>${name}</strong>: ${why}</p>`)}
    ${places.map(([name, why]) => html`<p key=${name} class="owner-bad">${word("owner-place-closed", { place: name })} ${why}</p>`)}
    <${Facts} facts=${[
      [word("owner-version"), version],
      [word("owner-up-since"), moment(running.started_at)],
      [word("owner-platforms"), Object.entries(running.platforms).map(([name, isUp]) => html`<span class=${isUp ? "owner-chip" : "owner-chip bad"}>${name}: ${word(isUp ? "owner-connected" : "owner-not-connected")} · ${moment(running.changed_at[name])}</span>`)],
      [word("owner-workers"), workers.count ? word("owner-workers-are", { busy: workers.busy, count: workers.count, waiting: workers.waiting, lost: workers.lost }) : ""],
      [word("owner-lag"), word("owner-milliseconds", { count: Math.round(running.loop_lag * 1000) })],
      [word("owner-free"), Object.entries(running.free_bytes).map(([name, free]) => `${name}: ${bytes(free)}`).join(" · ")],
    ]} />
    <h2>${word("owner-now")}</h2>
    <${Live} runs=${[...running.running, ...running.waiting.filter((each) => !running.running.some(({ run }) => run === each.run))]} />
  `;
}

/** Runs that have not ended. @param {{runs: any[]}} properties */
export function Live({ runs }) {
  if (!runs.length) return html`<p class="muted">${word("owner-nothing-now")}</p>`;
  return html`<${Table} label=${word("owner-now")}
    columns=${[word("owner-reference"), word("owner-where"), word("owner-stage"), word("owner-lasts"), word("owner-steps")]}
    rows=${runs.map((each) => ({
      key: each.run,
      cells: [
        html`<code>${each.run.slice(0, 8)}</code>`,
        each.channel,
        each.stage ?? "queued",
        lasting(each.seconds),
        (each.steps ?? []).map((step) => `${step.kind}: ${step.model} (${step.place}), ${lasting(step.seconds)}`).join("; ") || "–",
      ],
    }))} />`;
}

function Ended({ database, today }) {
  if (database.problem) return html`<p class="problem" role="alert">${database.problem}</p>`;
  const outcomes = Object.entries(database.outcomes).flatMap(([platform, counts]) => Object.entries(counts).map(([outcome, count]) => ({ key: `${platform} ${outcome}`, cells: [platform, word(`owner-state-${outcome.replace("_", "-")}`), number(count)] })));
  return html`
    <h2>${word("owner-ended")}</h2>
    <${Facts} facts=${[
      [word("owner-last-answer"), database.last_answered ? html`${moment(database.last_answered.at)} <${RunLink} run=${database.last_answered.run} />` : "–"],
      [word("owner-unanswered"), Object.entries(database.unanswered).map(([name, { count, seconds }]) => `${name}: ${count}, ${lasting(seconds)}`).join(" · ")],
      [word("owner-spent"), spent(database.spent)],
      [word("owner-today"), spent(today)],
    ]} />
    ${outcomes.length > 0 && html`<${Table} label=${word("owner-ended")} columns=${[word("owner-platform"), word("owner-outcome"), word("owner-count")]} rows=${outcomes} />`}
    ${database.apologies.length > 0 && html`<h3>${word("owner-apologies")}</h3>
      <${Table} label=${word("owner-apologies")} columns=${[word("owner-at"), word("owner-reference"), word("owner-where"), word("owner-reason")]}
        rows=${database.apologies.map((each) => ({ key: each.run, cells: [moment(each.at), html`<${RunLink} run=${each.run} />`, each.channel, each.reason] }))} />`}
    ${database.failed_steps.length > 0 && html`<h3>${word("owner-failed-steps")}</h3>
      <${Table} label=${word("owner-failed-steps")} columns=${[word("owner-count"), word("owner-reason"), word("owner-kind"), word("owner-model"), word("owner-last")]}
        rows=${database.failed_steps.map((each, index) => ({ key: String(index), cells: [number(each.times), each.reason, each.kind, [each.model, each.place].filter(Boolean).join(" · ") || "–", html`${moment(each.last)} <${RunLink} run=${each.run} />`] }))} />`}
  `;
}

/** @param {{run: string}} properties */
export function RunLink({ run }) {
  return html`<a href=${`#/owner/runs/${run}`}><code>${run.slice(0, 8)}</code></a>`;
}

function spent(sum) {
  if (!sum?.calls) return "";
  return [word("owner-calls", { count: sum.calls, failed: sum.failed }), word("owner-tokens", { count: sum.prompt_tokens + sum.reply_tokens }), dollars(sum.usd)].filter(Boolean).join(" · ");
}

function Doctor({ tell }) {
  const [found, setFound] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {import("./problem.js").Fault | null} */ (null));
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    get("/api/owner/checks").then(setFound, (error) => setProblem(explain(error)));
  }, []);
  const check = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await send("/api/owner/checks", "POST");
      setFound(answer);
      tell(word("owner-checked", { count: answer.findings.filter(({ good }) => !good).length }));
    } catch (error) {
      setProblem(explain(error));
    }
    setBusy(false);
  };
  return html`
    <h2>${word("owner-doctor")}</h2>
    <p class="muted">${word("owner-doctor-does")}</p>
    <p><button type="button" class="primary" disabled=${busy} onclick=${check}>${word(busy ? "owner-checking" : "owner-check")}</button></p>
    <${Problem} problem=${problem} />
    ${found?.at && html`<${Found} found=${found} />`}
  `;
}

const SIGNS = {
  bad: { class: "owner-bad", word: "owner-fix" },
  note: { class: "owner-note", word: "owner-to-know" },
  good: { class: "owner-good", word: "owner-works" },
};

function sign({ good, note }) {
  if (note) return "note";
  return good ? "good" : "bad";
}

function Found({ found }) {
  const findings = [...found.findings].sort((one, other) => Number(one.good) - Number(other.good));
  const needs = new Map();
  for (const { title, model, problem } of found.tasks) if (!model) needs.set(problem, [...(needs.get(problem) ?? []), title]);
  const works = found.tasks.filter(({ model }) => model).length;
  return html`
    <p class="muted">${moment(found.at)}</p>
    <ul class="owner-findings">
      ${findings.map((each, index) => html`<li key=${index} class=${SIGNS[sign(each)].class}>
        <strong>${word(SIGNS[sign(each)].word)}</strong> <span dir="auto">${each.what}</span>
        ${each.why && html`<p class="muted" dir="auto">${each.why}</p>`}
        ${each.mend && html`<p><code>${each.mend}</code></p>`}
      </li>`)}
    </ul>
    <h3>${word("owner-tasks", { works, all: found.tasks.length })}</h3>
    <dl class="owner-needs">${[...needs].map(([problem, titles]) => html`<div key=${problem}><dt dir="auto">${problem}</dt><dd dir="auto">${titles.join(" · ")}</dd></div>`)}</dl>
  `;
}
