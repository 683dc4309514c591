// The beginning of a file as text, and texts for the clipboard.

/** The first bytes of a file as text, and whether that is all of it.
 * @param {string} url
 * @param {number} most bytes */
export async function readStart(url, most) {
  const response = await fetch(url, { headers: { Range: `bytes=0-${most - 1}` } });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  const reader = response.body.getReader();
  const pieces = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel(); // a server that does not know ranges
      break;
    }
  }
  const whole = Number(response.headers.get("Content-Range")?.split("/")[1] ?? length) <= Math.min(length, most);
  const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer()).subarray(0, most);
  return { text: decode(bytes, whole), whole };
}

function decode(bytes, whole) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes); // what older programs write
  }
}

/** Put a text on the clipboard; also where a page without https may not by itself.
 * @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const box = document.createElement("textarea");
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    box.className = "unseen";
    box.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
    before?.focus();
  }
}
