// The view of a run that makes its elements by hand, as a model and a view of Preact.

import { RunView as View } from "./run.js";
import { Model, html, useLayoutEffect, useRef } from "./view.js";

export class Run extends Model {
  /** @param {string} id "" until the server has given one */
  constructor(id) {
    super();
    this.id = id;
    this.begun = false;
    this.onrun = (/** @type {string} */ _id) => {};
    this.tell = (/** @type {string} */ _text) => {};
    this.view = new View({ onretry: (id) => this.onrun(id), tell: (text) => this.tell(text) });
    this.view.run = id;
  }

  get live() {
    return this.view.live;
  }

  /** @param {string} name @param {any} data @param {{replayed?: boolean}} [how] */
  apply(name, data, how) {
    if (name === "accepted") this.id = data.run;
    else this.begun = true;
    this.view.apply(name, data, how);
    this.changed();
  }
}

export function RunView({ run, onrun, tell }) {
  const place = useRef();
  Object.assign(run, { onrun, tell });
  useLayoutEffect(() => place.current.replaceChildren(run.view.element), [run]);
  return html`<div ref=${place}></div>`;
}
