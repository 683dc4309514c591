// A window over the page, which keeps the keyboard inside until it is closed.

import { Icon } from "./icons.js";
import { html, useLayoutEffect, useRef } from "./view.js";
import { word } from "./words.js";

/** @param {{title: string, onclose: () => void, children?: any}} properties */
export function Dialog({ title, onclose, children }) {
  const box = useRef();
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    return () => before instanceof HTMLElement && before.focus({ preventScroll: true });
  }, []);
  const outside = (event) => event.target === box.current && onclose();
  return html`<dialog class="dialog" aria-label=${title} ref=${box} onclose=${onclose} onclick=${outside}>
    <div class="dialog-inside">
      <header><h2>${title}</h2><button type="button" class="quiet small" aria-label=${word("close")} title=${word("close")} onclick=${onclose}><${Icon} name="close" /></button></header>
      ${children}
    </div>
  </dialog>`;
}
