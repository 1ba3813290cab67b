// A way on which the tabs of this browser tell each other something.

/** A browser that keeps nothing for this site may have none. Then nobody hears. */
export function channelNamed(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return Object.assign(new EventTarget(), { postMessage() {} });
  }
}
