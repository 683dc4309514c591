// What a file is to people, by its media type and, where that says little, by its name.

const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif"]);
/** By the end of a name. @type {Record<string, string>} */
const BY_ENDING = {
  csv: "table", tsv: "table", tab: "table",
  txt: "text", md: "text", markdown: "text", log: "text", srt: "text", vtt: "text", json: "text", yaml: "text", yml: "text",
  xml: "text", toml: "text", ini: "text", sql: "text", py: "text", js: "text", css: "text", sh: "text", tex: "text",
  pdf: "pdf",
};
/** @type {Record<string, string>} */
const BY_TYPE = { "text/csv": "table", "text/tab-separated-values": "table", "application/json": "text", "application/pdf": "pdf" };

/** A file as the server tells of it, or one that waits to be sent.
 * @typedef {{name: string, media_type: string, url: string, alt?: string, size?: number, model?: string}} PageFile */

/** @param {string} type */
export function isPicture(type) {
  return PICTURES.has(type);
}

/** "picture", "sound", "film", "table", "text", "pdf", or "file" for what can only be saved.
 * @param {{name: string, media_type: string}} file */
export function kindOf({ name, media_type }) {
  const type = media_type.split(";")[0];
  if (isPicture(type)) return "picture";
  if (type.startsWith("audio/")) return "sound";
  if (type.startsWith("video/")) return "film";
  const byName = BY_ENDING[ending(name)];
  return BY_TYPE[type] ?? byName ?? (type.startsWith("text/") && type !== "text/html" ? "text" : "file");
}

/** The end of a name, without its dot, in small letters. @param {string} name */
export function ending(name) {
  return /\.([^.]{1,10})$/.exec(name)?.[1].toLowerCase() ?? "";
}

/** A size in words. @param {number | undefined} bytes */
export function size(bytes) {
  if (bytes === undefined || !(bytes >= 0)) return "";
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
