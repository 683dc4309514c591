// Moments, sizes and numbers, for tables.

import { duration } from "../run/format.js";
import { language, word } from "../words.js";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
const HOUR = 3600;

/** @param {string | null | undefined} iso */
export function moment(iso) {
  return iso ? new Date(iso).toLocaleString(language, { dateStyle: "medium", timeStyle: "medium" }) : "–";
}

/** @param {number} bytes */
export function bytes(bytes) {
  const power = bytes > 0 ? Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1000))) : 0;
  return new Intl.NumberFormat(language, { style: "unit", unit: UNITS[power], unitDisplay: "short", maximumSignificantDigits: 3 }).format(bytes / 1000 ** power);
}

/** @param {number | null} seconds */
export function lasting(seconds) {
  if (seconds === null || seconds < HOUR) return duration(seconds);
  const [hours, days] = [Math.floor(seconds / HOUR), Math.floor(seconds / HOUR / 24)];
  return days > 1 ? `${days} d` : `${hours} h ${Math.floor((seconds % HOUR) / 60)} min`;
}

/** How a run ended: answered, but perhaps not with all of it. @param {{state: string, failed_steps: number}} run */
export function ending({ state, failed_steps }) {
  const words = word(`owner-state-${state}`);
  return failed_steps ? word("owner-state-partly", { state: words, count: failed_steps }) : words;
}

/** Where a run was asked for: on the page, each conversation is a channel, whose id says nothing.
 * @param {{channel: string, thread: string}} run */
export function where({ channel, thread }) {
  if (channel.startsWith("web:")) return word("owner-web-page");
  const root = thread.slice(channel.length + 1);
  return channel.endsWith(`:${root}`) ? channel : thread;
}

/** @param {number} value */
export function number(value) {
  return new Intl.NumberFormat(language).format(value);
}
