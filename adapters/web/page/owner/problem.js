// Why a part cannot be shown; who is not the owner is shown where to sign in.

import { html } from "../view.js";
import { word } from "../words.js";

const FORBIDDEN = 403;

/** `status` is 0 where the server was not reached.
 * @typedef {{text: string, status: number}} Fault */

/** @param {{problem: Fault | null}} properties */
export function Problem({ problem }) {
  if (!problem) return null;
  return html`<p class="problem" role="alert">${problem.text}${problem.status === FORBIDDEN && html` <a href="/login">${word("owner-sign-in")}</a>`}</p>`;
}
