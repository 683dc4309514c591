// Talking to the server: requests out, answers and events in.

import { chosen } from "./words.js";

// Browsers open six connections to a server, for all tabs and windows together. What else is asked needs some of them.
const PLACES = 4;
const GLANCE = 250; // milliseconds without a word
const BETWEEN_GLANCES = 3_000;

/** @type {Set<string>} */
const own = new Set();

/** The server said no, and why. */
export class Refused extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** A response, if the server did not refuse. Raises Refused; TypeError if it cannot be reached.
 * @param {string} path
 * @param {RequestInit & {headers?: Record<string, string>}} options */
export async function request(path, options = {}) {
  const asked = globalThis.asked?.get(path); // by early.js
  globalThis.asked?.delete(path);
  if (asked && !options.method) return checked(await asked);
  return checked(await fetch(path, { ...options, headers: { ...languageHeader(), ...options.headers } }));
}

/** @param {string} path @param {RequestInit & {headers?: Record<string, string>}} [more] */
export async function get(path, more = {}) {
  const told = await (await request(path, more)).json();
  more.signal?.throwIfAborted(); // what was asked early goes on
  return told;
}

/** @param {string} path @param {string} method @param {object} [body] */
export async function send(path, method, body) {
  const content = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await request(path, { method, ...content });
  return response.headers.get("Content-Type")?.includes("json") ? response.json() : null;
}

/** The language that a person chose here. The browser's own, with its region, goes by itself.
 * @returns {Record<string, string>} */
export function languageHeader() {
  const name = chosen();
  return name ? { "Accept-Language": navigator.languages.find((each) => each.split("-")[0] === name) ?? name } : {};
}

/** Server-sent events at a path, one by one, as [name, data]. Where too many streams are open, it is asked now and then:
 * `onopen` is called each time, and what a path tells from its beginning is told again.
 * @param {string} path @param {AbortSignal} [signal] @param {() => void} [onopen] */
export async function* events(path, signal, onopen) {
  for (;;) {
    const place = await takePlace();
    const turn = place ?? (await takeLock("troupe-glance"));
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    signal?.addEventListener("abort", leave);
    if (signal?.aborted) leave();
    let silence;
    const heard = () => {
      clearTimeout(silence);
      if (!place) silence = setTimeout(leave, GLANCE);
    };
    try {
      for await (const event of read(path, leaving.signal, () => (heard(), onopen?.()))) {
        heard();
        yield event;
      }
      return;
    } catch (error) {
      if (place || signal?.aborted || !leaving.signal.aborted) throw error;
    } finally {
      clearTimeout(silence);
      leave();
      signal?.removeEventListener("abort", leave);
      turn?.();
    }
    await pause(BETWEEN_GLANCES, signal);
  }
}

/** @param {string} path @param {AbortSignal} signal @param {() => void} onopen */
async function* read(path, signal, onopen) {
  const response = await request(path, { signal, headers: { Accept: "text/event-stream" } });
  onopen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = parsed(block);
      if (event) yield event;
    }
  }
}

/** @param {string} block @returns {[string, any] | null} */
function parsed(block) {
  let name = "message";
  let data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
  }
  return data ? [name, JSON.parse(data)] : null;
}

/** Press a button of a run.
 * @param {string} run @param {string} action @param {string} [value] */
export async function press(run, action, value = "") {
  const query = value && `?value=${encodeURIComponent(value)}`;
  return (await request(`/api/runs/${run}/${action}${query}`, { method: "POST" })).json();
}

/** Wait, unless the network comes back or it is not wanted any more.
 * @param {number} milliseconds @param {AbortSignal} [signal] */
export async function pause(milliseconds, signal) {
  const over = new AbortController();
  await new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    over.signal.addEventListener("abort", () => clearTimeout(timer));
    addEventListener("online", done, { signal: over.signal });
    signal?.addEventListener("abort", done, { signal: over.signal });
    if (signal?.aborted) done(undefined);
  });
  over.abort();
}

/** Wait until this tab is seen. Returns a signal that tells when it is hidden. */
export async function visible() {
  if (document.hidden) await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
  const now = new AbortController();
  const look = () => document.hidden && now.abort();
  document.addEventListener("visibilitychange", look, { signal: now.signal });
  return now.signal;
}

// A place for a stream that stays open, as the function that gives it back; null if there is none.
async function takePlace() {
  if (isShared()) return () => {};
  for (let number = 0; number < PLACES; number += 1) {
    const place = await takeLock(`troupe-stream-${number}`, { ifAvailable: true });
    if (place) return place;
  }
  return null;
}

/** A lock of all tabs, as the function that gives it back. Without such locks, which browsers have with HTTPS or on this
 * machine, each tab counts its own.
 * @param {string} name @param {LockOptions} [options] @returns {Promise<(() => void) | null>} */
async function takeLock(name, options = {}) {
  if (!navigator.locks) return takeOwn(name);
  return new Promise((done) => {
    const hold = (lock) => (lock ? new Promise((release) => done(() => release(undefined))) : done(null));
    navigator.locks.request(name, options, hold).catch(() => done(null));
  });
}

/** @param {string} name */
function takeOwn(name) {
  if (own.has(name)) return null;
  own.add(name);
  return () => own.delete(name);
}

// Whether all streams share one connection, as behind a proxy that speaks HTTP/2.
function isShared() {
  const [page] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return ["h2", "h3"].includes(page?.nextHopProtocol);
}

/** @param {Response} response */
async function checked(response) {
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  if (response.status === 401) location.assign("/login");
  const refused = new Refused(told.error || response.statusText, response.status);
  throw Object.assign(refused, { retryAfter: Number(response.headers.get("Retry-After")) });
}
