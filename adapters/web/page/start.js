// What there is to begin with here, and what the person may do besides.

import { Model } from "./view.js";
import { get } from "./wire.js";

/** What GET /api/start tells. Until it is known, and where it can't be asked, there is nothing besides. */
class Start extends Model {
  /** @type {import("./samples.js").Example[] | null} null until they are known */
  examples = null;
  owner = false;
  do_more = false;
  signed_in = false;
  sharing = false;

  async load() {
    try {
      Object.assign(this, await get("/api/start", { cache: "no-store" }));
    } catch {
      this.examples ??= [];
    }
    this.changed();
  }
}

export const start = new Start();
