// Limits the number of streams of all pages in one browser. With HTTP/1.1 a browser opens at most six connections to
// one host. If streams used all of them, no page would load any more. Each page announces on a BroadcastChannel when
// the user turns to it, so each page knows how many others were used more recently. The four most recently used pages
// may have a stream. A hidden page may have one only if it is the most recently used. Beside these four there may be one
// light stream: see badge.js.

import { channelNamed } from "./channel.js";

const CHANNEL = "live";
const MOST = 4; // streams

export class StreamSlots {
  #id = Math.random().toString(36);
  #channel;
  #most;
  #newer = new Set();

  /** Calls back when the answer of `room` may have changed. At most `most` pages on the channel have room. */
  constructor(changed, { channel = CHANNEL, most = MOST } = {}) {
    this.#channel = channelNamed(channel);
    this.#most = most;
    this.#channel.addEventListener("message", ({ data }) => {
      if (data.active) this.#newer.add(data.id);
      else this.#newer.delete(data.id);
      changed();
    });
  }

  get room() {
    return this.#newer.size < (document.visibilityState === "hidden" ? 1 : this.#most);
  }

  /** The user turns to this page. */
  active() {
    this.#newer.clear();
    this.#tell(true);
  }

  /** This page needs no stream for now. */
  gone() {
    this.#tell(false);
  }

  #tell(active) {
    this.#channel.postMessage({ id: this.#id, active });
  }
}
