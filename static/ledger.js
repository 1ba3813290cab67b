// What a page has received over its stream, counted by the page itself: which posts, which of them twice, and the times
// without a stream. The log, and not the page, says what had to come: see `compare`.

import { isAfter } from "./positions.js";

const MOST_POSTS = 5_000; // after so many, counting begins anew
const MOST_GAPS = 50;
const MOST_SHARED = 300; // posts in a report
const LATE_MS = 2_000; // a post that took so long is late

/** States in which the stream is meant to work, and does not. */
const BROKEN = ["connecting", "lost"];

export class Ledger {
  #stream;
  #directReplies;
  #began = Date.now();
  #after;
  #position;
  #posts = new Map(); // id → { made, at, late, position }; with a position if it came between a reset and the refresh
  #twice = new Set();
  #merged = new Set(); // ids of posts that the page fetched itself after a reset
  #reset = false; // since a reset the page has not fetched itself yet
  #gaps = [];
  #heard = null; // when the last event came; null while there is no stream on purpose
  #broken = null; // { from, before } while the stream is broken
  #since = Infinity; // since when the stream is meant to work
  instance = null;

  /** Counts what comes after the position in the stream's address. Of a conversation the page shows direct replies. */
  constructor(address, directReplies) {
    const url = new URL(address, location.href);
    this.#after = this.#position = url.searchParams.get("after") ?? "";
    url.searchParams.delete("after");
    this.#stream = url.pathname + url.search;
    this.#directReplies = directReplies;
  }

  get gaps() {
    return this.#gaps;
  }

  /** The longest time without a stream in ms, up to now; 0 for none. */
  get longestGap() {
    const now = this.#broken ? Date.now() - this.#broken.from : 0;
    return Math.max(now, ...this.#gaps.map((gap) => gap.to - gap.from));
  }

  /** The longest time in ms from when a post was made to when it came, of those that came late; 0 for none. */
  get longestDelay() {
    return Math.max(0, ...[...this.#posts.values()].filter((post) => post.late).map((post) => post.at - post.made));
  }

  /** What was counted of a post; undefined when it has not come. */
  post(id) {
    return this.#posts.get(id);
  }

  /** The stream is in another state. Returns the gap that has ended by that, if one has. */
  state(state) {
    if (BROKEN.includes(state)) {
      if (this.#heard !== null) this.#broken ??= { from: this.#heard, before: this.instance };
      return undefined;
    }
    if (state !== "open") {
      this.#heard = this.#broken = null; // the reader has paused the stream, or does not look
      this.#since = Infinity;
      return undefined;
    }
    const broken = this.#broken;
    this.#heard = Date.now();
    this.#since = Math.min(this.#since, this.#heard);
    this.#broken = null;
    if (!broken) return undefined;
    const gap = { from: broken.from, to: this.#heard, before: broken.before, after: null };
    this.#gaps.push(gap);
    if (this.#gaps.length > MOST_GAPS) this.#gaps.shift();
    return gap;
  }

  /** An event came. Returns the id of the post that it brought and that counts, if it did. */
  event(type, article, data, position) {
    this.#heard = Date.now();
    if (position) this.#position = position;
    if (type === "instance") this.#servedBy(data);
    if (type === "reset") {
      this.#twice.clear(); // what comes now is a new beginning
      this.#reset = true;
    }
    if (type !== "post" || !article || !this.#counts(article)) return undefined;
    const id = article.dataset.postId;
    if (this.#posts.has(id)) this.#twice.add(id);
    else this.#note(id, position);
    return id;
  }

  #servedBy(instance) {
    this.instance = instance;
    const gap = this.#gaps.at(-1);
    if (gap && gap.after === null) gap.after = instance;
  }

  #counts(article) {
    if (article.querySelector(".reposted")) return false;
    return !this.#directReplies || article.querySelector(".context a")?.getAttribute("href").endsWith(`/${this.#directReplies}`);
  }

  #note(id, position) {
    if (this.#posts.size >= MOST_POSTS) this.#beginAnew();
    const at = Date.now();
    const made = Number(position.split("-")[0]);
    const gap = this.#gaps.at(-1);
    const inGap = Boolean(gap) && made <= gap.to && made >= gap.from;
    this.#posts.set(id, { made, at, late: inGap || (made >= this.#since && at - made >= LATE_MS), position: this.#reset ? position : undefined });
  }

  #beginAnew() {
    this.#posts.clear();
    this.#twice.clear();
    this.#merged.clear();
    this.#after = this.#position;
    this.#began = Date.now();
  }

  /**
   * The page has fetched itself after a reset. It shows these posts, and goes on from that position. The stream brings
   * again what has come after it; until then it has not come.
   */
  mended(ids, position) {
    const at = Date.now();
    const there = new Set(ids);
    for (const [id, post] of this.#posts) {
      if (post.position && isAfter(post.position, position) && !there.has(id)) this.#posts.delete(id);
      else post.position = undefined;
    }
    for (const id of ids) {
      if (!this.#posts.has(id)) this.#posts.set(id, { made: at, at, late: false });
      this.#merged.add(id);
    }
    this.#position = position;
    this.#reset = false;
  }

  /** The question to the log: which posts had to come until now? And those that have come. */
  ask() {
    const query = new URLSearchParams({ stream: this.#stream, after: this.#after, until: this.#position });
    return { query, come: new Set(this.#posts.keys()) };
  }

  /**
   * Compares what had come with the answer of the log. `gone` are posts that the stream brought and that the log does not have; a
   * fail-over has lost them.
   */
  compare(come, { expected, possible, cut, whole }) {
    const known = new Set([...expected, ...possible]);
    const lost = expected.filter((id) => !come.has(id));
    const gone = [...come].filter((id) => !known.has(id) && !this.#merged.has(id));
    const unknown = cut || !whole || this.#reset;
    return {
      expected: expected.length,
      shown: expected.length - lost.length,
      lost: unknown ? 0 : lost.length,
      twice: [...this.#twice].filter((id) => !this.#merged.has(id)).length,
      gone: unknown ? 0 : gone.length,
      cut: unknown,
      fetching: this.#reset,
    };
  }

  /** All of it, to be shared. */
  report(compared) {
    const { expected, shown, lost, twice, gone } = compared;
    const stream = this.#stream.split("?")[0].slice(0, 100);
    const posts = [...this.#posts.values()].slice(-MOST_SHARED).map(({ made, at, late }) => ({ made, at, late }));
    return { stream, now: Date.now(), from: this.#began, expected, shown, lost, twice, gone, gaps: this.#gaps, posts };
  }
}
