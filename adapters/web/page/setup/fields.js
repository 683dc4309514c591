// What is entered, and the button that checks it.

import { html, useState } from "../view.js";
import { word } from "../words.js";

/** @param {{label: string, value: string, onvalue: (value: string) => void, type?: string, placeholder?: string}} properties */
export function Field({ label, value, onvalue, type = "text", placeholder = "" }) {
  return html`<label class="field">${label}
    <input type=${type} value=${value} placeholder=${placeholder} autocomplete="off" spellcheck=${false} dir="ltr" oninput=${(event) => onvalue(event.target.value)} />
  </label>`;
}

/** What nobody else should read on the screen.
 * @param {{label: string, value: string, onvalue: (value: string) => void, placeholder?: string}} properties */
export function Secret({ label, value, onvalue, placeholder }) {
  const [isShown, setShown] = useState(false);
  return html`<div class="setup-secret">
    <${Field} label=${label} type=${isShown ? "text" : "password"} value=${value} onvalue=${onvalue} placeholder=${placeholder} />
    <button type="button" class="quiet small" aria-pressed=${String(isShown)} onclick=${() => setShown(!isShown)}>${word("setup-show")}</button>
  </div>`;
}

/** @param {{room: import("./room.js").Room, text: string}} properties */
export function Check({ room, text }) {
  return html`<div><button type="submit" class="primary" disabled=${room.isBusy}>${text}</button></div>`;
}
