// A table that becomes a list of cards where it is narrow. Roles are given, as styles take those of tables away.

import { html } from "../view.js";

/** `columns`: the name of each column; `rows`: cells by column, with a key.
 * @param {{label: string, columns: any[], rows: {key: string, cells: any[], class?: string}[]}} properties */
export function Table({ label, columns, rows }) {
  return html`<div class="owner-scroll" tabindex="0" role="group" aria-label=${label}>
    <table role="table" aria-label=${label} class="owner-table">
      <thead role="rowgroup"><tr role="row">${columns.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
      <tbody role="rowgroup">
        ${rows.map((row) => html`<tr role="row" key=${row.key} class=${row.class ?? ""}>
          ${row.cells.map((cell, index) => html`<td role="cell" data-name=${typeof columns[index] === "string" ? columns[index] : ""}><div dir="auto">${cell}</div></td>`)}
        </tr>`)}
      </tbody>
    </table>
  </div>`;
}

/** @param {{facts: [string, any][]}} properties */
export function Facts({ facts }) {
  return html`<dl class="owner-facts">${facts.filter(([, fact]) => fact !== "" && fact !== null && fact !== undefined).map(([name, fact]) => html`<div key=${name}><dt>${name}</dt><dd dir="auto">${fact}</dd></div>`)}</dl>`;
}
