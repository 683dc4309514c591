// What is stored, what is deleted when, and a button that does it now.

import { html, useState } from "../view.js";
import { send } from "../wire.js";
import { word } from "../words.js";
import { explain, useAnswer } from "./asking.js";
import { bytes, moment, number } from "./format.js";
import { Problem } from "./problem.js";
import { Facts, Table } from "./table.js";

/** @param {{tell: (text: string) => void}} properties */
export function Storage({ tell }) {
  const { told, problem, busy, again, set } = useAnswer("/api/owner/storage");
  const [isAsked, setAsked] = useState(false);
  const [isSweeping, setSweeping] = useState(false);
  const [fault, setFault] = useState(/** @type {import("./problem.js").Fault | null} */ (null));
  const sweep = async () => {
    setAsked(false);
    setSweeping(true);
    try {
      set(await send("/api/owner/sweep", "POST"));
      setFault(null);
      tell(word("owner-swept"));
    } catch (error) {
      setFault(explain(error));
    }
    setSweeping(false);
  };
  const due = told?.tables.reduce((sum, each) => sum + each.due, 0);
  const count = (value) => (value >= told.most ? word("owner-at-least", { count: number(value) }) : number(value));
  return html`
    <p class="owner-row"><button type="button" class="quiet outlined" disabled=${busy} onclick=${again}>${word("owner-refresh")}</button></p>
    <${Problem} problem=${problem ?? fault} />
    ${!told && busy && html`<p class="muted" role="status">${word("loading")}</p>`}
    ${told && html`
      <${Facts} facts=${[
        [word("owner-database"), bytes(told.database)],
        [word("owner-files"), `${told.files_are_more ? word("owner-at-least", { count: number(told.files) }) : number(told.files)} · ${bytes(told.file_bytes)}`],
        [word("owner-free"), Object.entries(told.free).map(([name, free]) => `${name}: ${bytes(free)}`).join(" · ")],
        [word("owner-retention"), word("owner-days", { count: told.retention_days })],
        [word("owner-cutoff"), moment(told.cutoff)],
        [word("owner-prompts"), word(told.keeps_prompts ? "owner-kept" : "owner-not-kept")],
        [word("owner-swept-at"), told.swept_at ? moment(told.swept_at) : ""],
      ]} />
      <${Table} label=${word("owner-tab-storage")} columns=${[word("owner-table"), word("owner-rows"), word("owner-oldest"), word("owner-due"), word("owner-due-soon")]}
        rows=${told.tables.map((each) => ({ key: each.name, cells: [word(`owner-rows-${each.name}`), count(each.rows), moment(each.oldest), count(each.due), count(each.due_soon)] }))} />
      <h2>${word("owner-sweep-title")}</h2>
      <p class="muted">${word("owner-sweep-does")}</p>
      ${isAsked
        ? html`<p role="status">${word("owner-sweep-sure", { count: due })}</p><p class="owner-row"><button type="button" class="primary" onclick=${sweep}>${word("owner-sweep-yes")}</button><button type="button" class="quiet" onclick=${() => setAsked(false)}>${word("owner-cancel")}</button></p>`
        : html`<p><button type="button" class="quiet outlined" disabled=${isSweeping} onclick=${() => setAsked(true)}>${word(isSweeping ? "owner-sweeping" : "owner-sweep")}</button></p>`}
    `}
  `;
}
