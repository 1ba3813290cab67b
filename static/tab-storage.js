// What is kept for this tab. If the browser keeps nothing, or has no room, this page keeps it.

const kept = new Map();
const storage = browserStorage();

function browserStorage() {
  try {
    return window.sessionStorage;
  } catch {
    return null; // the reader allows no storage
  }
}

export const tabStorage = {
  /** Whether the next page finds what was kept last. */
  lasts: (key) => storage !== null && !kept.has(key),

  getItem: (key) => kept.get(key) ?? storage?.getItem(key) ?? null,

  setItem(key, text) {
    try {
      storage.setItem(key, text);
      kept.delete(key);
    } catch {
      kept.set(key, text); // and the storage keeps the text before
    }
  },

  removeItem(key) {
    kept.delete(key);
    storage?.removeItem(key);
  },

  keys: () => [...new Set([...kept.keys(), ...Object.keys(storage ?? {})])],
};
