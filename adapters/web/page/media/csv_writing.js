// Tables as text, for other programs.

/** @param {string[][]} rows */
export function writeCsv(rows) {
  return rows.map((row) => row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")).join("\r\n");
}
