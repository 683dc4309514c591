// The keys of the page, for people.

import { Dialog } from "./dialog.js";
import { IS_MAC, SHORTCUTS, chooseSingleKeys, singleKeys } from "./shortcuts.js";
import { html, useState } from "./view.js";
import { word } from "./words.js";

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
