// A page without a live list, such as the bookmarks or a page of older posts. Its light stream, see badge.js, tells of the
// counts of its posts, of new names, and which posts are deleted. After a `reset` the page fetches itself anew, keeps the
// posts that it still has, and removes the others. While the stream is away, `.not-live` at the edge of the window says
// so. A page of a conversation that is not its last one says how many replies are new.

import { articlesOf, readAlsoListed, removeArticle, removeFromPage, renew, showCounts } from "./articles.js";
import { element } from "./elements.js";
import { LiveMark, tell, tellFinal } from "./live-mark.js";
import { countReplies } from "./new-replies.js";
import { fetchShown, PageRefresh } from "./page-refresh.js";
import { positionIn } from "./positions.js";
import { showProfile } from "./profiles.js";
import { words } from "./words.js";

const AWAY = ["lost", "closed"]; // the states of a stream that are worth a word

/** The position up to which a page is complete. */
export function positionOf(page) {
  return page.body.dataset.position ?? positionIn(page.querySelector("[data-live]")?.dataset.live);
}

export class PlainPage {
  /** The id of the user whom the page goes on showing when its viewer mutes them; undefined for nobody. */
  about = aboutWhom();
  #mended;
  #refresh = new PageRefresh({
    fetch: () => fetchShown(this.posts()),
    mended: (anew) => (anew.page ? this.#merge(anew) : this.#end()),
    gaveUp: () => this.#offerReload(),
  });
  #mark = new LiveMark((state) => this.#show(state));
  #away = element("p", "not-live");

  /** Calls back with the position from which the stream goes on after the page has mended itself. */
  constructor(mended) {
    this.#mended = mended;
    readAlsoListed(document);
    this.#away.append(this.#mark.element);
  }

  /** The ids of the posts that the page shows. */
  posts() {
    return [...new Set([...document.querySelectorAll("article.post")].map(({ dataset }) => dataset.postId))];
  }

  /** What the light stream tells. */
  hear(type, data) {
    if (type === "delete") removeFromPage({ post: data });
    else if (type === "gone") removeFromPage({ user: data });
    else if (type === "profile") showProfile(JSON.parse(data), [document]);
    else if (type === "counts") this.#counted(JSON.parse(data));
    else if (type === "reset" && this.posts().length > 0) this.#refresh.begin();
  }

  state(state) {
    this.#mark.state(state);
  }

  final(status) {
    if (this.posts().length > 0) tellFinal(this.#notice(), status);
  }

  #counted(counts) {
    for (const article of articlesOf(counts.post)) showCounts(article, counts);
    countReplies(counts);
  }

  // Posts that came meanwhile are not added: they may belong to another page of the list, and the link to older posts goes
  // on where this one ends.
  #merge({ page, articles }) {
    this.#keep(articles);
    const conversation = page.querySelector("[data-live-replies]");
    if (conversation) {
      const replies = conversation.querySelector(".count").textContent;
      countReplies({ post: conversation.dataset.liveReplies, replies });
    }
    document.querySelector(".live-notice")?.remove();
    this.#mended(positionOf(page));
  }

  #keep(articles) {
    for (const id of this.posts()) {
      for (const shown of articlesOf(id)) {
        if (articles.has(id)) renew(shown, articles.get(id));
        else removeArticle(shown);
      }
    }
  }

  #end() {
    this.#keep(new Map());
    this.#offerReload();
  }

  #offerReload() {
    tell(this.#notice(), words("live.stale"), words("live.reload"), location.pathname + location.search);
  }

  #show(state) {
    this.#away.dataset.liveState = state;
    if (AWAY.includes(state)) document.body.append(this.#away);
    else this.#away.remove();
  }

  #notice() {
    const shown = document.querySelector(".live-notice");
    if (shown) return shown;
    const notice = element("p", "live-notice");
    document.querySelector(".posts").before(notice);
    return notice;
  }
}

/** The owner of the profile, or else the author of the post that the page is for. */
function aboutWhom() {
  const [owner] = /^\/@\w+/.exec(location.pathname) ?? [];
  return document.querySelector(owner ? `[data-user-id][href="${owner}" i]` : ".posts.focus a.author")?.dataset.userId;
}
