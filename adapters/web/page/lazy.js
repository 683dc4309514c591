// Parts of the page that are loaded when somebody goes there.

import { html, useEffect, useState } from "./view.js";
import { word } from "./words.js";

/** By the beginning of their route: the module, its view, and the word that names it.
 * @type {Record<string, [string, string, string]>} */
const PARTS = {
  setup: ["./setup/setup.js", "Setup", "do-more"],
  owner: ["./owner/owner.js", "Owner", "owner"],
};

/** The part of a route such as "/owner/runs".
 * @param {{route: string, tell: (text: string) => void}} properties */
export function Part({ route, tell }) {
  const [, name] = route.split("/");
  const [View, setView] = useState(/** @type {any} */ (null));
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    setView(null);
    setMissing(false);
    load(name).then((view) => setView(() => view), () => setMissing(true));
  }, [name]);
  if (isMissing) return html`<p class="problem" role="alert">${word("no-part")}</p>`;
  return View ? html`<${View} route=${route} tell=${tell} />` : html`<p class="muted" role="status">${word("loading")}</p>`;
}

/** The name of the part of a route, if there is one.
 * @param {string} route */
export function titleOfPart(route) {
  const [, name] = route.split("/");
  return PARTS[name] && word(PARTS[name][2]);
}

/** @param {string} name */
async function load(name) {
  const [path, view] = PARTS[name];
  return (await import(path))[view];
}
