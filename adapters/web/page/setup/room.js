// What can be set up, and what each step has led to. Values that were entered are not kept.

import { start } from "../start.js";
import { Model } from "../view.js";
import { Refused, get, send } from "../wire.js";
import { word } from "../words.js";

const LOOK_AGAIN = 300;
const TRIES = 200;

/** @typedef {{good: boolean, id: string, text: string, why: string, mend: string, note: boolean, advice: string}} Finding
 * @typedef {{good: boolean, findings: Finding[], written: string[], renews: boolean, problem: string}} Result */

export class Room extends Model {
  constructor() {
    super();
    /** What GET /api/setup tells.
     * @type {any} */
    this.status = null;
    this.problem = "";
    /** The step that is being checked, or "undo". */
    this.working = "";
    this.isRenewing = false;
    /** @type {Record<string, Result>} */
    this.results = {};
  }

  get isBusy() {
    return Boolean(this.working) || this.isRenewing;
  }

  async load() {
    try {
      this.status = await get("/api/setup", { cache: "no-store" });
      this.problem = "";
    } catch (error) {
      this.problem = explain(error);
    }
    this.changed();
  }

  /** Check what was entered and use it. Returns whether it is in use, or good so far.
   * @param {string} step @param {Record<string, string>} fields @param {string} [place] where it is told */
  async apply(step, fields, place = step) {
    return this.#work(place, () => send(`/api/setup/${step}`, "POST", { fields }));
  }

  async undo() {
    return this.#work("undo", () => send("/api/setup/undo", "POST", {}));
  }

  /** @param {string} place @param {() => Promise<Result>} ask */
  async #work(place, ask) {
    const generation = this.status?.generation;
    this.working = place;
    this.results = { [place]: undefined };
    this.changed();
    try {
      this.results[place] = await ask();
    } catch (error) {
      this.results[place] = { good: false, findings: [], written: [], renews: false, problem: explain(error) };
    }
    this.working = "";
    this.isRenewing = this.results[place].renews;
    this.changed();
    if (this.isRenewing) await this.#wait(generation);
    return this.results[place].good && !this.results[place].problem;
  }

  // Until the program has read its settings anew.
  async #wait(generation) {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      await new Promise((done) => setTimeout(done, LOOK_AGAIN));
      try {
        const status = await get("/api/setup", { cache: "no-store" });
        if (status.generation === generation) continue;
        this.status = status;
        start.load();
        break;
      } catch (error) {
        if (error instanceof Refused) break;
      }
    }
    this.isRenewing = false;
    this.changed();
  }
}

function explain(error) {
  return error instanceof Refused ? error.message : word("unreachable");
}
