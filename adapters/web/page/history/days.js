// Conversations grouped by when something was last said in them.

import { language, word } from "../words.js";

const DAY = 86_400_000;
const month = new Intl.DateTimeFormat(language, { month: "long", year: "numeric" });

/** @param {import("./history.js").Listed[]} threads in their order
 * @returns {{name: string, threads: import("./history.js").Listed[]}[]} */
export function grouped(threads) {
  const groups = new Map();
  for (const each of threads) {
    const name = each.pinned ? word("pinned") : day(each.at);
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [...groups].map(([name, those]) => ({ name, threads: those }));
}

/** @param {string} at */
function day(at) {
  const today = new Date().setHours(0, 0, 0, 0);
  const time = Date.parse(at);
  if (time >= today) return word("today");
  if (time >= today - DAY) return word("yesterday");
  if (time >= today - 6 * DAY) return word("this-week");
  return month.format(time);
}
