// Titles that this browser kept before the server listed conversations.

const KEY = "troupe";
const MOST = 30;

export function oldTitles() {
  try {
    /** @type {{name: string, title: string, at?: string}[]} */
    const kept = JSON.parse(localStorage.getItem(KEY)) ?? [];
    return kept.map(({ name, title, at = "" }) => ({ thread: name, title, at, pinned: false, live: false }));
  } catch {
    return [];
  }
}

/** @param {{thread: string, title: string, at: string}[]} list */
export function keepTitles(list) {
  try {
    localStorage.setItem(KEY, JSON.stringify(list.slice(0, MOST).map(({ thread, title, at }) => ({ name: thread, title, at }))));
  } catch {
    // private windows may refuse; the conversation itself is kept by the server
  }
}

/** The server lists them now. */
export function forgetOld() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // there were none
  }
}
