// After a `reset` nobody knows what a page has missed. So it fetches itself anew, as far down as it reaches: each after a
// moment of its own, so that thousands do not come at once, and again, later, when that fails or another reset comes.

const LONGEST_WAITS_MS = [5_000, 10_000, 20_000, 40_000]; // before each try
const SHORTEST_WAIT = 0.1; // of the longest
const CALM_MS = 60_000; // without a reset for so long, the tries are counted anew
const ANSWER_MS = 10_000;
const MOST_PAGES = 16; // as many as the longest list has

export class Mending {
  #listener;
  #waiting = null;
  #fetching = false;
  #again = false;
  #tries = 0;
  #mended = 0;

  /** The listener has `oldest()`, the id of the page's last article; `mended({ stream, articles, more })`; `gaveUp()`. */
  constructor(listener) {
    this.#listener = listener;
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
    if (this.#tries === LONGEST_WAITS_MS.length) {
      this.#tries = 0;
      return this.#listener.gaveUp();
    }
    const longest = LONGEST_WAITS_MS[this.#tries++];
    const wait = longest * (SHORTEST_WAIT + Math.random() * (1 - SHORTEST_WAIT));
    this.#waiting = setTimeout(() => this.#mend(), wait);
  }

  async #mend() {
    this.#waiting = null;
    this.#fetching = true;
    this.#again = false;
    const anew = await fetchAnew(this.#listener.oldest()).catch(() => null);
    this.#fetching = false;
    if (anew === null) return this.#retry();
    this.#mended = Date.now();
    this.#listener.mended(anew);
    if (this.#again) this.#retry();
  }
}

/**
 * This page as the server has it now: the address of its stream, its articles down to that one, the newest first, and
 * whether there are more, where it has none to reach down to.
 */
async function fetchAnew(oldest) {
  const articles = [];
  let stream = null;
  let passed = false;
  let address = location.pathname + location.search;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { documentElement: root } = await fetchPage(address);
    stream ??= root.querySelector("[data-live]").dataset.live;
    articles.push(...root.querySelectorAll("[data-live-list] > article.post"));
    address = root.querySelector("[data-live-pages] a[rel=next]")?.getAttribute("href");
    // The order of a list differs a little from that of the ids. So one page more tells that the article is gone.
    const reached = passed || articles.some((article) => article.dataset.postId === oldest);
    if (!oldest || !address || reached) return { stream, articles, more: !oldest && Boolean(address) };
    passed = articles.at(-1)?.dataset.postId < oldest;
  }
  throw new Error("too many were missed");
}

async function fetchPage(address) {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(address, { cache: "no-store", redirect: "manual", signal });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}
