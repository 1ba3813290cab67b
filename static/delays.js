// How long the newest posts took from the log to this page, and which instance serves the page's stream. The position
// of a post contains the time of its commit, by the data node's clock. The difference between that clock and this one
// is measured only when the delays are shown.

const KEPT = 100; // posts

export class Delays {
  instance = null;
  #openedAt = null;
  #posts = [];

  /** A stream from this instance has opened. */
  served(instance) {
    this.instance = instance;
    this.#openedAt = Date.now();
  }

  /** A post has arrived. */
  arrived(position) {
    if (this.#openedAt === null) return;
    this.#posts.push({ committed: Number(position.split("-")[0]), openedAt: this.#openedAt, at: Date.now() });
    if (this.#posts.length > KEPT) this.#posts.shift();
  }

  /**
   * The delays in ms, shortest first. `ahead` is how far the data node's clock is ahead of this one, and `error` is the
   * possible error of that, both in ms. Posts that were committed before their stream was opened are left out, because
   * they had to wait for it.
   */
  sorted(ahead, error) {
    return this.#posts
      .filter((post) => post.committed >= post.openedAt + ahead - error)
      .map((post) => Math.max(0, post.at + ahead - post.committed))
      .sort((one, other) => one - other);
  }
}
