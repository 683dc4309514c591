// One step of a run: what it is, how far it is, and what came of it.

const OPEN = ["waiting", "running"];

export class Step {
  state = "waiting";
  number = 0;
  /** @type {number[]} the steps that it needs */
  needs = [];
  model = "";
  where = "";
  provider = "";
  /** Why the model was chosen. */
  reason = "";
  /** From 0 to 1; -1 if it is not known. */
  fraction = -1;
  note = "";
  /** Where its result was taken from, in words. */
  taken = "";
  /** @type {{model: string, error: string}[]} attempts that failed */
  tried = [];
  /** @type {any} how it ended, as the API tells it */
  outcome = null;
  /** @type {number | null} when it began, in seconds of its run */
  began = null;
  /** @type {number | null} seconds */
  took = null;
  /** @type {number | null} US dollars */
  cost = null;

  /** @param {{id: number, task: string, says: string}} task */
  constructor({ id, task, says }) {
    this.id = id;
    this.kind = task;
    this.says = says;
  }

  get over() {
    return !OPEN.includes(this.state);
  }

  /** What it made. @returns {{output: string, files: any[]}} */
  get result() {
    return { output: this.outcome?.output ?? "", files: this.outcome?.files ?? [] };
  }

  /** Why it was not done, unless an attempt said the same. */
  get failure() {
    const reason = this.outcome?.reason ?? "";
    return this.tried.at(-1)?.error === reason ? "" : reason;
  }

  /** How many seconds it has been going on in a run that is so old, or went on in all; null if there is nothing to tell.
   * @param {number | null} elapsed */
  lasting(elapsed) {
    if (this.state === "running") return Math.max(0, (elapsed ?? 0) - (this.began ?? 0));
    return this.taken ? null : this.took;
  }

  /** @param {number} number @param {number[]} needs */
  place(number, needs) {
    this.number = number;
    this.needs = needs;
    return this;
  }

  choose({ model, reason }) {
    this.model = model;
    this.reason = reason;
  }

  start({ model, place, provider, at }, elapsed) {
    Object.assign(this, { state: "running", model, where: place, provider: provider ?? "", fraction: -1, note: "" });
    this.began ??= at ?? elapsed;
  }

  progress({ fraction, note }) {
    this.fraction = fraction;
    this.note = note;
  }

  fallBack({ model, error }) {
    this.tried = [...this.tried, { model, error }];
  }

  finish(outcome) {
    this.outcome = outcome;
    this.state = outcome.state;
    this.model = outcome.model || this.model;
    this.where = outcome.place || this.where;
    this.provider = outcome.provider || this.provider;
    this.taken = outcome.taken ?? "";
    this.note = (outcome.note ?? "").split("\n").filter(Boolean).join(" · ");
    this.fraction = -1;
    this.took = outcome.took ?? (outcome.tried?.length ? outcome.tried.reduce((sum, { took }) => sum + took, 0) : null);
    this.cost = outcome.cost ?? null;
  }

  // Its run is over, and it is not.
  abandon() {
    if (!this.over) this.state = "stopped";
  }
}
