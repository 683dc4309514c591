// The keys of the page: one table, which is shown and which handles them.

import { Dialog } from "./dialog.js";
import { html, useState } from "./view.js";
import { word } from "./words.js";

const KEY = "troupe-single-keys";
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** `keys` as they are shown; "Mod" is Ctrl or the Mac's command key. Without `does`: the message box handles it.
 * `isSingle`: one key alone, which can be turned off.
 * @typedef {{keys: string, says: string, does?: string, isSingle?: boolean, when?: (target: Element) => boolean}} Shortcut */

/** @type {Shortcut[]} */
export const SHORTCUTS = [
  { keys: "Enter", says: "key-send" },
  { keys: "Shift+Enter", says: "key-line" },
  { keys: "ArrowUp", says: "key-edit", does: "edit", when: isEmptyBox },
  { keys: "Escape", says: "key-stop", does: "stop" },
  { keys: "Shift+Escape", says: "key-box", does: "box" },
  { keys: "Mod+K", says: "key-search", does: "search" },
  { keys: "Mod+Shift+O", says: "key-fresh", does: "fresh" },
  { keys: "Mod+Shift+S", says: "key-fold", does: "fold" },
  { keys: "Mod+/", says: "key-list", does: "shortcuts" },
  { keys: "?", says: "key-list", does: "shortcuts", isSingle: true, when: (target) => !isWriting(target) },
];

/** Handle the keys of the table.
 * @param {Record<string, () => void>} actions by their names in the table */
export function listen(actions) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open], :popover-open")) return;
    const target = /** @type {Element} */ (event.target);
    const found = SHORTCUTS.find(({ keys, does, isSingle, when }) => does && matches(event, keys) && (!isSingle || singleKeys()) && (!when || when(target)));
    if (!found) return;
    if (found.does !== "stop") event.preventDefault();
    actions[found.does]();
  });
}

function matches(event, keys) {
  const [key, ...modifiers] = keys.split("+").reverse();
  const mod = IS_MAC ? event.metaKey : event.ctrlKey;
  const other = IS_MAC ? event.ctrlKey : event.metaKey;
  const isShifted = key === "?" || event.shiftKey === modifiers.includes("Shift");
  return event.key.toLowerCase() === key.toLowerCase() && mod === modifiers.includes("Mod") && !other && !event.altKey && isShifted;
}

function isWriting(target) {
  return target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
}

function isEmptyBox(target) {
  return target instanceof HTMLTextAreaElement && target.id === "text" && !target.value;
}

/** Whether keys without a modifier do something. */
export function singleKeys() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

function chooseSingleKeys(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // private windows may refuse
  }
}

const SHOWN = { Mod: IS_MAC ? "⌘" : "Ctrl", ArrowUp: "↑", Escape: "Esc" };

/** The table for people. */
export function Shortcuts({ onclose }) {
  const [single, setSingle] = useState(singleKeys());
  const choose = (event) => {
    chooseSingleKeys(event.target.checked);
    setSingle(event.target.checked);
  };
  return html`<${Dialog} title=${word("shortcuts")} onclose=${onclose}>
    <dl class="shortcuts">
      ${SHORTCUTS.map(({ keys, says }) => html`<div><dt>${word(says)}</dt><dd>${keys.split("+").map((key) => html`<kbd>${SHOWN[key] ?? key}</kbd>`)}</dd></div>`)}
    </dl>
    <label class="check"><input type="checkbox" checked=${single} onchange=${choose} />${word("single-keys")}</label>
  <//>`;
}
