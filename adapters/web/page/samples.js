// Things for a newcomer to send.

import { word } from "./words.js";

/** What can be tried where the server names nothing: it works without any key.
 * @returns {Example[]} */
export function builtIn() {
  return ["invoice", "sketch", "mood"].map((id) => ({ id, title: word(`try-${id}`), text: word(`try-${id}-text`), sample: { invoice: "invoice", sketch: "lake" }[id] ?? "" }));
}

/** @typedef {{id: string, title: string, text: string, sample: string}} Example `sample`: the file to draw, if there is one */

/** The file of a sample, which the page draws itself.
 * @param {string} sample @returns {Promise<File[]>} */
export async function fileOf(sample) {
  if (!sample) return [];
  const { draw } = await import("./sample_drawing.js");
  return draw(sample);
}
