// After a `reset` it is unknown which events a page has missed. So the page fetches its list again, down to the last
// article that it shows. Each page waits for a random time first, so that thousands do not ask at once. It tries again
// later when a try fails or another reset comes.

import { addRepost, entryOf, readAlsoListed } from "./articles.js";
import { language } from "./words.js";

const LONGEST_WAITS_MS = [5_000, 10_000, 20_000, 40_000]; // longest random wait before each try
const SHORTEST_WAIT = 0.1; // shortest wait, as a fraction of the longest
const CALM_MS = 60_000; // after this long without a reset, the count of tries starts again
const ANSWER_MS = 10_000;
const GONE = 404;
const MOST_PAGES = 16; // as many pages as the longest list has
const MOST_PAGES_OF_REPLIES = 6; // as many pages as the longest conversation has

/** Says that older posts are missing, because the archive is away. */
export const AWAY = "[data-older-away]";

/** The post of a conversation, and those above it. */
export const ABOVE = ".thread article.post";

export class PageRefresh {
  #listener;
  #longestWaits;
  #waiting = null;
  #fetching = false;
  #again = false;
  #tries = 0;
  #mended = 0;

  /** The listener has `fetch()`, such as `fetchList` or `fetchConversation`; `mended(answer)`; and `gaveUp()`. */
  constructor(listener, longestWaits = LONGEST_WAITS_MS) {
    this.#listener = listener;
    this.#longestWaits = longestWaits;
  }

  begin() {
    if (this.#waiting !== null) return;
    if (this.#fetching) {
      this.#again = true;
      return;
    }
    if (Date.now() - this.#mended > CALM_MS) this.#tries = 0;
    this.#retry();
  }

  #retry() {
    if (this.#tries === this.#longestWaits.length) return this.#giveUp();
    const longest = this.#longestWaits[this.#tries++];
    const wait = longest * (SHORTEST_WAIT + Math.random() * (1 - SHORTEST_WAIT));
    this.#waiting = setTimeout(() => this.#mend(), wait);
  }

  #giveUp() {
    this.#tries = 0;
    this.#listener.gaveUp();
  }

  async #mend() {
    this.#waiting = null;
    this.#fetching = true;
    this.#again = false;
    const anew = await this.#listener.fetch().catch((error) => error);
    this.#fetching = false;
    if (anew instanceof TooMany) return this.#giveUp();
    if (anew instanceof Error) return this.#retry();
    this.#mended = Date.now();
    this.#listener.mended(anew);
    if (this.#again) this.#retry();
  }
}

/** The page has missed more than it fetches. Another try would fetch as much. */
class TooMany extends Error {}

/**
 * Fetches this page's list from the server: the address of its stream; its articles, newest first, down to the end of
 * the page with the entry `end`; the link to those after them, `older`, or null; and the text that older posts are
 * missing, `away`, or null. Without `end`, only the first page is fetched.
 */
export async function fetchList(end) {
  const articles = new Map();
  let stream = null;
  let away = null;
  let passed = false;
  let address = location.pathname + location.search;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { documentElement: root } = await fetchPage(address);
    stream ??= root.querySelector("[data-live]").dataset.live;
    away ??= root.querySelector(AWAY);
    readAlsoListed(root);
    const found = [...root.querySelectorAll("[data-live-list] > article.post")];
    const entries = found.map(entryOf);
    for (const article of found) addOnce(articles, article);
    const older = root.querySelector("[data-live-pages] a[rel=next]");
    address = older?.getAttribute("href");
    // The order of a list differs slightly from the order of the ids. So one more page is read before the article
    // counts as deleted.
    const reached = passed || entries.includes(end);
    if (!end || !address || reached) return { stream, articles: [...articles.values()], older, away };
    passed = entries.at(-1) < end;
  }
  throw new TooMany();
}

/** Each page of a list has a post once, but two pages may have the same post: by itself, and by reposts. */
function addOnce(articles, article) {
  const { postId } = article.dataset;
  if (articles.has(postId)) addRepost(articles.get(postId), article);
  else articles.set(postId, article);
}

/**
 * Fetches this page's conversation from the server: the address of its stream, its articles, oldest first, the number
 * of all replies, the articles above them, and the text that older ones are missing, or null.
 */
export async function fetchConversation() {
  const articles = [];
  let first = null;
  let away = null;
  let address = location.pathname + location.search;
  for (let page = 0; page < MOST_PAGES_OF_REPLIES; page++) {
    const { documentElement: root } = await fetchPage(address);
    first ??= root;
    away ??= root.querySelector(AWAY);
    articles.push(...root.querySelectorAll("[data-live-list] > article.post"));
    address = root.querySelector("[data-live-pages] a[rel=next]")?.getAttribute("href");
    if (!address) {
      const { stream } = first.querySelector("[data-stream]").dataset;
      const above = [...first.querySelectorAll(ABOVE)];
      return { stream, articles, replies: first.querySelector("[data-stream] .count").textContent, above, away };
    }
  }
  throw new TooMany();
}

/**
 * Fetches this page from the server, and those after it down to the last of its posts: the page itself, and the articles
 * by the ids of their posts. Newer ones may have moved a post to a later page. The page is null when the server has it no
 * more.
 */
export async function fetchShown(ids) {
  const articles = new Map();
  let first = null;
  let away = false;
  let without = 0; // pages in a row that have none of the posts
  let address = location.pathname + location.search;
  for (let page = 0; page < MOST_PAGES; page++) {
    const anew = await fetchPage(address).catch(goneOrFail(first));
    if (anew === null) return { page: null };
    first ??= anew;
    away ||= anew.querySelector(AWAY) !== null;
    readAlsoListed(anew);
    const known = articles.size;
    for (const article of anew.querySelectorAll("article.post")) {
      if (ids.includes(article.dataset.postId)) addOnce(articles, article);
    }
    address = anew.querySelector("[data-live-pages] a[rel=next]")?.getAttribute("href");
    // Two pages more are read before the other posts count as deleted.
    without = articles.size === known ? without + 1 : 0;
    const passed = without > 2;
    if (passed && articles.size === 0) throw new TooMany();
    if (!address || articles.has(ids.at(-1)) || passed) {
      if (away && articles.size < ids.length) throw new Error("the archive is away");
      return { page: first, articles };
    }
  }
  throw new TooMany();
}

// Only the page itself tells that it is gone, such as that of a deleted post.
function goneOrFail(first) {
  return (error) => {
    if (first !== null || error.status !== GONE) throw error;
    return null;
  };
}

/** The server has answered, but not with the page. `status` is undefined when it has sent the page of another user. */
export class OtherAnswer extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Fetches a page of this site as a document, in the language of the open page. Fails with `OtherAnswer` when the answer
 * is another one, such as a redirect to log in, or the page of a user who has logged in since in another tab.
 */
export async function fetchPage(address) {
  const { viewerId } = document.body.dataset;
  const headers = { "Retwis-Language": language, ...(viewerId && { "Retwis-Viewer": viewerId }) };
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(address, { cache: "no-store", redirect: "manual", headers, signal });
  if (!answer.ok) throw new OtherAnswer(`${address}: ${answer.status}`, answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (page.body.dataset.viewerId !== viewerId) throw new OtherAnswer(`${address}: of another user`);
  return page;
}
