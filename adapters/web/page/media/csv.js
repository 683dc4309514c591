// Tables as text: read and sorted.

const DELIMITERS = [",", ";", "\t", "|"];
const LOOKED_AT = 10; // lines by which the delimiter is found
const MOST_NAMES = 500; // of rows in JSON: each row gets a cell for each
const MOST_OF_NUMBER = 60; // characters of a number or a date
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?.*)?$/;
const WRITTEN_DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

/** Rows of cells. Stops after `most` rows; the last row is left out if the text breaks off in it.
 * @param {string} text
 * @param {{most: number, whole?: boolean, delimiter?: string}} about
 * @returns {{rows: string[][], more: boolean}} */
export function readCsv(text, { most, whole = true, delimiter = "" }) {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  const by = delimiter || findDelimiter(source);
  const rows = [];
  let row = [];
  let at = 0;
  while (at < source.length && rows.length < most) {
    const [cell, next] = readCell(source, at, by);
    row.push(cell);
    at = next;
    if (source[at] === by) {
      at += 1;
      if (at < source.length) continue;
      row.push("");
    }
    if (at >= source.length && !whole) break;
    if (source[at] === "\r") at += 1;
    if (source[at] === "\n") at += 1;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  return { rows, more: !whole || at < source.length };
}

// A cell that begins at a place, and the place after it.
function readCell(source, at, delimiter) {
  let cell = "";
  if (source[at] === '"') {
    at += 1;
    for (;;) {
      const end = source.indexOf('"', at);
      if (end < 0) return [cell + source.slice(at), source.length];
      cell += source.slice(at, end);
      at = end + 1;
      if (source[at] !== '"') break;
      cell += '"';
      at += 1;
    }
  }
  let end = at;
  while (end < source.length && source[end] !== delimiter && source[end] !== "\n" && source[end] !== "\r") end += 1;
  return [cell + source.slice(at, end), end];
}

// What parts most lines into equally many cells.
function findDelimiter(source) {
  const lines = source.slice(0, 20_000).split(/\r?\n/, LOOKED_AT).filter(Boolean);
  const score = (delimiter) => {
    const counts = lines.map((line) => line.replaceAll(/"[^"]*"/g, "").split(delimiter).length - 1);
    const usual = counts[0] ?? 0;
    return usual && counts.filter((count) => count === usual).length * 100 + usual;
  };
  return DELIMITERS.reduce((best, each) => (score(each) > score(best) ? each : best));
}

/** Rows of a JSON array of plain objects, with their names first; null for any other JSON, and for too many names.
 * @param {string} text
 * @param {number} most
 * @returns {{rows: string[][], more: boolean} | null} */
export function readJsonRows(text, most) {
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(told) || !told.length) return null;
  const isRow = (each) => each && typeof each === "object" && !Array.isArray(each) && Object.values(each).every((cell) => cell === null || typeof cell !== "object");
  if (!told.every(isRow)) return null;
  const shown = told.slice(0, most - 1);
  const names = [...new Set(shown.flatMap((each) => Object.keys(each)))];
  if (names.length > MOST_NAMES) return null;
  const cell = (each, name) => String((Object.hasOwn(each, name) ? each[name] : null) ?? "");
  return { rows: [names, ...shown.map((each) => names.map((name) => cell(each, name)))], more: shown.length < told.length };
}

/** What the cells of a column are, and what to sort them by.
 * @param {string[]} cells
 * @param {string} language
 * @returns {{kind: "number" | "date" | "text", compare: (one: string, other: string) => number}} */
export function readColumn(cells, language) {
  const filled = cells.map((cell) => cell.trim()).filter(Boolean);
  for (const [kind, read] of /** @type {["number" | "date", (cell: string) => number][]} */ (readers(filled))) {
    if (filled.length && filled.every((cell) => cell.length <= MOST_OF_NUMBER && !Number.isNaN(read(cell)))) {
      return { kind, compare: (one, other) => read(one.trim()) - read(other.trim()) };
    }
  }
  const collator = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
  return { kind: "text", compare: (one, other) => collator.compare(one, other) };
}

function readers(filled) {
  const dayFirst = filled.some((cell) => Number(WRITTEN_DATE.exec(cell)?.[1]) > 12) || !filled.some((cell) => cell.includes("/"));
  return [
    ["number", (cell) => readNumber(cell, ",", ".")],
    ["number", (cell) => readNumber(cell, ".", ",")],
    ["date", (cell) => readDate(cell, dayFirst)],
  ];
}

// A number with its groups and its decimal point, with a currency or a unit of percent.
function readNumber(cell, group, point) {
  const bare = cell.replace(/^([-+\u2212]?)\s*[$€£¥]\s*/, "$1").replace(/\s*[%$€£¥]$/, "").replace("\u2212", "-").replaceAll(/[\u00a0\u202f'’ ]/g, "");
  const [whole, part, ...rest] = bare.split(point);
  if (rest.length) return NaN;
  const groups = whole.replace(/^[-+]/, "").split(group);
  const isGrouped = groups.length === 1 || (groups[0].length > 0 && groups[0].length <= 3 && groups.slice(1).every((each) => each.length === 3));
  if (!isGrouped || (part !== undefined && !/^\d*(?:[eE][-+]?\d+)?$/.test(part))) return NaN;
  const plain = whole.replaceAll(group, "") + (part ? `.${part}` : "");
  return /\d/.test(plain) ? Number(plain) : NaN;
}

function readDate(cell, dayFirst) {
  const iso = DATE.exec(cell);
  if (iso) return utc(iso.slice(1));
  const written = WRITTEN_DATE.exec(cell);
  if (!written) return NaN;
  const [, one, , other, year] = written;
  return utc(dayFirst ? [year, other, one] : [year, one, other]);
}

/** @param {string[]} parts */
function utc([year, month, day, hour = "0", minute = "0", second = "0"]) {
  if (Number(month) > 12 || Number(day) > 31) return NaN;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0));
}
