// All runs, by filters that stand in the address, a page at a time.

import { dollars } from "../run/format.js";
import { html, useEffect, useState } from "../view.js";
import { get } from "../wire.js";
import { word } from "../words.js";
import { explain } from "./asking.js";
import { ending, lasting, moment, where } from "./format.js";
import { Live, RunLink } from "./health.js";
import { Problem } from "./problem.js";
import { Table } from "./table.js";

const STATES = ["answered", "apologised", "stopped", "silent", "left", "running"];
const PLATFORMS = ["slack", "discord", "web", "console"];
const REFERENCE = /^[0-9a-f]{8,24}$/;
const SHORT = 12;
const TEXTS = ["place", "person", "kind", "model"];

export function Runs() {
  const [wanted, setWanted] = useState(read);
  const [page, setPage] = useState(/** @type {{runs: any[], live: any[], next: string} | null} */ (null));
  const [problem, setProblem] = useState(/** @type {import("./problem.js").Fault | null} */ (null));
  const [busy, setBusy] = useState(true);
  useEffect(() => {
    const moved = () => location.hash.startsWith("#/owner/runs") && setWanted(read());
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const search = async (after = "", signal = undefined) => {
    setBusy(true);
    try {
      const found = await get(`/api/owner/runs?${ask(wanted, after)}`, { signal });
      setPage((before) => (after ? { ...found, runs: [...before.runs, ...found.runs], live: before.live } : found));
      setProblem(null);
    } catch (error) {
      if (signal?.aborted) return;
      setProblem(explain(error));
    }
    setBusy(false);
  };
  useEffect(() => {
    const left = new AbortController();
    setPage(null);
    search("", left.signal);
    return () => left.abort();
  }, [JSON.stringify(wanted)]);
  return html`
    <${Filters} key=${JSON.stringify(wanted)} wanted=${wanted} />
    <${Problem} problem=${problem} />
    ${page?.live.length > 0 && html`<h2>${word("owner-now")}</h2><${Live} runs=${page.live} />`}
    ${page && html`<h2 role="status">${word("owner-runs-found", { count: page.runs.length })}</h2>`}
    ${page?.runs.length > 0 && html`<${Table} label=${word("owner-tab-runs")}
      columns=${[word("owner-at"), word("owner-reference"), word("owner-state"), word("owner-where"), word("owner-message"), word("owner-tasks-done"), word("owner-lasts"), word("owner-cost")]}
      rows=${page.runs.map(row)} />`}
    ${busy && html`<p class="muted" role="status">${word("loading")}</p>`}
    ${page?.next && html`<p><button type="button" class="quiet outlined" disabled=${busy} onclick=${() => search(page.next)}>${word("owner-further")}</button></p>`}
  `;
}

function row(run) {
  const trouble = run.problems && html`<span class=${run.failed ? "owner-trouble failed" : "owner-trouble"}>${run.problems}</span>`;
  return {
    key: run.run,
    class: run.failed ? "failed" : "",
    cells: [
      moment(run.at),
      html`<${RunLink} run=${run.run} />`,
      ending(run),
      html`<span class="owner-id" title=${run.thread}>${where(run)}</span><br /><span class="muted owner-id" title=${run.person}>${run.person.slice(0, SHORT)}</span>`,
      html`<span class="owner-words" dir="auto">${run.text}</span>${trouble}`,
      run.kinds.join(", ") || "–",
      run.seconds === null ? "–" : lasting(run.seconds),
      [run.tokens > 0 && word("owner-tokens", { count: run.tokens }), dollars(run.cost)].filter(Boolean).join(" · ") || (run.calls ? word("owner-calls-made", { count: run.calls }) : "–"),
    ],
  };
}

function Filters({ wanted }) {
  const submit = (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    const words = String(fields.words).trim();
    if (REFERENCE.test(words)) location.hash = `/owner/runs/${words}`;
    else write({ ...fields, words });
  };
  const text = (name) => html`<label class="field">${word(`owner-filter-${name}`)}<input name=${name} value=${wanted[name] ?? ""} autocomplete="off" spellcheck=${false} dir="ltr" maxlength="200" /></label>`;
  const choice = (name, values) => html`<label class="field">${word(`owner-filter-${name}`)}
    <select name=${name} value=${wanted[name] ?? ""}><option value="">${word("owner-any")}</option>${values.map((value) => html`<option value=${value} selected=${wanted[name] === value}>${name === "state" ? word(`owner-state-${value}`) : value}</option>`)}</select>
  </label>`;
  const time = (name) => html`<label class="field">${word(`owner-filter-${name}`)}<input type="datetime-local" name=${name} value=${wanted[name] ?? ""} /></label>`;
  const more = [...TEXTS, "state", "platform", "since", "until"].some((name) => wanted[name]);
  return html`<form class="owner-filters" role="search" aria-label=${word("owner-filters")} onsubmit=${submit}>
    <label class="field owner-wide">${word("owner-filter-words")}<input type="search" name="words" value=${wanted.words ?? ""} autocomplete="off" spellcheck=${false} dir="auto" maxlength="200" /></label>
    <label class="owner-check"><input type="checkbox" name="failed" value="true" checked=${wanted.failed === "true"} /> ${word("owner-filter-failed")}</label>
    <details open=${more}>
      <summary>${word("owner-more-filters")}</summary>
      <div class="owner-grid">${choice("state", STATES)}${choice("platform", PLATFORMS)}${TEXTS.map(text)}${time("since")}${time("until")}</div>
    </details>
    <p class="owner-row"><button type="submit" class="primary">${word("owner-find")}</button><a class="quiet button" href="#/owner/runs">${word("owner-clear")}</a></p>
  </form>`;
}

// The filters in the address, so that a way back leads to them.
function read() {
  return Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] ?? ""));
}

function write(fields) {
  const set = Object.entries(fields).filter(([, value]) => value);
  const query = new URLSearchParams(set).toString();
  location.hash = query ? `/owner/runs?${query}` : "/owner/runs";
}

function ask(wanted, after) {
  const query = new URLSearchParams(wanted);
  for (const name of ["since", "until"]) if (wanted[name]) query.set(name, new Date(wanted[name]).toISOString());
  if (after) query.set("after", after);
  return query;
}
