// Talking to the server: requests out, answers and events in.

import { chosen } from "./words.js";

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
  return checked(await fetch(path, { ...options, headers: { ...languageHeader(), ...options.headers } }));
}

/** @param {string} path @param {object} [more] */
export async function get(path, more = {}) {
  return (await request(path, more)).json();
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

/** Server-sent events at a path, one by one, as [name, data].
 * @param {string} path @param {AbortSignal} [signal] @param {() => void} [onopen] */
export async function* events(path, signal, onopen) {
  const response = await request(path, { signal, headers: { Accept: "text/event-stream" } });
  onopen?.();
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
 * @param {number} milliseconds @param {AbortSignal} signal */
export async function pause(milliseconds, signal) {
  await new Promise((done) => {
    setTimeout(done, milliseconds);
    addEventListener("online", done, { once: true, signal });
    signal.addEventListener("abort", done, { once: true });
  });
}

/** @param {Response} response */
async function checked(response) {
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  if (response.status === 401) location.assign("/login");
  const refused = new Refused(told.error || response.statusText, response.status);
  throw Object.assign(refused, { retryAfter: Number(response.headers.get("Retry-After")) });
}
