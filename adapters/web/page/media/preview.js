// What is in a file: a table that sorts and pages, or the beginning of a text.

import { Icon } from "../icons.js";
import { html, useMemo, useState } from "../view.js";
import { language, word } from "../words.js";
import { readColumn, readCsv, readJsonRows } from "./csv.js";
import { writeCsv } from "./csv_writing.js";
import { ending, kindOf } from "./kinds.js";
import { copyText, readStart } from "./reading.js";

const MOST_BYTES = 4_000_000; // of a table
const MOST_ROWS = 5_000;
const MOST_COLUMNS = 100;
const ROWS = 10; // of a page
const TEXT_BYTES = 40_000;

/** A view of what is in a file. Raises an error if it cannot be read.
 * @param {import("./kinds.js").PageFile} file */
export async function readPreview(file) {
  if (kindOf(file) === "table") return tableOf(file);
  if (ending(file.name) === "json" || file.media_type.startsWith("application/json")) {
    const { text, whole } = await readStart(file.url, MOST_BYTES);
    const found = whole ? readJsonRows(text, MOST_ROWS + 1) : null;
    return found ? () => html`<${Table} name=${file.name} ...${found} />` : textView(text, whole);
  }
  const { text, whole } = await readStart(file.url, TEXT_BYTES);
  return textView(text, whole);
}

async function tableOf(file) {
  const { text, whole } = await readStart(file.url, MOST_BYTES);
  const isTabbed = ["tsv", "tab"].includes(ending(file.name)) || file.media_type.startsWith("text/tab");
  const found = readCsv(text, { most: MOST_ROWS + 1, whole, delimiter: isTabbed ? "\t" : "" });
  return found.rows.length ? () => html`<${Table} name=${file.name} ...${found} />` : textView(text, whole);
}

/** A table whose first row names the columns.
 * @param {{name: string, rows: string[][], more: boolean}} properties */
export function Table({ name, rows, more }) {
  const [sorting, sort] = useState({ column: -1, down: false });
  const [page, turn] = useState(0);
  const [copied, tell] = useState("");
  const width = Math.min(MOST_COLUMNS, rows.reduce((most, row) => Math.max(most, row.length), 0));
  const body = useMemo(() => rows.slice(1), [rows]);
  const columns = useMemo(() => Array.from({ length: width }, (_, index) => readColumn(body.map((row) => row[index] ?? ""), language)), [body]);
  const sorted = useMemo(() => sortRows(body, columns, sorting), [body, sorting]);
  const pages = Math.max(1, Math.ceil(sorted.length / ROWS));
  const shown = sorted.slice(page * ROWS, (page + 1) * ROWS);
  const press = (column) => {
    sort((before) => (before.column !== column ? { column, down: false } : before.down ? { column: -1, down: false } : { column, down: true }));
    turn(0);
  };
  const copy = async () => {
    await copyText(writeCsv([rows[0], ...sorted]));
    tell(word("copied"));
    setTimeout(() => tell(""), 2000);
  };
  const number = (value) => value.toLocaleString(language);
  const span = word("table-rows", { from: number(Math.min(sorted.length, page * ROWS + 1)), to: number(page * ROWS + shown.length), count: number(sorted.length) });
  return html`
    <div class="table-scroll" role="region" tabindex="0" aria-label=${word("table-of", { name })}>
      <table>
        <thead><tr>${columns.map((column, index) => html`
          <th scope="col" key=${index} class=${column.kind} aria-sort=${sorting.column === index ? (sorting.down ? "descending" : "ascending") : "none"}>
            <button type="button" onClick=${() => press(index)} title=${word("sort-by", { name: rows[0][index] ?? "" })}>
              <span dir="auto">${rows[0][index] || "–"}</span><span class="order" aria-hidden="true">${sorting.column === index ? (sorting.down ? "▼" : "▲") : ""}</span>
            </button>
          </th>`)}</tr></thead>
        <tbody>${shown.map((row, place) => html`
          <tr key=${place}>${columns.map((column, index) => html`<td key=${index} class=${column.kind} ><span class="cell" dir="auto">${row[index] ?? ""}</span></td>`)}</tr>`)}</tbody>
      </table>
    </div>
    <div class="table-tools">
      <span class="muted" role="status">${copied || span}</span>
      ${pages > 1 && html`
        <button type="button" class="quiet small" onClick=${() => turn(page - 1)} disabled=${page === 0} aria-label=${word("previous-page")} title=${word("previous-page")}><${Icon} name="left" /></button>
        <button type="button" class="quiet small" onClick=${() => turn(page + 1)} disabled=${page >= pages - 1} aria-label=${word("next-page")} title=${word("next-page")}><${Icon} name="right" /></button>`}
      <button type="button" class="quiet small" onClick=${copy}><${Icon} name="copy" /><span>${word("copy-csv")}</span></button>
    </div>
    ${more && html`<p class="muted">${word("table-more", { count: number(body.length) })}</p>`}
    ${rows.some((row) => row.length > MOST_COLUMNS) && html`<p class="muted">${word("table-wide", { count: number(MOST_COLUMNS) })}</p>`}
  `;
}

// Empty cells stand last, whichever way the others go.
function sortRows(body, columns, { column, down }) {
  if (column < 0) return body;
  const { compare } = columns[column];
  return [...body].sort((one, other) => {
    const [a, b] = [one[column]?.trim() ?? "", other[column]?.trim() ?? ""];
    if (!a || !b) return Number(!a) - Number(!b);
    return down ? compare(b, a) : compare(a, b);
  });
}

function textView(text, whole) {
  const start = text.slice(0, TEXT_BYTES);
  return () => html`
    <pre class="text-preview" tabindex="0" dir="auto">${start}</pre>
    ${(!whole || start.length < text.length) && html`<p class="muted">${word("text-more")}</p>`}
  `;
}
