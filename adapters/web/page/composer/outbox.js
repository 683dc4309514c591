// Messages on their way: each is sent once, also when the connection or the page was gone meanwhile.

import { Model } from "../view.js";
import { Refused } from "../wire.js";
import * as kept from "./kept.js";
import { formOf, isLost, newKey, upload } from "./upload.js";

const SHORTEST_PAUSE = 2_000;
const LONGEST_PAUSE = 60_000;
const TRIES_OF_LARGE = 3; // by itself: each costs the whole upload
const LARGE = 1_000_000;

/** A message of a person. `key` is the same at each try. `where` is what the first try added to it, for the next ones.
 * @typedef {{key: string, thread: string, text: string, files: File[], keep: string[], at: number, tries: number,
 *   state: "sending" | "waiting" | "refused", share: number, problem: string, where: any, cancel?: () => void}} Entry */

/** What sends a message of a conversation that is shown.
 * @typedef {(message: any) => Promise<{run: string, thread: string} | void>} Send */

/** Tells by "sent" of a message that it sent by itself, as its conversation was not shown. */
export class Outbox extends Model {
  /** @type {Entry[]} in the order in which they were written */
  entries = [];
  /** @type {Map<string, Send>} by conversation */
  #senders = new Map();
  #pause = SHORTEST_PAUSE;
  #timer = 0;

  constructor() {
    super();
    addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => !document.hidden && this.flush());
    this.#load();
  }

  async #load() {
    const found = await kept.readAll("outbox");
    const known = new Set(this.entries.map(({ key }) => key));
    const waiting = found.filter(({ key }) => !known.has(key)).map((each) => ({ ...each, state: "waiting", share: 0 }));
    if (!waiting.length) return;
    this.entries = [...waiting, ...this.entries].sort((one, other) => one.at - other.at);
    this.changed();
    this.#later(500); // the page shows its conversation first
  }

  /** Messages of a conversation are sent by this from now on. Returns what ends that.
   * @param {string} thread @param {Send} send */
  attach(thread, send) {
    this.#senders.set(thread, send);
    return () => this.#senders.get(thread) === send && this.#senders.delete(thread);
  }

  /** The messages of a conversation. @param {string} thread */
  of(thread) {
    return this.entries.filter((each) => each.thread === thread);
  }

  /** Send a message. Resolves when it was sent, or has to wait. Raises Refused, or AbortError if it was cancelled.
   * @param {{thread: string, text: string, files: File[], keep?: string[]}} message */
  async post({ thread, text, files, keep = [] }) {
    /** @type {Entry} */
    const entry = { key: newKey(), thread, text, files, keep, at: Date.now(), tries: 0, state: "waiting", share: 0, problem: "", where: null };
    const isBehind = this.of(thread).some(({ state }) => state === "waiting");
    this.entries = [...this.entries, entry];
    if (!isBehind && navigator.onLine) return this.#try(entry, true);
    await this.#keep(entry);
    this.changed();
    this.#later();
  }

  /** @param {Entry} entry */
  async remove(entry) {
    entry.cancel?.();
    this.#drop(entry);
  }

  /** Forget the messages of a conversation, or all.
   * @param {string} [thread] */
  forget(thread) {
    for (const entry of thread === undefined ? this.entries : this.of(thread)) this.remove(entry);
  }

  /** Try to send all that waits.
   * @param {Entry} [pressed] what somebody wants to be sent now */
  async flush(pressed) {
    clearTimeout(this.#timer);
    const threads = new Set(this.entries.map(({ thread }) => thread));
    await Promise.all([...threads].map((thread) => this.#flush(thread, pressed)));
    if (this.entries.some((each) => each.state === "waiting" && !isTired(each))) this.#later();
    else this.#pause = SHORTEST_PAUSE;
  }

  // One after the other, so that they arrive in their order.
  async #flush(thread, pressed) {
    for (;;) {
      const [first] = this.of(thread).filter(({ state }) => state !== "refused");
      if (!first || first.state === "sending" || (isTired(first) && first !== pressed)) return;
      await this.#try(first, false).catch(() => {}); // it stands with the message
      if (this.entries.includes(first) && first.state === "waiting") return;
    }
  }

  #later(pause = this.#pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), pause);
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2);
  }

  // `isNew`: whoever wrote it waits for it, and is told by an error what is wrong.
  async #try(entry, isNew) {
    const leaving = new AbortController();
    Object.assign(entry, { state: "sending", share: 0, problem: "", tries: entry.tries + 1, cancel: () => leaving.abort() });
    this.changed();
    await this.#keep(entry);
    const onprogress = (share) => {
      entry.share = share;
      this.changed();
    };
    const { key, text, files, keep, where } = entry;
    const message = { key, text, files, keep, where, onprogress, signal: leaving.signal };
    try {
      const told = await this.#sender(entry)(message);
      this.#drop(entry);
      this.#pause = SHORTEST_PAUSE;
      if (told && !entry.thread) this.#name(told.thread);
    } catch (error) {
      entry.where = message.where;
      await this.#failed(entry, error, isNew);
    }
  }

  async #failed(entry, error, isNew) {
    entry.cancel = undefined;
    const status = error instanceof Refused ? error.status : 0;
    if (status === 422 && entry.tries > 1) return this.#drop(entry); // it had arrived
    if (!this.entries.includes(entry)) throw error; // it was removed meanwhile
    if (!isLost(error)) {
      if (isNew) this.#drop(entry);
      else Object.assign(entry, { state: "refused", problem: status ? error.message : "" });
      this.changed();
      throw error;
    }
    entry.state = "waiting";
    await this.#keep(entry);
    this.changed();
    this.#later();
  }

  #sender(entry) {
    const send = this.#senders.get(entry.thread);
    if (send) return send;
    return async (message) => {
      const form = formOf({ ...message, thread: entry.thread, ...message.where });
      const told = await upload(form, { headers: { "Idempotency-Key": entry.key }, onprogress: message.onprogress, signal: message.signal });
      this.dispatchEvent(new CustomEvent("sent", { detail: { ...told, was: entry.thread } }));
      return told;
    };
  }

  // A new conversation got its name: what was written after its first message belongs to it.
  #name(thread) {
    for (const entry of this.of("")) {
      if (entry.tries) continue;
      entry.thread = thread;
      this.#keep(entry);
    }
  }

  #drop(entry) {
    this.entries = this.entries.filter((each) => each !== entry);
    kept.remove("outbox", entry.key);
    this.changed();
  }

  async #keep(entry) {
    if (!this.entries.includes(entry)) return;
    const { key, thread, text, files, keep, at, tries, problem, where } = entry;
    await kept.write("outbox", key, { key, thread, text, files, keep, at, tries, problem, where });
  }
}

function isTired({ files, tries }) {
  return tries >= TRIES_OF_LARGE && files.reduce((sum, { size }) => sum + size, 0) > LARGE;
}

export const outbox = new Outbox();
