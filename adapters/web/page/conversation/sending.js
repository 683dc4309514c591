// A message on its way to the server.

import { request } from "../wire.js";

/** What a person sends. `keep`: addresses of files of earlier messages to send again. `key`: the same key is never sent twice.
 * @typedef {{text: string, files: File[], keep?: string[], key?: string, onprogress?: (share: number) => void, signal?: AbortSignal}} Message */

/** Send a message. `hold` is called when it is refused for a moment, as nothing can be saved, and is sent again.
 * @param {Message} message
 * @param {{thread: string, after?: string, hold: () => void}} where
 * @returns {Promise<{run: string, thread: string}>} */
export async function post(message, { thread, after, hold }) {
  const form = new FormData();
  form.append("text", message.text);
  if (thread) form.append("thread", thread);
  if (after !== undefined) form.append("after", after);
  for (const url of message.keep ?? []) form.append("keep", url);
  for (const file of message.files) form.append("files", file, file.name);
  const headers = { Accept: "application/json", Prefer: "respond-async", "Idempotency-Key": message.key ?? newKey() };
  for (;;) {
    try {
      return await (await request("/api/chat", { method: "POST", body: form, headers, signal: message.signal })).json();
    } catch (error) {
      if (error.status !== 503 || !error.retryAfter) throw error;
      hold();
      await new Promise((done) => setTimeout(done, 1000 * error.retryAfter));
    }
  }
}

// `crypto.randomUUID` is only there with HTTPS or on this machine.
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
}
