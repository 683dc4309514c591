// Tables in an answer: wide ones are scrolled, and each can be copied.

import { Icon } from "../icons.js";
import { writeCsv } from "../media/csv_writing.js";
import { copyText } from "../media/reading.js";
import { html, render } from "../view.js";
import { word } from "../words.js";

/** Give each table in an element a frame that scrolls, and a button that copies it. Tables that have one keep it.
 * @param {Element} element */
export function dressTables(element) {
  for (const table of element.querySelectorAll("table")) {
    if (table.parentElement?.classList.contains("table-frame")) continue;
    const frame = document.createElement("div");
    const place = document.createElement("div");
    frame.className = "table-frame";
    frame.tabIndex = 0; // what is wider than the page is scrolled by keys
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", word("table"));
    place.className = "table-tool";
    table.replaceWith(frame);
    frame.append(table);
    frame.after(place);
    show(place, table, false);
  }
}

/** @param {Element} place @param {HTMLTableElement} table @param {boolean} isCopied */
function show(place, table, isCopied) {
  const press = async () => {
    const rows = [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText));
    await copyText(writeCsv(rows));
    show(place, table, true);
    setTimeout(() => show(place, table, false), 2000);
  };
  const label = word(isCopied ? "copied" : "copy-csv");
  render(html`<button type="button" class=${isCopied ? "quiet small pressed" : "quiet small"} onClick=${press}><${Icon} name=${isCopied ? "done" : "copy"} /><span>${label}</span></button>`, place);
}
