// What the server takes, so that people are told before they wait for an upload.

import { size } from "../media/kinds.js";
import { word } from "../words.js";

/** @type {Promise<{files: number, file: number, message: number} | null> | undefined} */
let asked;

function limits() {
  asked ??= fetch("/api/limits").then((response) => (response.ok ? response.json() : null), () => null).then((told) => {
    if (!told) asked = undefined; // ask again next time
    return told;
  });
  return asked;
}

/** Those of the files that can be sent along with others, and a sentence about the rest.
 * @param {File[]} files @param {File[]} others
 * @returns {Promise<{taken: File[], problem: string}>} */
export async function sift(files, others) {
  const most = await limits();
  const taken = [];
  const problems = new Set();
  let room = most ? most.message - others.reduce((sum, each) => sum + each.size, 0) : Infinity;
  for (const file of files) {
    if (!file.size) problems.add(word("file-empty", { name: file.name }));
    else if (most && file.size > most.file) problems.add(word("file-large", { name: file.name, limit: size(most.file) }));
    else if (most && others.length + taken.length >= most.files) problems.add(word("files-many", { count: most.files }));
    else if (file.size > room) problems.add(word("files-large", { limit: size(most.message) }));
    else {
      taken.push(file);
      room -= file.size;
    }
  }
  return { taken, problem: [...problems].join(" ") };
}
