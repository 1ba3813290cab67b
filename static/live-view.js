// The visible parts of a live list: the mark and the pause button in `data-live-head`, the "3 new posts" button, the link
// to replies that a conversation has no room for, and notices. This module creates all of them, because without scripts
// there is nothing to show.

import { focusTitle } from "./articles.js";
import { element } from "./elements.js";
import { LiveMark, tell, tellFinal } from "./live-mark.js";
import { AWAY } from "./page-refresh.js";
import { repliesAfter } from "./positions.js";
import { say } from "./status.js";
import { words } from "./words.js";

const SPOKEN_MS = 60_000;

export class LiveView {
  #section;
  #mark = new LiveMark();
  #pause = element("button", "", words("live.pause"));
  #new = element("button", "live-new");
  #more = element("a", "");
  #notice = element("p", "live-notice");
  #empty;
  #said = 0; // how many waiting posts were said last
  #arrived = 0; // new posts at the top that were not said
  #silent = false;

  constructor(section, { toggle, showNew }) {
    this.#section = section;
    this.#empty = section.querySelector("[data-live-empty]");
    const controls = element("span", "live-controls");
    const head = section.querySelector("[data-live-head]");
    const howLive = head.querySelector("[data-how-live]");
    howLive.prepend(this.#mark.element);
    controls.append(howLive, this.#pause);
    head.append(controls);
    section.querySelector("[data-live-list]").before(this.#notice, this.#new);
    this.#more.rel = "next";
    this.#pause.type = this.#new.type = "button";
    this.#new.hidden = this.#notice.hidden = true;
    this.#pause.addEventListener("click", toggle);
    this.#new.addEventListener("click", () => this.#clicked(showNew));
  }

  #clicked(showNew) {
    if (this.overflowed) return location.assign(location.pathname);
    showNew();
    // The button is gone now. Keyboard users continue at the first of the new posts.
    this.#section.querySelector("article a")?.focus({ preventScroll: true });
  }

  state = (state) => {
    if (this.#section.dataset.liveState === state) return;
    this.#section.dataset.liveState = state;
    this.#pause.textContent = state === "paused" ? words("live.resume") : words("live.pause");
    this.#mark.state(state);
  };

  /**
   * Shows how many new posts wait, or that there are too many of them. Says so at the first one, and whenever they are
   * twice as many.
   */
  waiting(queue) {
    const { size, overflowed } = queue;
    this.#showIfEmpty(queue);
    if (this.#section.dataset.liveMore) return this.#linkToMore(queue);
    this.overflowed = overflowed;
    const focused = document.activeElement === this.#new;
    this.#new.hidden = size === 0 && !overflowed;
    if (size === 0) this.#said = 0;
    if (this.#new.hidden) {
      if (focused) focusTitle();
      this.#new.textContent = ""; // the next one is said, although the words are the same
      return;
    }
    const text = overflowed ? words("live.overflowed") : words("live.new", size);
    if (this.#new.textContent === text) return;
    this.#new.textContent = text;
    if (!overflowed && size < 2 * this.#said) return;
    this.#said = size;
    say(text);
  }

  /** A new post is on the page. Says how many are, at most once in SPOKEN_MS. */
  arrived() {
    this.#arrived++;
    if (!this.#silent) this.#sayArrived();
  }

  #sayArrived() {
    this.#silent = this.#arrived > 0;
    if (!this.#silent) return;
    const replies = "liveReplies" in this.#section.dataset;
    say(replies ? words("live.new-replies", this.#arrived) : words("live.new", this.#arrived));
    this.#arrived = 0;
    setTimeout(() => this.#sayArrived(), SPOKEN_MS);
  }

  #showIfEmpty({ oldest }) {
    if (this.#empty) this.#empty.hidden = Boolean(oldest) || this.#section.querySelector(AWAY) !== null;
  }

  /** The posts that waited are on the page now. */
  shown(queue) {
    this.waiting(queue);
    if (queue.trimmed) this.#olderByReload();
  }

  /** The page is complete again, but for older posts if there is a text that says so. */
  mended(queue, away) {
    this.#notice.hidden = true;
    this.#section.querySelector(AWAY)?.remove();
    if (away) this.#section.querySelector("[data-live-pages]").before(away);
    this.waiting(queue);
  }

  /** The list ends where this link to older posts begins, or it has all of them. */
  older({ trimmed }, link) {
    if (trimmed) return this.#olderByReload();
    const pages = this.#section.querySelector("[data-live-pages]");
    const focused = pages.contains(document.activeElement);
    pages.querySelector("a[rel=next], [data-reload]")?.remove();
    if (link) pages.append(link);
    if (focused && link) link.focus({ preventScroll: true });
    else if (focused) focusTitle();
  }

  reset() {
    tell(this.#notice, words("live.missed"), words("live.reload"), location.pathname);
  }

  final(status) {
    this.#pause.hidden = true;
    tellFinal(this.#notice, status);
  }

  // Posts at the bottom were removed from the page, so the link to older posts would skip them.
  #olderByReload() {
    const pages = this.#section.querySelector("[data-live-pages]");
    if (pages.querySelector("[data-reload]")) return;
    const link = element("a", "", words("live.reload-older"));
    link.href = location.pathname;
    link.dataset.reload = "";
    pages.replaceChildren(link);
  }

  // The page with the other replies begins after the last one here. When the time of that one's commit is unknown, the
  // link leads to the first page.
  #linkToMore({ size, overflowed, oldest, last }) {
    this.#more.textContent = overflowed ? words("live.many-replies") : words("live.more-replies", size);
    const first = this.#section.dataset.liveMore;
    this.#more.href = last ? repliesAfter(first, last, oldest) : first;
    if (size > 0 || overflowed) this.#section.querySelector("[data-live-pages]").append(this.#more);
    else this.#more.remove();
  }
}
