// Figures in the words of an answer: each leads to the step in whose result it stands.

import { word } from "../words.js";

/** @typedef {import("./run.js").Run} Run */

const MOST = 20; // each is a stop for the Tab key
const FIGURE = /\p{N}(?:[\p{N}.,:'\u00a0\u202f]*\p{N})+/gu;
const GOES_ON = /^(?:[\p{L}\p{N}]|[.,]\p{N})/u;
const BEGAN = /(?:[\p{L}\p{N}]|\p{N}[.,])$/u;

/** Make buttons of the figures of two digits or more that stand in a step's result, the latest step first.
 * @param {Element} element @param {Run} run @param {(step: number) => void} show */
export function dressFigures(element, run, show) {
  const steps = run.plan.filter(({ state, result }) => state === "done" && result.output).reverse();
  if (!steps.length || element.querySelector(".figure-of")) return;
  let left = MOST;
  for (const text of texts(element)) {
    for (const { 0: figure, index } of [...text.data.matchAll(FIGURE)].reverse()) {
      const step = steps.find(({ result }) => stands(figure, result.output));
      if (!step || left === 0) continue;
      left -= 1;
      const rest = text.splitText(index);
      rest.splitText(figure.length);
      const button = document.createElement("button");
      const label = word("step", { number: step.number, says: step.says });
      Object.assign(button, { type: "button", className: "figure-of", title: label, onclick: () => show(step.id) });
      rest.replaceWith(button);
      button.append(rest);
    }
  }
}

// The texts of an element that are words, and nothing to press or to copy.
function texts(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const found = [];
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("a, button, code, pre")) found.push(/** @type {Text} */ (walker.currentNode));
  }
  return found;
}

// Whether a figure stands in a text by itself: not as a part of a longer one.
function stands(figure, text) {
  for (let at = text.indexOf(figure); at >= 0; at = text.indexOf(figure, at + 1)) {
    const end = at + figure.length;
    if (!BEGAN.test(text.slice(Math.max(0, at - 2), at)) && !GOES_ON.test(text.slice(end, end + 2))) return true;
  }
  return false;
}
