// The articles of one list (`data-live-list`) and those that wait to be shown. Both are bounded: a list that lost its
// bottom says so (`trimmed`), a queue that ran over holds nothing and only a reload helps (`overflowed`).

import { added, articlesBy, articlesOf, isBy } from "./articles.js";

const LIST_MOST = 300; // articles
const QUEUE_MOST = 300; // articles
const FRESH_MS = 4_000; // how long an article counts as freshly arrived

export class Queue {
  #list;
  #waiting = new Map(); // id → article, oldest first
  overflowed = false;
  trimmed = false;

  constructor(list) {
    this.#list = list;
  }

  get size() {
    return this.#waiting.size;
  }

  /** Takes an article that is not on the page yet; false when it is known, or nothing is taken any more. */
  add(article) {
    const id = article.dataset.postId;
    if (this.overflowed || this.#waiting.has(id) || document.getElementById(article.id)) return false;
    this.#waiting.set(id, article);
    if (this.#waiting.size > QUEUE_MOST) {
      this.#waiting.clear();
      this.overflowed = true;
    }
    return true;
  }

  /** The article of this post that waits, in a list that is empty when none does. */
  waitingFor(id) {
    return this.#waiting.has(id) ? [this.#waiting.get(id)] : [];
  }

  /** Puts all that waits on top of the list, the newest first. */
  show() {
    for (const article of this.#waiting.values()) {
      article.classList.add("fresh");
      this.#list.prepend(article);
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
    this.#waiting.delete(id);
    articlesOf(id).forEach((article) => article.remove());
  }

  /** The same with all posts of an author whose account is deleted. */
  removeBy(author) {
    for (const [id, article] of this.#waiting) if (isBy(author, article)) this.#waiting.delete(id);
    articlesBy(author).forEach((article) => article.remove());
  }
}
