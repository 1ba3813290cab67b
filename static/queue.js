// The articles of one list (`data-live-list`) and the articles that wait to be shown. Both are bounded. `trimmed` says
// that the list has lost articles at its bottom. `overflowed` says that too many articles waited; the queue is then
// empty, and only a reload helps. A full list that has the oldest article first takes no others: they wait.

import { added, addRepost, articlesOf, entryOf, goesWith, readAlsoListed, removeArticle, removeFromPage, removeReposts, renew } from "./articles.js";
import { isAfter } from "./positions.js";

const LIST_MOST = 300; // articles
const QUEUE_MOST = 300; // articles
const DELETED_MOST = 1_000; // posts and users
const FRESH_MS = 4_000; // how long an article counts as freshly arrived

export class Queue {
  #list;
  #waiting = new Map(); // post id → article, oldest first
  #positions = new WeakMap(); // article → its position in the log, if known
  #above = new WeakMap(); // waiting article with a place in the list → the article above it; null for the top
  #doubted = new WeakSet(); // articles that were there before a reset
  #stayed = new WeakSet(); // articles that are not where the server has them, because a repost does not move them
  #deleted = null; // posts and users deleted since a reset; null when no reset is pending
  #position;
  #oldestFirst;
  overflowed = false;
  trimmed = false;

  /**
   * `position` is the position in the log up to which the list is complete. New articles go to the top of a list, or to
   * the end of one that is `oldestFirst`.
   */
  constructor(list, position, { oldestFirst = false } = {}) {
    this.#list = list;
    readAlsoListed(list);
    this.#position = position;
    this.#oldestFirst = oldestFirst;
  }

  get size() {
    return this.#waiting.size;
  }

  /** The articles that wait. */
  get waiting() {
    return [...this.#waiting.values()];
  }

  /** The id of the last article on the page; undefined when there is none. */
  get oldest() {
    return this.#list.lastElementChild?.dataset.postId;
  }

  /**
   * The id of the oldest entry on the page; undefined when there is none. The last article may have a newer one: a repost
   * that came while the article was there does not move it.
   */
  get end() {
    return [...this.#list.children].map(entryOf).sort()[0];
  }

  /** The position in the log of the last article on the page; undefined for one that the server put there. */
  get last() {
    return this.#positions.get(this.#list.lastElementChild);
  }

  /**
   * Adds an article to the queue. Returns false when the article is known, or when the queue has overflowed. A known
   * article may get another repost, and stays where it is.
   */
  add(article, position) {
    if (this.overflowed || this.#isDeleted(article)) return false;
    const known = this.#known(article);
    if (known) {
      addRepost(known, article);
      this.#stayed.add(known);
      return false;
    }
    this.#positions.set(article, position);
    this.#wait(article);
    return true;
  }

  /** The article of the same post that waits or is on the page. */
  #known(article) {
    return this.#waiting.get(article.dataset.postId) ?? document.getElementById(article.id);
  }

  #isDeleted(article) {
    return [...(this.#deleted ?? [])].some((gone) => goesWith(article, gone));
  }

  #wait(article) {
    this.#waiting.set(article.dataset.postId, article);
    if (this.#waiting.size > QUEUE_MOST) {
      this.#waiting.clear();
      this.overflowed = true;
    }
  }

  /** The waiting article of this post, as a list that has at most one element. */
  waitingFor(id) {
    return this.#waiting.has(id) ? [this.#waiting.get(id)] : [];
  }

  /**
   * Moves all waiting articles to their places in the list. Those without a place go to the top, newest first. In a list
   * that has the oldest article first they go to its end, and when it is full, they stay.
   */
  show() {
    for (const [id, article] of this.#waiting) {
      const above = this.#above.get(article);
      if (this.#oldestFirst && above === undefined && this.#list.childElementCount >= LIST_MOST) return;
      this.#waiting.delete(id);
      article.classList.add("fresh");
      if (above?.parentElement === this.#list) above.after(article);
      else if (this.#oldestFirst && above !== null) this.#list.append(article);
      else this.#list.prepend(article);
      added(article);
      setTimeout(() => article.classList.remove("fresh"), FRESH_MS);
    }
    this.#trim();
  }

  #trim() {
    while (!this.#oldestFirst && this.#list.childElementCount > LIST_MOST) {
      removeArticle(this.#list.lastElementChild);
      this.trimmed = true;
    }
  }

  /**
   * Removes what goes with a deleted post, or with a user whom the reader sees no more, from the page and from the
   * queue. `gone` has the id as `post` or as `user`.
   */
  remove(gone) {
    if (this.#deleted?.size < DELETED_MOST) this.#deleted.add(gone);
    removeFromPage(gone);
    for (const article of this.waiting) {
      if (goesWith(article, gone)) this.#waiting.delete(article.dataset.postId);
      else removeReposts(article, gone);
    }
  }

  #takeOut(id) {
    this.#waiting.delete(id);
    articlesOf(id).forEach(removeArticle);
  }

  /**
   * A merge will follow. Posts that are deleted until then must not come back with it. If the log was cut, the articles
   * that are there now may be of lost entries, and their positions cannot be compared with newer ones.
   */
  reset() {
    this.#deleted = new Set();
    for (const article of [...this.#list.children, ...this.waiting]) this.#doubted.add(article);
  }

  /**
   * Updates the page to match the server's list, which is complete up to `position`. Articles that are not in that list
   * are removed, unless they were added after that position and since the last reset. Where an older one is removed that
   * the log has after the position, the stream sends it again. New articles wait. Those below all that are on the page
   * are added at once, because they do not move the others. So the list ends where the server's list does.
   */
  merge(articles, position) {
    const there = new Set(articles.map((article) => article.dataset.postId));
    for (const article of [...this.#list.children, ...this.waiting]) {
      const known = this.#positions.get(article) ?? this.#position;
      const stays = there.has(article.dataset.postId) || (!this.#doubted.has(article) && isAfter(known, position));
      if (!stays) this.#takeOut(article.dataset.postId);
    }
    this.#position = position;
    if (!this.overflowed) this.#waitInOrder(articles);
    this.#deleted = null;
  }

  #waitInOrder(articles) {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.trimmed = false;
    let above = null;
    const found = [];
    const last = this.#oldestFirst ? -1 : articles.findLastIndex((article) => document.getElementById(article.id));
    for (const [place, article] of articles.entries()) {
      const shown = document.getElementById(article.id);
      if (shown) {
        if (entryOf(shown) !== entryOf(article)) this.#stayed.add(shown);
        renew(shown, article);
        if (!this.#stayed.has(shown)) above = shown;
      } else if (!this.#isDeleted(article)) {
        const own = waiting.get(article.dataset.postId) ?? article;
        renew(own, article);
        if (last >= 0 && place > last) {
          this.#list.append(own);
          added(own);
        } else {
          this.#above.set(own, above);
          found.push(own);
          if (this.#oldestFirst) above = own;
        }
      }
    }
    this.#trim();
    if (!this.#oldestFirst) found.reverse();
    found.forEach((article) => this.#wait(article));
    for (const article of waiting.values()) if (!this.#isDeleted(article) && !this.#known(article)) this.#wait(article);
  }
}
