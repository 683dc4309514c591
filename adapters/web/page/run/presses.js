// Buttons of a run that ask the server, and what it says when it refuses.

import { html, useState } from "../view.js";
import { Refused, press } from "../wire.js";
import { word } from "../words.js";

/** Press buttons of a run: `ask` does, and calls `then` with the reply; `problem` says what went wrong.
 * @param {string} run */
export function usePress(run) {
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  /** @param {string} action @param {(reply: any) => void} then @param {string} [value] */
  const ask = async (action, then, value = "") => {
    setProblem("");
    setBusy(true);
    try {
      then(await press(run, action, value));
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : word("unreachable"));
    }
    setBusy(false);
  };
  return { ask, problem, busy };
}

/** @param {{text: string}} properties */
export function Problem({ text }) {
  return text ? html`<span class="problem" role="alert">${text}</span>` : null;
}
