// How long this page's last posts took from the log to here, and which instance serves its stream. The position of a
// post tells when it was committed, by the data node's clock; what this clock is off is known only when asked for.

const KEPT = 100; // posts

export class Delays {
  instance = null;
  #openedAt = null;
  #posts = [];

  /** A stream has opened, at that instance. */
  served(instance) {
    this.instance = instance;
    this.#openedAt = Date.now();
  }

  /** A post has come. */
  arrived(position) {
    if (this.#openedAt === null) return;
    this.#posts.push({ committed: Number(position.split("-")[0]), openedAt: this.#openedAt, at: Date.now() });
    if (this.#posts.length > KEPT) this.#posts.shift();
  }

  /**
   * The delays in ms, shortest first, given how far the data node's clock is ahead of this one, and by how many ms that
   * may be wrong. Posts from before their stream was opened are left out: that they waited for a reader is no delay.
   */
  sorted(ahead, error) {
    return this.#posts
      .filter((post) => post.committed >= post.openedAt + ahead - error)
      .map((post) => Math.max(0, post.at + ahead - post.committed))
      .sort((one, other) => one - other);
  }
}
