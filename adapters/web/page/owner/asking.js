// Asks the server for what a part shows, and tells when it refuses.

import { useCallback, useEffect, useState } from "../view.js";
import { Refused, get } from "../wire.js";
import { word } from "../words.js";

/** What a path gives, the problem if it gives nothing, and a function that asks again.
 * @param {string} path "" asks nothing
 * @returns {{told: any, problem: import("./problem.js").Fault | null, busy: boolean, again: () => void, set: (told: any) => void}} */
export function useAnswer(path) {
  const [told, set] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {import("./problem.js").Fault | null} */ (null));
  const [busy, setBusy] = useState(Boolean(path));
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!path) return;
    const left = new AbortController();
    setBusy(true);
    get(path, { signal: left.signal }).then(
      (answer) => {
        set(answer);
        setProblem(null);
        setBusy(false);
      },
      (error) => {
        if (left.signal.aborted) return;
        setProblem(explain(error));
        setBusy(false);
      },
    );
    return () => left.abort();
  }, [path, count]);
  const again = useCallback(() => setCount((before) => before + 1), []);
  return { told, problem, busy, again, set };
}

/** @param {unknown} error @returns {import("./problem.js").Fault} */
export function explain(error) {
  return error instanceof Refused ? { text: error.message, status: error.status } : { text: word("unreachable"), status: 0 };
}
