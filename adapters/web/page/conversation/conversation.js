// A conversation as it is shown: the path through its branches, its live runs, and what is being sent.

import { isLost } from "../composer/upload.js";
import { Run } from "../run/run.js";
import { Model } from "../view.js";
import { Refused, events, get, pause, send, visible } from "../wire.js";
import { word } from "../words.js";
import { post } from "./sending.js";

const PAGE = 30;
const LONGEST_PAUSE = 15_000;
const CALM = 10_000;

/** A message, and the one of its answers that is shown: `id` is its run. `edits`: a run of each version of the message;
 * `answers`: the runs that answer this one; `after`: the run that the message follows.
 * @typedef {{key: number, id: string, message: string, after: string, text: string, files: any[], at: string,
 *   edits: string[], answers: string[], run: Run}} Exchange */

/** Tells by "entered" that it got its name, and by "left" that it is not there any more. */
export class Conversation extends Model {
  title = "";
  /** @type {Exchange[]} */
  exchanges = [];
  more = false;
  loading = false;
  problem = "";
  /** @type {Exchange | null} whose message is being edited */
  editing = null;

  #place = { thread: "", left: new AbortController() };
  #keys = 0;
  /** @type {WeakSet<Exchange>} that were sent from here */
  #own = new WeakSet();
  /** @type {Map<string, Run>} */
  #runs = new Map();
  /** @type {WeakSet<Run>} of which something was heard */
  #begun = new WeakSet();
  /** @type {Set<Run>} whose connection is lost */
  #lost = new Set();
  /** @type {Promise<boolean>} whether the message that is on its way has to be sent again: the next one waits for it */
  #sending = Promise.resolve(false);

  get thread() {
    return this.#place.thread;
  }

  get #address() {
    return `/api/threads/${encodeURIComponent(this.thread)}`;
  }

  get busy() {
    return this.exchanges.some(({ run }) => run.live);
  }

  get last() {
    return this.exchanges.at(-1);
  }

  /** The word that says for which answer a message waits; "" if it waits for none.
   * @param {Exchange} exchange */
  waits({ run }) {
    if (!run.live || this.#begun.has(run)) return "";
    if (run.waitsFor && !this.exchanges.some(({ id }) => id === run.waitsFor)) return "waits-elsewhere";
    return this.exchanges.find((each) => each.run.live)?.run === run ? "" : "waits";
  }

  /** Show another conversation; "" is a new one.
   * @param {string} thread */
  async open(thread) {
    this.#place.left.abort();
    this.#place = { thread, left: new AbortController() };
    for (const { url } of this.exchanges.flatMap(({ files }) => files)) {
      if (url.startsWith("blob:")) URL.revokeObjectURL(url);
    }
    this.#runs.clear();
    this.#lost.clear();
    Object.assign(this, { title: "", exchanges: [], more: false, problem: "", editing: null, loading: thread !== "" });
    this.changed();
    if (thread) await this.#load({});
  }

  /** Show earlier exchanges, if there are any. */
  async older() {
    if (this.loading || !this.more) return;
    this.loading = true;
    await this.#load({ before: this.exchanges[0].id, at: this.last.id });
  }

  /** Show another version of a message or of its answer.
   * @param {Exchange} exchange @param {string} run */
  async walk(exchange, run) {
    await this.#sending;
    await this.#load({ at: run });
    send(this.#address, "PATCH", { leaf: this.last?.id }).catch(() => {}); // only where it is opened next time
  }

  /** See what the server has of it now; it may be gone. */
  async look() {
    await this.#sending;
    if (this.thread && !this.loading) await this.#load(this.last ? { at: this.last.id } : {});
  }

  /** A run of this conversation began, maybe in another tab.
   * @param {{run: string, after?: string, message?: string}} news */
  async arrived({ run, after, message }) {
    const { signal } = this.#place.left;
    await this.#sending; // it may be our own
    const own = this.exchanges.find((each) => each.id === run);
    if (own) own.message ||= message ?? "";
    if (own || signal.aborted) return;
    const isNext = !this.last || after === this.last.id || message === this.last.message;
    await this.#load({ at: isNext ? run : this.last.id });
  }

  // --- what the server has of it ---

  /** @param {{at?: string, before?: string}} where */
  async #load(where) {
    const { left } = this.#place;
    const known = new Set(this.exchanges.filter(({ id }) => id));
    const query = new URLSearchParams({ limit: `${PAGE}`, ...where });
    try {
      const told = await get(`${this.#address}?${query}`, { signal: left.signal });
      this.title = told.title ?? "";
      this.#take(told, known, where.before !== undefined);
      if (this.problem === word("unreachable")) this.problem = "";
    } catch (error) {
      if (left.signal.aborted) return;
      if (error.status === 404 && !where.before) return this.#leave(word("gone"));
      this.problem = error instanceof Refused ? error.message : word("unreachable");
    }
    this.loading = false;
    this.changed();
  }

  // The conversation is not there any more.
  #leave(problem) {
    const { thread } = this;
    this.open("");
    this.problem = problem;
    this.changed();
    this.dispatchEvent(new CustomEvent("left", { detail: thread }));
  }

  // `known`: what had been sent when the server was asked, which does not know of later ones.
  #take(told, known, isEarlier) {
    const taken = told.runs.map((each) => this.#exchange(each));
    const follows = taken[0]?.after;
    const join = follows ? this.exchanges.findIndex(({ id }) => id === follows) : -1;
    if (isEarlier) this.exchanges = [...taken, ...this.exchanges];
    else {
      const later = this.exchanges.slice(join + 1).filter((each) => this.#own.has(each) && !known.has(each) && !taken.includes(each));
      this.exchanges = [...this.exchanges.slice(0, join + 1), ...taken, ...later];
    }
    if (isEarlier || join < 0) this.more = told.more ?? false;
  }

  // The exchange of a run as the server tells it: the one that is shown already, if it is.
  #exchange(told) {
    const { run: id, message, after, text, files, at, edits, answers } = told;
    const shown = this.exchanges.find((each) => answers.includes(each.id)) ?? { key: (this.#keys += 1), files };
    return Object.assign(shown, { id, message, after, text, at, edits, answers, run: this.#run(told) });
  }

  #run({ run: id, live, events: past, answer, vote = null, at = "" }) {
    let run = this.#runs.get(id);
    if (!run) {
      run = new Run(id);
      this.#runs.set(id, run);
      if (live) {
        if (at) run.begin((Date.now() - Date.parse(at)) / 1000); // until the server tells it better
        this.#follow(run);
      } else {
        for (const { type, ...data } of past) run.apply(type, data, { replayed: true });
        run.apply("answer", answer, { replayed: true });
      }
    }
    run.vote = vote ?? run.vote;
    return run;
  }

  // --- runs ---

  // Follow a run to its end, as long as this tab is seen. When the connection breaks, the run does not: look again.
  async #follow(run) {
    const { signal } = this.#place.left;
    for (let attempt = 0; run.live && !signal.aborted; attempt += 1) {
      const hidden = await visible();
      const far = await this.#near(run, signal);
      const began = Date.now();
      try {
        for await (const [name, data] of events(`/api/runs/${run.id}/events?html=1`, /** @type {any} */ (AbortSignal).any([signal, hidden, far.signal]))) {
          if (name === "broken") break; // the program was stopped; when it runs again, it goes on with this
          run.apply(name, data);
          this.#hear(run, name);
        }
      } catch (error) {
        if (error instanceof Refused && error.status === 404) run.apply("broken", { error: error.message });
      }
      const isWanted = !hidden.aborted && !far.signal.aborted;
      far.abort();
      if (!run.live || signal.aborted) break;
      if (!isWanted) continue;
      if (Date.now() - began > CALM) attempt = 0;
      this.#lost.add(run);
      this.problem = word("lost");
      this.changed();
      await pause(Math.min(500 * 2 ** attempt, LONGEST_PAUSE), signal);
    }
    if (!signal.aborted) this.#hear(run, "over");
  }

  // Wait until a run is the first or the last of those that go on: the others only wait, and browsers open few connections.
  // Returns what is aborted when it is not any more.
  async #near(run, signal) {
    const isNear = () => {
      const between = this.exchanges.filter((each) => each.run.live).slice(1, -1);
      return signal.aborted || !between.some((each) => each.run === run);
    };
    while (!isNear()) await new Promise((done) => this.addEventListener("change", done, { once: true }));
    const far = new AbortController();
    this.addEventListener("change", () => isNear() || far.abort(), { signal: far.signal });
    return far;
  }

  #hear(run, name) {
    const isNews = name !== "accepted" && !this.#begun.has(run);
    if (name !== "accepted") this.#begun.add(run);
    if (this.#lost.delete(run) && !this.#lost.size) this.problem = "";
    else if (!isNews && run.live && !run.waitsFor) return;
    this.changed();
  }

  /** Show the answer of another run of the same message.
   * @param {Exchange} exchange @param {string} id */
  again(exchange, id) {
    const run = this.#run({ run: id, live: true, events: [], answer: null });
    Object.assign(exchange, { id, run, answers: [...exchange.answers, id] });
    this.exchanges = this.exchanges.slice(0, this.exchanges.indexOf(exchange) + 1);
    this.changed();
  }

  /** Stop all that goes on here. */
  async stop() {
    const live = this.exchanges.filter(({ run }) => run.live);
    const named = live.filter(({ id }) => id);
    const end = (exchanges) => Promise.allSettled(exchanges.map(({ id }) => send(`/api/runs/${id}/stop`, "POST")));
    await end(named);
    if (named.length === live.length) return;
    await this.#sending; // until then the last ones have no name to stop them by
    await end(live.filter((each) => !named.includes(each) && each.id && each.run.live));
  }

  // --- sending ---

  /** Send a message to the end of the path. Raises Refused, or TypeError if the server cannot be reached.
   * @param {import("./sending.js").Message} message */
  async send(message) {
    const place = this.#place;
    try {
      return await this.#send(message, {});
    } catch (error) {
      if (error.status !== 404 || !place.thread || place !== this.#place) throw error;
      this.#leave(""); // it was forgotten: this begins a new one
      message.where = undefined;
      return this.send(message);
    }
  }

  /** Send another version of a message, in a branch of its own.
   * @param {Exchange} exchange @param {{text: string, files: any[]}} changed `files`: those of the message that are kept */
  async edit(exchange, { text, files }) {
    const before = this.exchanges;
    this.editing = null;
    this.exchanges = before.slice(0, before.indexOf(exchange));
    try {
      const known = files.filter(({ file }) => !file);
      const fresh = files.flatMap(({ file }) => file ?? []); // the server's addresses of these are not known here
      const message = { text, files: fresh, keep: known.map(({ url }) => url) };
      await this.#send(message, { after: exchange.after, edits: exchange.edits, files: known });
    } catch (error) {
      if (this.thread && error.status === 404) return this.#leave(word("gone"));
      this.exchanges = before;
      this.editing = Object.assign(exchange, { draft: text });
      this.problem = error instanceof Refused ? error.message : word("unsent");
      this.changed();
    }
  }

  async #send(message, { after = null, edits = [], files = [] }) {
    const place = this.#place;
    const shown = { text: message.text, files: [...files, ...message.files.map(local)] };
    const run = new Run("");
    const exchange = { key: (this.#keys += 1), id: "", message: "", after, at: "", edits, answers: [], run, ...shown };
    this.#own.add(exchange);
    this.exchanges = [...this.exchanges, exchange];
    this.problem = "";
    this.changed();
    this.dispatchEvent(new Event("sent"));
    const turn = this.#sending.then((mustWait) => {
      if (mustWait) throw new TypeError("behind a message that has to be sent again"); // which would come after it
      return this.#post(message, exchange, place);
    });
    const sending = turn.then(() => false, isLost);
    this.#sending = sending;
    try {
      return await turn;
    } catch (error) {
      this.exchanges = this.exchanges.filter((each) => each !== exchange);
      this.changed();
      throw error;
    } finally {
      if (this.#sending === sending) this.#sending = Promise.resolve(false);
    }
  }

  async #post(message, exchange, place) {
    // Of what is not shown yet, the server knows what comes last.
    exchange.after ??= this.exchanges[this.exchanges.indexOf(exchange) - 1]?.id ?? (place.thread ? undefined : "");
    message.where ??= place.thread ? { thread: place.thread, after: exchange.after } : { thread: "" };
    const told = await post(message, () => exchange.run.apply("delayed", { reason: word("held") }));
    const { run: id, thread } = told;
    Object.assign(exchange, { id, edits: [...exchange.edits, id], answers: [id] });
    if (place !== this.#place) return told; // another conversation is shown meanwhile
    if (this.#runs.has(id)) {
      this.exchanges = this.exchanges.filter((each) => each !== exchange); // it had arrived before, and is shown
      this.changed();
      return told;
    }
    this.#runs.set(id, exchange.run);
    exchange.run.apply("accepted", { run: id, thread });
    this.#follow(exchange.run);
    if (!place.thread) {
      place.thread = thread;
      this.title = message.text || message.files[0]?.name || "";
      this.dispatchEvent(new CustomEvent("entered", { detail: thread }));
    }
    this.changed();
    return told;
  }
}

// A file that is being sent, as it lies here.
function local(file) {
  return { name: file.name, media_type: file.type, url: URL.createObjectURL(file), alt: file.name, size: file.size, file };
}
