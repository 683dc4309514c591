// A person's conversations, as the server lists them, kept up to date by its events.

import { Model } from "../view.js";
import { Refused, events, get, pause, send, visible } from "../wire.js";
import { word } from "../words.js";

const PAGE = 40;
const LARGEST_PAGE = 100; // of the server
const LONGEST_PAUSE = 30_000;

/** @typedef {{thread: string, title: string, pinned: boolean, at: string, live: boolean, excerpt?: string}} Listed */

/** Tells by "run" that a run began somewhere, by "forgotten" that a conversation is gone, by "erased" that somebody here wanted that, and by "opened" that something may have been missed. */
export class History extends Model {
  /** @type {Listed[]} */
  threads = [];
  /** @type {Listed[]} what a search found */
  found = [];
  query = "";
  problem = "";
  searching = false;
  next = "";
  #nextFound = "";
  #loading = false;
  /** @type {Set<string>} what somebody is erasing here */
  #erased = new Set();

  /** What is shown anew, with all that happened meanwhile: as many pages as there were. */
  async load() {
    const shown = this.threads.length;
    try {
      let { threads, next } = await get(`/api/threads?limit=${PAGE}`);
      while (next && threads.length < shown) {
        const more = await get(`/api/threads?${new URLSearchParams({ limit: `${LARGEST_PAGE}`, before: next })}`);
        [threads, next] = [merged(threads, more.threads), more.next];
      }
      Object.assign(this, { threads, next, problem: "" });
    } catch (error) {
      this.#fail(error);
    }
    this.changed();
  }

  #fail(error) {
    this.problem = error instanceof Refused ? error.message : word("unreachable");
  }

  /** Whether there are more than those that are shown. */
  get hasMore() {
    return Boolean(this.query ? this.#nextFound : this.next);
  }

  /** The next page of what is shown. */
  async more() {
    if (this.#loading || !this.hasMore) return;
    this.#loading = true;
    const { query } = this;
    const place = new URLSearchParams({ limit: `${PAGE}`, before: query ? this.#nextFound : this.next, ...(query && { query }) });
    try {
      const { threads, next } = await get(`/api/threads?${place}`);
      if (query !== this.query) return;
      if (query) {
        this.found = merged(this.found, threads);
        this.#nextFound = next;
      } else {
        this.threads = merged(this.threads, threads).sort(inOrder); // an older one may have come by itself
        this.next = next;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#loading = false;
      this.changed();
    }
  }

  /** Find conversations by words in them; "" shows all.
   * @param {string} query */
  async search(query) {
    this.query = query.trim();
    this.searching = this.query !== "";
    this.changed();
    if (!this.query) return;
    const wanted = this.query;
    await new Promise((done) => setTimeout(done, 200)); // somebody types
    if (wanted !== this.query) return;
    try {
      const { threads, next } = await get(`/api/threads?${new URLSearchParams({ limit: `${PAGE}`, query: wanted })}`);
      if (wanted !== this.query) return;
      Object.assign(this, { found: threads, problem: "" });
      this.#nextFound = next;
    } catch (error) {
      this.#fail(error);
    }
    this.searching = false;
    this.changed();
  }

  /** Follow what happens in all tabs and on all devices, as long as this one is seen. */
  async follow() {
    for (let attempt = 0; ; attempt += 1) {
      const hidden = await visible();
      const began = Date.now();
      let isOpen = false;
      const opened = () => {
        isOpen = true;
        this.load(); // nothing is told of what was before
        this.dispatchEvent(new Event("opened"));
      };
      try {
        for await (const [name, data] of events("/api/events", hidden, opened)) this.#take(name, data);
      } catch {
        if (!isOpen && !hidden.aborted) this.load(); // it says what is wrong
      }
      if (hidden.aborted || Date.now() - began > LONGEST_PAUSE) attempt = 0;
      await pause(Math.min(500 * 2 ** attempt, LONGEST_PAUSE), hidden);
    }
  }

  #take(name, data) {
    if (name === "thread") {
      this.#put(data);
      this.changed();
    }
    if (name === "forgotten") this.#remove(data.thread);
    if (this.#erased.has(data.thread)) return;
    if (name === "anew") this.load(); // much happened at once
    this.dispatchEvent(new CustomEvent(name, { detail: data }));
  }

  #put(listed) {
    const others = this.threads.filter(({ thread }) => thread !== listed.thread);
    const old = this.threads.find(({ thread }) => thread === listed.thread);
    this.threads = [...others, { ...old, ...listed }].sort(inOrder);
    this.found = this.found.map((each) => (each.thread === listed.thread ? { ...each, ...listed } : each));
  }

  #remove(thread) {
    this.threads = this.threads.filter((each) => each.thread !== thread);
    this.found = this.found.filter((each) => each.thread !== thread);
    this.changed();
  }

  /** A new conversation of this tab.
   * @param {string} thread @param {string} title */
  enter(thread, title) {
    this.#put({ thread, title: title.trim().slice(0, 80) || thread, pinned: false, at: new Date().toISOString(), live: true });
    this.changed();
  }

  /** A conversation that is not there any more.
   * @param {string} thread */
  leave(thread) {
    this.#remove(thread);
  }

  /** @param {string} thread @param {{title?: string, pinned?: boolean}} change */
  async change(thread, change) {
    const before = this.threads.find((each) => each.thread === thread);
    this.#put({ ...before, ...change });
    this.changed();
    try {
      await send(address(thread), "PATCH", change);
    } catch (error) {
      if (before) this.#put(before);
      this.problem = error instanceof Refused ? error.message : word("unreachable");
      this.changed();
    }
  }

  /** Erase a conversation for good. Raises Refused.
   * @param {string} thread */
  async forget(thread) {
    this.#erased.add(thread);
    try {
      await send(address(thread), "DELETE");
    } catch (error) {
      this.#erased.delete(thread);
      throw error;
    }
    this.#remove(thread);
    this.dispatchEvent(new CustomEvent("erased", { detail: { thread } }));
  }
}

/** @param {string} thread */
export function address(thread) {
  return `/api/threads/${encodeURIComponent(thread)}`;
}

function merged(before, more) {
  const known = new Set(before.map(({ thread }) => thread));
  return [...before, ...more.filter(({ thread }) => !known.has(thread))];
}

function inOrder(a, b) {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  return a.at < b.at ? 1 : a.at > b.at ? -1 : 0;
}
