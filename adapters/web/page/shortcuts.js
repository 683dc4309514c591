// The keys of the page: one table, which handles them and is shown in shortcut_list.js.

const KEY = "troupe-single-keys";
export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

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

/** @param {boolean} on */
export function chooseSingleKeys(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // private windows may refuse
  }
}
