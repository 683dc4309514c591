// What the browser keeps for us besides texts: files of drafts and messages that wait. Where it refuses to, nothing is kept.

const NAME = "troupe";
const STORES = ["drafts", "outbox"];

/** @type {Promise<IDBDatabase | null> | undefined} */
let opened;

function open() {
  opened ??= new Promise((done) => {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => STORES.forEach((store) => request.result.createObjectStore(store));
      request.onsuccess = () => done(request.result);
      request.onerror = request.onblocked = () => done(null);
    } catch {
      done(null); // private windows may refuse
    }
  });
  return opened;
}

/** @param {string} store
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} act
 * @returns {Promise<any>} undefined if it did not work */
async function within(store, mode, act) {
  const database = await open();
  if (!database) return undefined;
  return new Promise((done) => {
    try {
      const transaction = database.transaction(store, mode);
      const request = act(transaction.objectStore(store));
      transaction.oncomplete = () => done(request.result);
      transaction.onabort = transaction.onerror = () => done(undefined); // it may be full
    } catch {
      done(undefined);
    }
  });
}

/** @param {"drafts" | "outbox"} store @param {string} key */
export function read(store, key) {
  return within(store, "readonly", (each) => each.get(key));
}

/** @param {"drafts" | "outbox"} store @returns {Promise<any[]>} */
export async function readAll(store) {
  return (await within(store, "readonly", (each) => each.getAll())) ?? [];
}

/** @param {"drafts" | "outbox"} store @param {string} key @param {object} value */
export function write(store, key, value) {
  return within(store, "readwrite", (each) => each.put(value, key));
}

/** @param {"drafts" | "outbox"} store @param {string} key */
export function remove(store, key) {
  return within(store, "readwrite", (each) => each.delete(key));
}

/** Forget all drafts and waiting messages of this browser: for whoever signs out. */
export async function forgetKept() {
  for (const key of Object.keys(localStorage)) if (key.startsWith("troupe-draft")) localStorage.removeItem(key);
  for (const store of STORES) await within(store, "readwrite", (each) => each.clear());
}
