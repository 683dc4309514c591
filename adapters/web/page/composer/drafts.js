// What a person has begun to write, one for each conversation. It survives a reload, with its files. A window that
// is opened meanwhile shows it, too: it is one draft in both, and when it was sent, it is gone from both.

import { Model } from "../view.js";
import * as kept from "./kept.js";
import { newKey } from "./upload.js";

const PREFIX = "troupe-draft-";
const MOST_DRAFTS = 40;
const MOST_TEXT = 200_000; // characters
const MOST_BYTES = 200_000_000; // of the files of a draft
const DAYS = 30;

const windows = new BroadcastChannel("troupe-drafts");
windows.onmessage = ({ data }) => drafts.get(data.thread)?.hear(data);

export class Draft extends Model {
  text = "";
  /** @type {File[]} */
  files = [];
  #loading;
  #isCleared = false;
  #id = ""; // the same in all windows that show it; "" for an empty one

  /** @param {string} thread "" for a conversation that has not begun */
  constructor(thread) {
    super();
    this.thread = thread;
    ({ text: this.text = "", id: this.#id = this.text && newKey() } = readKept(thread));
    this.#loading = this.#load();
  }

  async #load() {
    const found = await kept.read("drafts", this.thread);
    if (!found?.files?.length || this.#isCleared) return;
    this.files = [...found.files, ...this.files];
    this.#id ||= found.id ?? newKey();
    this.changed();
  }

  get isEmpty() {
    return !this.text.trim() && !this.files.length;
  }

  /** @param {string} text */
  write(text) {
    this.text = text;
    this.#tell();
    this.changed();
  }

  /** Files of the same name get a number. @param {Iterable<File>} files */
  add(files) {
    for (const file of files) this.files = [...this.files, nameApart(file, this.files)];
    this.#keepFiles();
  }

  /** @param {File} file @param {File} [other] put in its place */
  replace(file, other) {
    this.files = this.files.flatMap((each) => (each !== file ? [each] : other ? [other] : []));
    this.#keepFiles();
  }

  clear() {
    windows.postMessage({ thread: this.thread, id: this.#id, text: "", files: [], isOver: true });
    this.files = [];
    this.#isCleared = true;
    this.write("");
    this.#keepFiles();
  }

  /** Another window changed a draft of this conversation: this one, if it is the same.
   * @param {{id: string, text: string, files: File[], isOver?: boolean}} news */
  hear({ id, text, files, isOver = false }) {
    if (!id || id !== this.#id) return;
    Object.assign(this, { text, files });
    this.#isCleared = true;
    if (isOver) this.#id = "";
    this.changed();
  }

  // Keep the text, and tell the windows that show the same draft. One that is emptied by hand leaves theirs alone.
  #tell() {
    const { thread, text, files, isEmpty } = this;
    const id = this.#id || newKey();
    this.#id = isEmpty ? "" : id;
    keepText(thread, id, text);
    if (!isEmpty) windows.postMessage({ thread, id, text, files });
  }

  /** Put back what could not be sent.
   * @param {{text: string, files: File[]}} message */
  giveBack({ text, files }) {
    this.write([text, this.text].filter((each) => each.trim()).join("\n\n"));
    this.files = [...files, ...this.files];
    this.#keepFiles();
  }

  async #keepFiles() {
    this.#tell();
    this.changed();
    await this.#loading;
    const id = this.#id;
    const bytes = this.files.reduce((sum, { size }) => sum + size, 0);
    if (this.files.length && bytes <= MOST_BYTES) await kept.write("drafts", this.thread, { files: this.files, thread: this.thread, id, at: Date.now() });
    else await kept.remove("drafts", this.thread);
  }
}

/** @param {File} file @param {File[]} others */
function nameApart(file, others) {
  const taken = new Set(others.map(({ name }) => name));
  const [, stem, end] = /^(.*?)(\.[^.]*)?$/s.exec(file.name);
  let name = file.name;
  for (let number = 2; taken.has(name); number += 1) name = `${stem}-${number}${end ?? ""}`;
  return name === file.name ? file : new File([file], name, { type: file.type });
}

/** @type {Map<string, Draft>} */
const drafts = new Map();

/** @param {string} thread */
export function draftOf(thread) {
  const draft = drafts.get(thread) ?? new Draft(thread);
  drafts.set(thread, draft);
  return draft;
}

/** A conversation is gone: so is what was written for it.
 * @param {string} thread */
export function dropDraft(thread) {
  draftOf(thread).clear();
  drafts.delete(thread);
}

/** Whether something is written here that was not sent. */
export async function hasDrafts() {
  const threads = [...drafts.values()];
  if (threads.some((each) => !each.isEmpty)) return true;
  const texts = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  return texts.length > 0 || (await kept.readAll("drafts")).length > 0;
}

/** A conversation is called otherwise, or is gone: what was written for it goes along.
 * @param {string} before @param {string} after "" for one that has not begun */
export function moveDraft(before, after) {
  const [from, to] = [draftOf(before), draftOf(after)];
  if (from.isEmpty) return;
  const { text, files } = from;
  from.clear();
  to.giveBack({ text, files });
}

/** @param {string} thread @returns {{text?: string, id?: string}} */
function readKept(thread) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + thread) ?? "{}");
  } catch {
    return {};
  }
}

// The last one that was written stays; another window may have its own.
function keepText(thread, id, text) {
  const isOther = (readKept(thread).id ?? id) !== id;
  try {
    if (text.trim() && text.length <= MOST_TEXT) localStorage.setItem(PREFIX + thread, JSON.stringify({ text, id, at: Date.now() }));
    else if (!isOther) localStorage.removeItem(PREFIX + thread);
  } catch {
    // private windows may refuse, or it is full
  }
}

// Old drafts go, and the oldest of too many.
async function tidy() {
  const oldest = Date.now() - DAYS * 86_400_000;
  const age = (key) => JSON.parse(localStorage.getItem(key) ?? "{}").at ?? 0;
  try {
    const texts = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).sort((one, other) => age(other) - age(one));
    for (const [place, key] of texts.entries()) if (place >= MOST_DRAFTS || age(key) < oldest) localStorage.removeItem(key);
  } catch {
    // as above
  }
  const all = (await kept.readAll("drafts")).sort((one, other) => other.at - one.at);
  for (const [place, { thread, at }] of all.entries()) if (place >= MOST_DRAFTS || at < oldest) kept.remove("drafts", thread);
}

tidy();
