// One resumable stream. It remembers the position of the last event, so that it can be stopped and started at any time.
// As long as the browser tries to restore a lost connection by itself, this module leaves that to the browser.

import { positionIn } from "./positions.js";

const EVENTS = ["position", "instance", "post", "delete", "gone", "reset", "profile", "counts", "notify"];
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
const SPREAD_MS = 3_000; // thousands of pages do not come back at once
const PROBE_MS = 5_000;
const TICK_MS = 2_000;
const ASLEEP_MS = 15_000; // after a tick this late, the machine was asleep, and open connections are most likely dead
const ASLEEP_HIDDEN_MS = 150_000; // the same for a hidden page, to which some browsers give one tick a minute
const CONNECTING_MS = 45_000; // a connection that was not answered for so long is dead
const SILENCE = 1.5; // an open connection that was silent for so many heartbeats is dead
const SILENCE_MS = SILENCE * Number(document.body.dataset.heartbeat); // a quiet stream sends an event that often
const POSTS = 100; // the server tells the counts of so many
const FINAL = [401, 404, 204]; // signed out or another user by now, no such user, account gone
const VIEWER = document.body.dataset.viewerId; // whom the page was made for; undefined for nobody

export class Stream {
  #address;
  #listener;
  #events;
  #posts;
  #told = ""; // the posts in the address of the connection
  #source = null;
  #ticking = null;
  #ticked = 0;
  #heard = 0;
  #retry = null;
  #position = null;
  #attempts = 0;
  #running = false;

  /**
   * The listener has `event(type, data, position)`, `final(status)` and `state("connecting" | "open" | "lost" | "closed" |
   * other)`. `posts()` has the ids of posts whose counts the page shows, although what the stream is for does not tell of
   * them. It is asked at each connection.
   */
  constructor(address, listener, { events = EVENTS, posts = () => [] } = {}) {
    this.#address = address;
    this.#listener = listener;
    this.#events = events;
    this.#posts = posts;
  }

  start() {
    if (this.#running) return;
    this.#running = true;
    this.#ticked = Date.now();
    this.#ticking = setInterval(() => this.#tick(), TICK_MS);
    this.renew();
  }

  /** Stops the stream. The argument becomes its state. */
  stop(why) {
    this.#end(why);
  }

  /** Reconnects at once, if the stream is running. */
  renew() {
    if (!this.#running) return;
    this.#attempts = 0;
    this.#open();
  }

  /** The connection is gone, whatever the browser says. Tries again at once. */
  lost() {
    if (!this.#running) return;
    this.#listener.state("lost");
    this.renew();
  }

  /** The position up to which it has told of everything. */
  get position() {
    return this.#position ?? positionIn(this.#address);
  }

  /** Continues at the position in another address. Reconnects at once, if the stream is running. */
  move(address) {
    this.#address = address;
    this.#position = null;
    this.renew();
  }

  #end(state) {
    this.#running = false;
    clearInterval(this.#ticking);
    this.#drop();
    this.#listener.state(state);
  }

  #drop() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  #open() {
    this.#drop();
    const source = new EventSource(this.#resumeAddress());
    this.#source = source;
    this.#heard = Date.now();
    for (const type of this.#events) source.addEventListener(type, (event) => this.#receive(event));
    source.addEventListener("error", () => this.#broken(source));
    this.#listener.state("connecting");
  }

  #resumeAddress() {
    const url = new URL(this.#address, location.href);
    if (this.#position) url.searchParams.set("after", this.#position);
    this.#told = this.#wanted();
    if (this.#told) url.searchParams.set("posts", this.#told);
    url.searchParams.set("with", "instance");
    if (VIEWER) url.searchParams.set("viewer", VIEWER);
    return url.href;
  }

  // Only an event proves that a stream works. An instance that cannot serve it now also answers 200, and then ends the
  // response.
  #receive(event) {
    if (event.lastEventId) this.#position = event.lastEventId;
    this.#attempts = 0;
    this.#heard = Date.now();
    this.#listener.state("open");
    this.#listener.event(event.type, event.data, event.lastEventId);
  }

  // Compares times of the wall clock, because other clocks stop while the machine sleeps.
  #tick() {
    const now = Date.now();
    const slept = now - this.#ticked > (document.visibilityState === "hidden" ? ASLEEP_HIDDEN_MS : ASLEEP_MS);
    this.#ticked = now;
    const { readyState } = this.#source;
    const patience = readyState === EventSource.OPEN ? SILENCE_MS : CONNECTING_MS;
    const dead = readyState !== EventSource.CLOSED && now - this.#heard > patience;
    if (dead) this.lost();
    else if (slept) this.renew();
  }

  #broken(source) {
    if (source !== this.#source) return;
    this.#heard = Date.now();
    this.#listener.state("connecting");
    if (source.readyState === EventSource.CLOSED) this.#askWhy(source);
    else if (this.#wanted() !== this.#told) this.#openElsewhere();
  }

  #wanted() {
    return this.#posts().slice(0, POSTS).join();
  }

  // The browser would connect again with the old posts in the address.
  #openElsewhere() {
    this.#source.close();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), FIRST_RETRY_MS + Math.random() * SPREAD_MS);
  }

  // An EventSource does not tell the status of the response that made it give up.
  async #askWhy(source) {
    const status = await probe(this.#resumeAddress());
    if (source !== this.#source) return; // the stream was stopped or restarted meanwhile
    if (FINAL.includes(status)) {
      this.#end("closed");
      this.#listener.final(status);
    } else {
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#open(), this.#backOff());
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
