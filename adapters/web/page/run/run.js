// The state of one run, built from its events. It knows nothing of how it is shown.

import { Model } from "../view.js";
import { Step } from "./step.js";

/** What a run says to those who do not see it, as a sentence's id and its arguments.
 * @typedef {{id: string, args: Record<string, any>} | {text: string}} Told */

/** Dispatches "change" whenever it changed, and "told" (with `detail`: Told) when there is something to say. */
export class Run extends Model {
  /** @type {Map<number, Step>} in the order of the plan */
  steps = new Map();
  live = true;
  /** Whether it is shown as it was, and did not happen before our eyes. */
  replayed = false;
  estimate = "";
  /** Why it has to wait. */
  delayed = "";
  /** The run that is answered before it. */
  waitsFor = "";
  /** The HTML of the answer so far, made by the server. */
  html = "";
  /** @type {any} the answer, once it is there */
  answer = null;
  /** @type {{error: string, reference: string, stopped?: boolean, actions: string[]} | null} */
  apology = null;

  /** The person's vote on it: "up", "down", "first", "second"; "" if there is none. */
  vote = "";

  #origin = performance.now();
  /** @type {number | null} seconds */
  #took = null;
  #said = new Set();

  /** @param {string} [id] "" until the server has given one */
  constructor(id = "") {
    super();
    this.id = id;
  }

  /** Where the server tells of it. */
  get path() {
    return `/api/runs/${this.id}`;
  }

  /** How many seconds it has been going on, or went on in all; null if that is not known. */
  get elapsed() {
    return this.live ? this.#now : this.#took;
  }

  get #now() {
    return Math.max(0, (performance.now() - this.#origin) / 1000);
  }

  get plan() {
    return [...this.steps.values()];
  }

  get done() {
    return this.plan.filter((step) => step.over).length;
  }

  get failed() {
    return this.plan.filter((step) => step.state === "failed").length;
  }

  /** The outcomes of the steps that are over, by step. */
  get outcomes() {
    return new Map(this.plan.filter((step) => step.over).map((step) => [step.id, step.outcome]));
  }

  /** What is known to have been paid, in US dollars; null if nothing is. */
  get cost() {
    const costs = this.plan.map((step) => step.cost).filter((cost) => cost !== null);
    return costs.length ? costs.reduce((sum, cost) => sum + cost, 0) : null;
  }

  /** @returns {string[]} the buttons that mean something */
  get actions() {
    return (this.answer ?? this.apology)?.actions ?? [];
  }

  /** Take an event of the API.
   * @param {string} name @param {any} data @param {{replayed?: boolean}} how `replayed`: it happened earlier */
  apply(name, data, how = {}) {
    this.replayed ||= how.replayed ?? false;
    const take = TAKERS[name];
    if (!take) return;
    if (name !== "accepted" && name !== "delayed") Object.assign(this, { delayed: "", waitsFor: "" });
    take(this, data);
    this.changed();
  }

  /** @param {string} vote */
  rate(vote) {
    this.vote = vote;
    this.changed();
  }

  /** Begin the story anew: it is told from its beginning whenever somebody follows it.
   * @param {number | null | undefined} elapsed seconds, by the server's clock */
  begin(elapsed) {
    if (typeof elapsed === "number") this.#origin = performance.now() - elapsed * 1000;
    Object.assign(this, { steps: new Map(), estimate: "", delayed: "", html: "" });
  }

  /** @param {number | null | undefined} took seconds */
  end(took) {
    const longest = Math.max(0, ...this.plan.map((step) => step.took ?? 0));
    this.#took = took ?? (this.replayed ? longest || null : this.#now);
    this.live = false;
    for (const step of this.steps.values()) step.abandon();
  }

  /** Say something once. @param {Told} told */
  say(told) {
    const key = JSON.stringify(told);
    if (this.replayed || this.#said.has(key)) return;
    this.#said.add(key);
    this.dispatchEvent(new CustomEvent("told", { detail: told }));
  }
}

/** @type {Record<string, (run: Run, data: any) => void>} */
const TAKERS = {
  accepted(run, { run: id, elapsed, waits_for: waitsFor }) {
    run.id = id ?? run.id;
    run.begin(elapsed);
    run.waitsFor = waitsFor ?? "";
  },
  delayed(run, { reason }) {
    run.delayed = reason;
    run.say({ text: reason });
  },
  planned(run, { tasks, estimate }) {
    const before = run.steps;
    run.estimate = estimate ?? "";
    run.steps = new Map(tasks.map((task, index) => [task.id, (before.get(task.id) ?? new Step(task)).place(index + 1, task.dep)]));
    run.say({ id: "told-plan", args: { count: { id: "steps", args: { count: tasks.length } } } });
  },
  chose(run, data) {
    run.steps.get(data.task)?.choose(data);
  },
  started(run, data) {
    run.steps.get(data.task)?.start(data, run.elapsed ?? 0);
  },
  progressed(run, data) {
    run.steps.get(data.task)?.progress(data);
  },
  fell_back(run, data) {
    run.steps.get(data.task)?.fallBack(data);
  },
  finished(run, data) {
    run.steps.get(data.task)?.finish(data);
  },
  answer_part(run, { html }) {
    run.html = html ?? run.html;
  },
  answer(run, answer) {
    if (answer.error !== undefined) return apologise(run, answer);
    run.answer = answer;
    run.html = answer.html ?? "";
    run.end(answer.took);
    run.say({ id: "answer", args: {} });
  },
  broken(run, { error }) {
    apologise(run, { error, reference: "", actions: ["retry"] });
  },
};

function apologise(run, apology) {
  run.apology = apology;
  run.end(apology.took);
}
