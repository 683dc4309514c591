// What every view of the page is made with: Preact, its templates, and models that tell when they change.

import { useEffect, useReducer } from "./vendor/preact.js";

export * from "./vendor/preact.js";

// State outside of views. It says by `changed` that views have to be drawn anew.
export class Model extends EventTarget {
  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

// Draw a view anew whenever a model changes. Changes within one frame are drawn once.
export function useChanges(model) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    draw(); // it may have changed since it was drawn
    model.addEventListener("change", draw);
    return () => model.removeEventListener("change", draw);
  }, [model]);
  return model;
}
