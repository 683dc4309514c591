// The words of an answer: HTML of the server, with buttons that copy code and tables.

import { dressCode } from "../media/code.js";
import { html, useLayoutEffect, useRef } from "../view.js";
import { dressTables } from "./tables.js";

/** HTML that our server made of Markdown, with no HTML of the text's own. `whole`: nothing will be added to it; then `dress`
 * may add to its element.
 * @param {{text: string, whole?: boolean, name?: string, inside?: {current: any} | null, dress?: (element: Element) => void}} properties */
export function Words({ text, whole = true, name = "text", inside = null, dress }) {
  const own = useRef();
  const place = inside ?? own;
  useLayoutEffect(() => {
    if (!whole) return;
    dressCode(place.current);
    dressTables(place.current);
    dress?.(place.current);
  }, [text, whole]);
  return html`<div class=${name} ref=${place} dangerouslySetInnerHTML=${{ __html: text }}></div>`;
}
