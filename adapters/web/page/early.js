// Before anything is drawn: the theme that a person chose, so that nothing flashes, and the conversation of the address is
// asked for. Not a module, which would come too late.

/** What was asked for already, by its path: wire.js takes it. @type {Map<string, Promise<Response>>} */
globalThis.asked = new Map();

try {
  document.documentElement.dataset.theme = localStorage.getItem("troupe-theme") ?? "";
  const thread = decodeURIComponent(location.hash.slice(1));
  if (thread && !thread.startsWith("/") && !localStorage.getItem("troupe-language")) {
    const path = `/api/threads/${encodeURIComponent(thread)}?limit=30`; // as conversation.js asks
    const answer = fetch(path);
    answer.catch(() => {}); // it is told where it is taken
    globalThis.asked.set(path, answer);
  }
} catch {
  // private windows may refuse; the system's theme is used
}
