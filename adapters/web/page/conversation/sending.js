// A message on its way to the server.

import { formOf, newKey, upload } from "../composer/upload.js";

/** What a person sends. `keep`: addresses of files of earlier messages to send again. `key`: the same key is never sent twice.
 * `where`: what the first try added, for the next ones.
 * @typedef {{text: string, files: File[], keep?: string[], key?: string, where?: {thread: string, after?: string},
 *   onprogress?: (share: number) => void, signal?: AbortSignal}} Message */

/** Send a message. `hold` is called when it is refused for a moment, as nothing can be saved, and is sent again.
 * @param {Message} message
 * @param {() => void} hold
 * @returns {Promise<{run: string, thread: string}>} */
export async function post(message, hold) {
  const { key = newKey(), onprogress, signal, where } = message;
  for (;;) {
    try {
      return await upload(formOf({ ...message, ...where }), { headers: { "Idempotency-Key": key }, onprogress, signal });
    } catch (error) {
      if (error.status !== 503 || !error.retryAfter) throw error;
      hold();
      await new Promise((done) => setTimeout(done, 1000 * error.retryAfter));
    }
  }
}
