// The articles of one list (`data-live-list`) and those that wait to be shown. Both are bounded: a list that lost its
// bottom says so (`trimmed`), a queue that ran over holds nothing and only a reload helps (`overflowed`).

import { added, articlesBy, articlesOf, authorOf } from "./articles.js";

const LIST_MOST = 300; // articles
const QUEUE_MOST = 300; // articles
const DELETED_MOST = 1_000; // ids
const FRESH_MS = 4_000; // how long an article counts as freshly arrived

export class Queue {
  #list;
  #waiting = new Map(); // id → article, oldest first
  #positions = new WeakMap(); // article → where the log tells of it, as far as that is known
  #above = new WeakMap(); // article that waits → the one on the page that it stands under
  #deleted = null; // ids of posts, and of authors with their accounts, that were deleted since a reset
  #position;
  overflowed = false;
  trimmed = false;

  /** The list is complete up to that position. */
  constructor(list, position) {
    this.#list = list;
    this.#position = position;
  }

  get size() {
    return this.#waiting.size;
  }

  /** The id of the last article on the page; undefined when there is none. */
  get oldest() {
    return this.#list.lastElementChild?.dataset.postId;
  }

  /** Takes an article that is not on the page yet; false when it is known, or nothing is taken any more. */
  add(article, position) {
    if (this.overflowed || this.#isKnown(article)) return false;
    this.#positions.set(article, position);
    this.#wait(article);
    return true;
  }

  #isKnown(article) {
    const id = article.dataset.postId;
    return this.#waiting.has(id) || this.#isDeleted(article) || document.getElementById(article.id) !== null;
  }

  #isDeleted(article) {
    return (this.#deleted?.has(article.dataset.postId) || this.#deleted?.has(authorOf(article))) ?? false;
  }

  #wait(article) {
    this.#waiting.set(article.dataset.postId, article);
    if (this.#waiting.size > QUEUE_MOST) {
      this.#waiting.clear();
      this.overflowed = true;
    }
  }

  /** The article of this post that waits, in a list that is empty when none does. */
  waitingFor(id) {
    return this.#waiting.has(id) ? [this.#waiting.get(id)] : [];
  }

  /** Puts all that waits in its place, most of it on top of the list, the newest first. */
  show() {
    for (const article of this.#waiting.values()) {
      const above = this.#above.get(article);
      article.classList.add("fresh");
      if (above?.parentElement === this.#list) above.after(article);
      else this.#list.prepend(article);
      added(article);
      setTimeout(() => article.classList.remove("fresh"), FRESH_MS);
    }
    this.#waiting.clear();
    while (this.#list.childElementCount > LIST_MOST) {
      this.#list.lastElementChild.remove();
      this.trimmed = true;
    }
  }

  /** Takes a deleted post off the page, wherever it stands, and out of the queue. */
  remove(id) {
    this.#note(id);
    this.#takeOut(id);
  }

  #note(id) {
    if (this.#deleted?.size < DELETED_MOST) this.#deleted.add(id);
  }

  #takeOut(id) {
    this.#waiting.delete(id);
    articlesOf(id).forEach((article) => article.remove());
  }

  /** The same with all posts of an author whose account is deleted. */
  removeBy(author) {
    this.#note(author);
    for (const [id, article] of this.#waiting) if (authorOf(article) === author) this.#waiting.delete(id);
    articlesBy(author).forEach((article) => article.remove());
  }

  /** From here on a merge is to come, and what is deleted until then does not come back with it. */
  reset() {
    this.#deleted = new Set();
  }

  /**
   * Brings all in line with the list as the server has it, complete up to that position: what is not there goes, unless
   * it came later; what is new waits.
   */
  merge(articles, position) {
    const there = new Set(articles.map((article) => article.dataset.postId));
    for (const article of [...this.#list.children, ...this.#waiting.values()]) {
      const known = this.#positions.get(article) ?? this.#position;
      if (!there.has(article.dataset.postId) && !isAfter(known, position)) this.#takeOut(article.dataset.postId);
    }
    this.#position = position;
    if (!this.overflowed) this.#waitInOrder(articles);
    this.#deleted = null;
  }

  // What is older than all that is shown is on an older page.
  #waitInOrder(articles) {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const last = articles.findLastIndex((article) => document.getElementById(article.id));
    let above = null;
    const found = [];
    for (const article of last < 0 ? articles : articles.slice(0, last)) {
      const shown = document.getElementById(article.id);
      if (shown) above = shown;
      else if (!this.#isDeleted(article)) {
        const own = waiting.get(article.dataset.postId) ?? article;
        if (above) this.#above.set(own, above);
        found.push(own);
      }
    }
    found.reverse().forEach((article) => this.#wait(article));
    for (const article of waiting.values()) if (!this.#isKnown(article)) this.#wait(article);
  }
}

/** Whether one position of the log is after another one: `<ms>-<number>.<nonce>`. */
function isAfter(one, other) {
  const [oneMs, oneNumber] = numbers(one);
  const [otherMs, otherNumber] = numbers(other);
  return oneMs > otherMs || (oneMs === otherMs && oneNumber > otherNumber);
}

function numbers(position) {
  return position.split(/[-.]/, 2).map(Number);
}
