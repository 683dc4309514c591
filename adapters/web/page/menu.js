// A button with a menu that opens beside it.

import { Icon } from "./icons.js";
import { html, useMemo, useRef } from "./view.js";

const EDGE = 8;
let count = 0;

/** @param {{label: string, icon: string, children?: any, class?: string}} properties */
export function Menu({ label, icon, children, class: kind = "quiet small" }) {
  const id = useMemo(() => `menu-${(count += 1)}`, []);
  const button = useRef();
  const list = useRef();
  // Under its button where there is room, else over it; never out of the window.
  const place = (event) => {
    if (event.newState !== "open") return;
    const at = button.current.getBoundingClientRect();
    const { width, height } = list.current.getBoundingClientRect();
    const below = at.bottom + height + EDGE < innerHeight;
    list.current.style.top = `${below ? at.bottom + 4 : Math.max(EDGE, at.top - height - 4)}px`;
    list.current.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE))}px`;
    list.current.querySelector("button, a, select, input")?.focus({ preventScroll: true });
  };
  const close = (event) => event.target.closest("button, a") && list.current?.hidePopover();
  return html`
    <button type="button" class=${kind} ref=${button} popovertarget=${id} aria-haspopup="true" aria-label=${label} title=${label}><${Icon} name=${icon} /></button>
    <div popover="auto" id=${id} class="menu" ref=${list} aria-label=${label} ontoggle=${place} onclick=${close}>${children}</div>
  `;
}

/** A line of a menu.
 * @param {{icon: string, text: string, href?: string, [more: string]: any}} properties and those of its button, or of its link if it has `href` */
export function Item({ icon, text, ...more }) {
  const inside = html`<${Icon} name=${icon} /><span>${text}</span>`;
  return more.href ? html`<a class="item" ...${more}>${inside}</a>` : html`<button type="button" class="item" ...${more}>${inside}</button>`;
}
