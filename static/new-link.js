// A list that is not live says how many posts are new, by a link to a page that has them. The link is beside the title,
// and stays in view. Only that page tells which posts the reader may see. So it is fetched when there may be a change.

import { focusTitle } from "./articles.js";
import { element } from "./elements.js";
import { fetchPage, PageRefresh } from "./page-refresh.js";
import { say } from "./status.js";
import { words } from "./words.js";

const LONGEST_WAITS_MS = [1_000, 5_000, 20_000]; // longest random wait before each look
const PAUSE_MS = 60_000; // after so many looks in a row
const MOST_PAUSES = 5; // while no look succeeds

export class NewPostsLink {
  #text;
  #refresh;
  #link = element("a", "button live-new");
  #pauses = 0; // since the last look that succeeded

  /** `address()` is that of the page with the new posts, `text(number)` says how many they are. */
  constructor(address, text) {
    this.#text = text;
    const fetch = () => fetchPage(address());
    const mended = (page) => this.#show(page, address());
    this.#refresh = new PageRefresh({ fetch, mended, gaveUp: () => this.#pause() }, LONGEST_WAITS_MS);
  }

  /** Looks soon how many posts are new. */
  look() {
    this.#refresh.begin();
  }

  // The session may be over, so it does not go on for ever.
  #pause() {
    if (this.#pauses++ < MOST_PAUSES) setTimeout(() => this.look(), PAUSE_MS);
  }

  #show(page, address) {
    this.#pauses = 0;
    const articles = [...page.querySelectorAll("[data-live-list] > article.post")];
    const known = articles.findIndex(({ id }) => document.getElementById(id));
    const number = (known < 0 ? articles : articles.slice(0, known)).filter(isOfAnother).length;
    if (number === 0) return this.#remove();
    const isMore = known < 0 && page.querySelector("[data-live-pages] a[rel=next]");
    const text = isMore ? words("live.new-many") : this.#text(number);
    const head = document.querySelector("[data-live-head]");
    if (!this.#link.isConnected) head.after(this.#link);
    else if (this.#link.textContent === text) return;
    this.#link.textContent = text;
    this.#link.href = address;
    say(text);
  }

  #remove() {
    const focused = document.activeElement === this.#link;
    this.#link.remove();
    if (focused) focusTitle();
  }
}

function isOfAnother(article) {
  return article.querySelector("a.author").dataset.userId !== document.body.dataset.viewerId;
}
