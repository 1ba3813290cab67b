// One resumable stream. It remembers the position of every event, so that it can be stopped and started at will, and
// leaves a lost connection to the browser as long as the browser still tries.

const EVENTS = ["position", "post", "delete", "reset", "profile", "counts"];
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
const PROBE_MS = 5_000;
const SILENCE_MS = 60_000; // four heartbeats: an open connection this quiet is a dead one
const FINAL = [401, 404, 204]; // signed out, no such user, account gone

export class Stream {
  #address;
  #listener;
  #source = null;
  #timer = null;
  #position = null;
  #attempts = 0;
  #running = false;

  /** The listener has `event(type, data)`, `state("connecting" | "open" | "paused" | "closed")` and `final(status)`. */
  constructor(address, listener) {
    this.#address = address;
    this.#listener = listener;
  }

  start() {
    if (this.#running) return;
    this.#running = true;
    this.#attempts = 0;
    this.#open();
  }

  stop() {
    if (this.#running) this.#end("paused");
  }

  #end(state) {
    this.#running = false;
    this.#drop();
    this.#listener.state(state);
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #open() {
    this.#drop();
    const source = new EventSource(this.#resumeAddress());
    this.#source = source;
    for (const type of EVENTS) source.addEventListener(type, (event) => this.#receive(event));
    source.addEventListener("error", () => this.#broken(source));
    this.#listener.state("connecting");
    this.#watch(source);
  }

  #resumeAddress() {
    const url = new URL(this.#address, location.href);
    if (this.#position) url.searchParams.set("after", this.#position);
    return url.href;
  }

  // Only an event proves a stream: an address that cannot serve now answers 200, too, and ends.
  #receive(event) {
    if (event.lastEventId) this.#position = event.lastEventId;
    this.#attempts = 0;
    this.#watch(this.#source);
    this.#listener.state("open");
    this.#listener.event(event.type, event.data);
  }

  #watch(source) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (source.readyState === EventSource.OPEN) this.#open();
      else this.#watch(source);
    }, SILENCE_MS);
  }

  #broken(source) {
    if (source !== this.#source) return;
    this.#listener.state("connecting");
    if (source.readyState === EventSource.CLOSED) this.#askWhy(source);
  }

  // An EventSource does not tell the status it gave up for.
  async #askWhy(source) {
    const status = await probe(this.#resumeAddress());
    if (source !== this.#source) return; // stopped, or started again, in the meantime
    if (FINAL.includes(status)) {
      this.#end("closed");
      this.#listener.final(status);
    } else {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#open(), this.#backOff());
    }
  }

  #backOff() {
    const most = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempts++);
    return most / 2 + Math.random() * (most / 2);
  }
}

async function probe(address) {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    return (await fetch(address, { method: "HEAD", cache: "no-store", redirect: "manual", signal })).status;
  } catch {
    return 0;
  }
}
