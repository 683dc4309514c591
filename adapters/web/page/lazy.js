// Parts of the page that are loaded when somebody wants them.

import { Dialog } from "./dialog.js";
import { html, useEffect, useState } from "./view.js";
import { word } from "./words.js";

/** By the beginning of their route: the module, its view, and the word that names it.
 * @type {Record<string, [() => Promise<any>, string, string]>} */
const PARTS = {
  setup: [() => import("./setup/setup.js"), "Setup", "do-more"],
  owner: [() => import("./owner/owner.js"), "Owner", "owner"],
};

/** The part of a route such as "/owner/runs".
 * @param {{route: string, tell: (text: string) => void}} properties */
export function Part({ route, tell }) {
  const [, name] = route.split("/");
  if (!Object.hasOwn(PARTS, name)) return html`<p class="problem" role="alert">${word("no-part")}</p>`;
  const [load, view] = PARTS[name];
  return html`<${Later} key=${name} load=${load} view=${view} route=${route} tell=${tell} />`;
}

/** The name of the part of a route, if there is one.
 * @param {string} route */
export function titleOfPart(route) {
  const [, name] = route.split("/");
  return Object.hasOwn(PARTS, name) && word(PARTS[name][2]);
}

/** A view of a module that is loaded now. With `onclose` it is a dialog, which can be closed before it is there.
 * @param {{load: () => Promise<any>, view: string, onclose?: () => void, [more: string]: any}} properties `more`: those of the view */
export function Later({ load, view, ...more }) {
  const [View, setView] = useState(/** @type {any} */ (null));
  const [isMissing, setMissing] = useState(false);
  const attempt = () => {
    setMissing(false);
    load().then((module) => setView(() => module[view]), () => setMissing(true));
  };
  useEffect(attempt, []);
  if (View) return html`<${View} ...${more} />`;
  const shown = isMissing
    ? html`<p class="problem" role="alert">${word("part-away")} <button type="button" class="quiet small" onclick=${attempt}>${word("mic-again")}</button></p>`
    : html`<p class="muted" role="status">${word("loading")}</p>`;
  return more.onclose && isMissing ? html`<${Dialog} title="Troupe" onclose=${more.onclose}>${shown}<//>` : shown;
}
