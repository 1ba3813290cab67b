// The `once` of a text, by which the server knows that it has made a post of it. The server forgets a `once` an hour after
// it was sent last, so it is dropped here before that.

const KNOWN_MS = 50 * 60_000;

/** The `once` with the time in ms at which it is dropped. */
export function endOf(once) {
  return { once, end: Date.now() + KNOWN_MS };
}

export function newOnce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return endOf(Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}

/** Whether the server surely knows it. It is not sure when the clock was set back. */
export function isKnown({ end }) {
  const left = end - Date.now();
  return left > 0 && left <= KNOWN_MS;
}
