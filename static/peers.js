// Few streams for all pages of one browser. Over HTTP/1.1 it has six connections to one host; were all of them taken by
// streams, no page would load any more. The pages tell each other when somebody turns to one (BroadcastChannel), so each
// knows how many others somebody turned to since: the four last ones have room, of the hidden ones only the very last.

const CHANNEL = "live";
const MOST = 4; // streams; two connections are left to load pages with

export class Peers {
  #id = Math.random().toString(36);
  #channel = new BroadcastChannel(CHANNEL);
  #newer = new Set();

  /** Calls back when there may be room now where there was none, or the other way round. */
  constructor(changed) {
    this.#channel.addEventListener("message", ({ data }) => {
      if (data.active) this.#newer.add(data.id);
      else this.#newer.delete(data.id);
      changed();
    });
  }

  get room() {
    return this.#newer.size < (document.visibilityState === "hidden" ? 1 : MOST);
  }

  /** Somebody turns to this page. */
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
