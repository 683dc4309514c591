// A message on its way to the server. `fetch` does not tell how far it is.

import { Refused, languageHeader } from "../wire.js";

const AWAY = new Set([401, 408, 502, 503, 504]); // the message is all right

/** Send a form. Raises Refused with its `status` and `retryAfter`, TypeError if the server cannot be reached, AbortError.
 * @param {FormData} form
 * @param {{headers?: Record<string, string>, onprogress?: (share: number) => void, signal?: AbortSignal}} about
 * @returns {Promise<{run: string, thread: string}>} */
export function upload(form, { headers = {}, onprogress, signal } = {}) {
  const request = new XMLHttpRequest();
  const all = { Accept: "application/json", Prefer: "respond-async", ...languageHeader(), ...headers };
  return new Promise((done, fail) => {
    request.open("POST", "/api/chat");
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onprogress?.(total ? loaded / total : 0);
    request.onload = () => {
      const told = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) return done(told);
      if (request.status === 401) location.assign("/login");
      const refused = new Refused(told.error || request.statusText, request.status);
      fail(Object.assign(refused, { retryAfter: Number(request.getResponseHeader("Retry-After")) }));
    };
    request.onerror = () => fail(new TypeError("not reached"));
    request.onabort = () => fail(new DOMException("cancelled", "AbortError"));
    signal?.addEventListener("abort", () => request.abort());
    if (signal?.aborted) request.abort();
    request.send(form);
  });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // of something between us and the server
  }
}

/** Whether a message that failed has to be sent again, as nobody was there to take it. @param {any} error */
export function isLost(error) {
  return error instanceof Refused ? AWAY.has(error.status) : error.name !== "AbortError";
}

/** A message as a form.
 * @param {{text: string, files: File[], keep?: string[], thread?: string, after?: string}} message */
export function formOf({ text, files, keep = [], thread = "", after }) {
  const form = new FormData();
  form.append("text", text);
  if (thread) form.append("thread", thread);
  if (after !== undefined) form.append("after", after);
  for (const url of keep) form.append("keep", url);
  for (const file of files) form.append("files", file, file.name);
  return form;
}

/** A key under which a message is sent once. `crypto.randomUUID` is only there with HTTPS or on this machine. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}
