// A time that goes on.

import { html, useEffect, useReducer } from "../view.js";
import { duration } from "./format.js";

const STEP = 1000; // milliseconds

/** @param {{read: () => number | null, live: boolean, name?: string}} properties `read`: seconds */
export function Clock({ read, live, name = "clock" }) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    if (!live) return undefined;
    const timer = setInterval(draw, STEP);
    return () => clearInterval(timer);
  }, [live]);
  const seconds = read();
  const shown = live && seconds !== null ? Math.floor(seconds) || null : seconds; // one that runs shows whole seconds
  return html`<span class=${name}>${duration(shown)}</span>`;
}
