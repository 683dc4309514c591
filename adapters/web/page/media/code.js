// Blocks of code in an answer: each can be copied.

import { html, render } from "../view.js";
import { Icon } from "../icons.js";
import { word } from "../words.js";
import { copyText } from "./reading.js";

/** Give each block of code in an element a button that copies it. Blocks that have one keep it.
 * @param {Element} element */
export function dressCode(element) {
  for (const block of element.querySelectorAll("pre")) {
    if (block.parentElement?.classList.contains("code")) continue;
    const frame = document.createElement("div");
    const place = document.createElement("span");
    frame.className = "code";
    block.replaceWith(frame);
    block.tabIndex = 0; // what is wider than the page is scrolled by keys
    frame.append(block, place);
    show(place, block, false);
  }
}

function show(place, block, isCopied) {
  const label = word(isCopied ? "copied" : "copy-code");
  const press = async () => {
    await copyText(block.textContent ?? "");
    show(place, block, true);
    setTimeout(() => show(place, block, false), 2000);
  };
  render(html`<button type="button" class=${isCopied ? "quiet small pressed" : "quiet small"} aria-label=${label} title=${label} onClick=${press}><${Icon} name=${isCopied ? "done" : "copy"} /></button>`, place);
}
