// Parts of the page that are loaded when somebody wants them.

import { Dialog } from "./dialog.js";
import { html, useEffect, useRef, useState } from "./view.js";
import { word } from "./words.js";

/** By the beginning of their route: the module, its view, and the word that names it.
 * @type {Record<string, [string, string, string]>} */
const PARTS = {
  setup: ["setup/setup.js", "Setup", "do-more"],
  owner: ["owner/owner.js", "Owner", "owner"],
};

/** The part of a route such as "/owner/runs".
 * @param {{route: string, tell: (text: string) => void, back: string}} properties */
export function Part({ route, tell, back }) {
  const [, name] = route.split("/");
  if (!Object.hasOwn(PARTS, name)) return html`<p class="problem" role="alert">${word("no-part")}</p>`;
  const [from, view] = PARTS[name];
  return html`<${Later} key=${name} from=${from} view=${view} route=${route} tell=${tell} back=${back} />`;
}

/** The name of the part of a route, if there is one.
 * @param {string} route */
export function titleOfPart(route) {
  const [, name] = route.split("/");
  return Object.hasOwn(PARTS, name) && word(PARTS[name][2]);
}

/** A view of a module that is loaded now. With `onclose` it is a dialog, which can be closed if it does not load.
 * @param {{from: string, view: string, onclose?: () => void, [more: string]: any}} properties `more`: those of the view */
export function Later({ from, view, ...more }) {
  const [View, setView] = useState(/** @type {any} */ (null));
  const [isMissing, setMissing] = useState(false);
  const tries = useRef(0);
  const attempt = () => {
    setMissing(false);
    load(from, (tries.current += 1)).then((module) => setView(() => module[view]), () => setMissing(true));
  };
  useEffect(attempt, []);
  if (View) return html`<${View} ...${more} />`;
  const shown = isMissing
    ? html`<p class="problem" role="alert">${word("part-away")} <button type="button" class="quiet small" onclick=${attempt}>${word("mic-again")}</button></p>`
    : html`<p class="muted" role="status">${word("loading")}</p>`;
  return more.onclose && isMissing ? html`<${Dialog} title="Troupe" onclose=${more.onclose}>${shown}<//>` : shown;
}

/** A module of the page. A browser never asks again for an address that it could not load once, so each try has its own.
 * @param {string} from @param {number} tries from 1 on @returns {Promise<any>} */
export function load(from, tries) {
  return import(`./${from}${tries > 1 ? `?${tries}` : ""}`);
}
