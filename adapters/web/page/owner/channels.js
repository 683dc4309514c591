// The channels with their settings: one or many are changed at once, and what would change is told first.

import { html, useEffect, useState } from "../view.js";
import { get, send } from "../wire.js";
import { word } from "../words.js";
import { explain } from "./asking.js";
import { moment } from "./format.js";
import { Problem } from "./problem.js";
import { Table } from "./table.js";

const MOST = 200; // channels that the server changes at once
const MODEL = "model:";

/** @param {{tell: (text: string) => void}} properties */
export function Channels({ tell }) {
  const [query, setQuery] = useState("");
  const [page, setPage] = useState(/** @type {any} */ (null));
  const [picked, setPicked] = useState(/** @type {string[]} */ ([]));
  const [problem, setProblem] = useState(/** @type {import("./problem.js").Fault | null} */ (null));
  const load = async (words, after = "") => {
    try {
      const found = await get(`/api/owner/channels?${new URLSearchParams({ query: words, after })}`);
      setPage((before) => (after ? { ...found, channels: [...before.channels, ...found.channels] } : found));
      setProblem(null);
    } catch (error) {
      setProblem(explain(error));
    }
  };
  useEffect(() => void load(query), []);
  const find = (event) => {
    event.preventDefault();
    setPicked([]);
    load(query);
  };
  const shown = page?.channels ?? [];
  const pick = (key) => setPicked(picked.includes(key) ? picked.filter((each) => each !== key) : [...picked, key]);
  const all = shown.length > 0 && shown.every(({ channel }) => picked.includes(channel));
  const pickAll = () => setPicked(all ? [] : shown.map(({ channel }) => channel).slice(0, MOST));
  return html`
    <p class="muted">${word("owner-channels-lead")}</p>
    <form class="owner-row" role="search" onsubmit=${find}>
      <label class="field owner-wide">${word("owner-channels-find")}<input type="search" value=${query} maxlength="200" spellcheck=${false} dir="ltr" oninput=${(event) => setQuery(event.target.value)} /></label>
      <button type="submit" class="quiet outlined">${word("owner-find")}</button>
    </form>
    <${Problem} problem=${problem} />
    ${!page && !problem && html`<p class="muted" role="status">${word("loading")}</p>`}
    ${page && !shown.length && html`<p class="muted">${word("owner-no-channels")}</p>`}
    ${shown.length > 0 && html`
      <p><label class="owner-check"><input type="checkbox" checked=${all} onchange=${pickAll} /> ${word("owner-pick-all", { count: shown.length })}</label></p>
      <${Table} label=${word("owner-tab-channels")} columns=${[word("owner-pick"), word("owner-channel"), word("owner-written"), word("owner-settings")]}
        rows=${shown.map((each) => ({
          key: each.channel,
          cells: [
            html`<input type="checkbox" aria-label=${word("owner-pick-one", { channel: each.channel })} checked=${picked.includes(each.channel)} onchange=${() => pick(each.channel)} />`,
            html`<code>${each.channel}</code>`,
            moment(each.at),
            chips(each.settings),
          ],
        }))} />
      ${page.next && html`<p><button type="button" class="quiet outlined" onclick=${() => load(query, page.next)}>${word("owner-further")}</button></p>`}
      ${picked.length > 0 && html`<${Change} settings=${page.settings} channels=${picked} tell=${tell} done=${() => load(query)} />`}`}
  `;
}

function chips(settings) {
  const set = Object.entries(settings).filter(([, value]) => value);
  return set.length ? set.map(([name, value]) => html`<span key=${name} class="owner-chip">${name}: ${value}</span>`) : word("owner-defaults");
}

function Change({ settings, channels, tell, done }) {
  const [name, setName] = useState(settings[0].name);
  const [kind, setKind] = useState("");
  const [value, setValue] = useState("");
  const [changes, setChanges] = useState(/** @type {any[] | null} */ (null));
  const [problem, setProblem] = useState(/** @type {import("./problem.js").Fault | null} */ (null));
  const choices = settings.find((each) => each.name === name)?.choices ?? [];
  const edit = (set) => (event) => {
    set(event.target.value);
    setChanges(null);
  };
  useEffect(() => setChanges(null), [channels.join(" ")]);
  const ask = async (preview) => {
    try {
      const setting = name === MODEL ? MODEL + kind : name;
      const told = await send("/api/owner/channels", "POST", { channels, changes: { [setting]: value }, preview });
      setProblem(null);
      if (preview) return setChanges(told.changes);
      setChanges(null);
      tell(word("owner-changed", { count: told.changes.length }));
      done();
    } catch (error) {
      setProblem(explain(error));
    }
  };
  const submit = (event) => {
    event.preventDefault();
    ask(true);
  };
  return html`<form class="owner-card" aria-labelledby="owner-change" onsubmit=${submit}>
    <h2 id="owner-change">${word("owner-change", { count: channels.length })}</h2>
    <div class="owner-grid">
      <label class="field">${word("owner-setting")}<select value=${name} onchange=${edit((to) => (setName(to), setValue("")))}>
        ${settings.map((each) => html`<option value=${each.name}>${each.name}</option>`)}
        <option value=${MODEL}>${word("owner-setting-model")}</option>
      </select></label>
      ${name === MODEL && html`<label class="field">${word("owner-kind")}<input value=${kind} required spellcheck=${false} dir="ltr" oninput=${edit(setKind)} placeholder="text-to-image" /></label>`}
      <label class="field">${word("owner-value")}${choices.length && name !== "places"
        ? html`<select value=${value} onchange=${edit(setValue)}><option value="">${word("owner-default")}</option>${choices.map((each) => html`<option value=${each}>${each}</option>`)}</select>`
        : html`<input value=${value} maxlength="200" spellcheck=${false} dir="ltr" oninput=${edit(setValue)} placeholder=${choices.join(",")} />`}</label>
    </div>
    <p class="muted">${word("owner-value-empty")}</p>
    <${Problem} problem=${problem} />
    ${!changes && html`<p><button type="submit" class="quiet outlined">${word("owner-preview")}</button></p>`}
    ${changes && html`<div role="status">
      <p>${word("owner-would-change", { count: changes.length })}</p>
      ${changes.length > 0 && html`<${Table} label=${word("owner-preview")} columns=${[word("owner-channel"), word("owner-setting"), word("owner-before"), word("owner-after")]}
        rows=${changes.map((each) => ({ key: `${each.channel} ${each.name}`, cells: [html`<code>${each.channel}</code>`, each.name, each.before || word("owner-default"), each.after || word("owner-default")] }))} />
        <p class="owner-row"><button type="button" class="primary" onclick=${() => ask(false)}>${word("owner-apply", { count: changes.length })}</button>
        <button type="button" class="quiet" onclick=${() => setChanges(null)}>${word("owner-cancel")}</button></p>`}
    </div>`}
  </form>`;
}
