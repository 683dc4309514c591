// Times, costs and places of runs in words.

import { language, word } from "../words.js";

/** @param {number | null} value seconds */
export function duration(value) {
  if (value === null) return "";
  if (value >= 59.5) return word("took-minutes", { minutes: Math.floor(Math.round(value) / 60), seconds: Math.round(value) % 60 });
  return word("took", { seconds: value < 1 ? value.toFixed(2) : value < 10 && !Number.isInteger(value) ? value.toFixed(1) : Math.round(value) });
}

/** @param {number | null} value US dollars */
export function dollars(value) {
  if (!value) return "";
  const digits = value < 0.01 ? { maximumSignificantDigits: 2 } : {};
  return new Intl.NumberFormat(language, { style: "currency", currency: "USD", ...digits }).format(value);
}

/** Where a step is done, and by whom. @param {{where: string, provider: string}} step */
export function place({ where, provider }) {
  const key = `place-${where}`;
  const name = word(key) === key ? where : word(key); // a place without words of its own
  return provider ? `${name} (${provider})` : name;
}

/** @param {number} count */
export function counted(count) {
  return word("steps", { count });
}
