// Moments, sizes and numbers, for tables.

import { duration } from "../run/format.js";
import { language } from "../words.js";

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

/** @param {number} value */
export function number(value) {
  return new Intl.NumberFormat(language).format(value);
}
