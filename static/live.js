// `<section data-live="/live/home?after=…">`: follows that stream. The section contains these elements:
// `data-live-list` has the articles; `data-live-head` gets the mark and the pause button, beside `data-how-live`;
// `data-live-empty` is shown while the list is empty; `data-live-pages` has the link to older posts. The attribute
// `data-live-state` of the section shows the state. With `data-live-replies` the list has the replies to that post, and
// `data-live-more` is the address of a page of them, see positions.js. Each page of a conversation has these, and the
// address of its stream as `data-stream`, also when it is not the last one, which alone is live. The section gets the
// events `live:event`, `live:state` and `live:mended`.

import { attachHowLive } from "./how-live.js";
import { hearUnread, missUnread, pageHasStream } from "./badge.js";
import { Delays } from "./delays.js";
import { LiveView } from "./live-view.js";
import { articlesOf, parseArticle, removeArticle, renew, repliedTo, showCounts } from "./articles.js";
import { ABOVE, fetchConversation, fetchList, PageRefresh } from "./page-refresh.js";
import { positionIn } from "./positions.js";
import { showProfile } from "./profiles.js";
import { StreamSlots } from "./stream-slots.js";
import { Queue } from "./queue.js";
import { Stream } from "./stream.js";

const HIDDEN_MS = 30_000; // how long a hidden page keeps its stream
const SCROLLED_PX = 200; // if the reader has scrolled further down than this, new posts wait

export function attachLive(section) {
  const conversation = section.dataset.liveReplies; // the post whose replies are shown, oldest first; else undefined
  const list = section.querySelector("[data-live-list]");
  const queue = new Queue(list, positionIn(section.dataset.live), { oldestFirst: Boolean(conversation) });
  const view = new LiveView(section, { toggle, showNew });
  const delays = new Delays();
  const listener = { event: receive, state: changedState, final };
  const stream = new Stream(section.dataset.live, listener, { posts: guests });
  const fetchAnew = () => (conversation ? fetchConversation() : fetchList(queue.end));
  const mending = new PageRefresh({ fetch: fetchAnew, mended, gaveUp: () => view.reset() });
  const peers = new StreamSlots(peersChanged);
  let wanted = true; // false when the reader has paused the stream
  let over = false; // true when the stream has ended for good
  let watched = false; // the page is visible, or was until a moment ago
  let hiding = null;

  // Tells other scripts of the page what the stream does.
  function tell(what, detail) {
    section.dispatchEvent(new CustomEvent(`live:${what}`, { detail }));
  }

  function changedState(state) {
    tell("state", state);
    view.state(state);
  }

  function receive(type, data, position) {
    tell("event", { type, data, position });
    hearUnread(type, data);
    if (type === "post") {
      delays.arrived(position);
      post(data, position);
    } else if (type === "instance") delays.served(data);
    else if (type === "delete") gone({ post: data });
    else if (type === "gone") gone({ user: data });
    else if (type === "profile") showProfile(JSON.parse(data), [document, ...queue.waiting]);
    else if (type === "counts") counted(JSON.parse(data));
    else if (type === "reset") reset();
  }

  function post(markup, position) {
    const article = parseArticle(markup);
    if (!article || (conversation && repliedTo(article) !== conversation)) return; // a reply to a reply
    if (!queue.add(article, position)) return;
    changed(queue.size === 1 && !wouldDisturb());
    if (queue.size === 0 && article.dataset.author !== document.body.dataset.viewer) view.arrived();
  }

  /** Whether posts at the top would move what the reader reads, or the field of a reply that they write. */
  function wouldDisturb() {
    return scrollY > SCROLLED_PX || list.querySelector("[data-reply-in-place]") !== null;
  }

  /** A `post` is deleted, or the reader sees a `user` no more: deleted, suspended, muted or blocked. */
  function gone(what) {
    queue.remove(what);
    changed(false);
  }

  function changed(shows) {
    if (conversation || shows) showQueue();
    else view.waiting(queue);
  }

  function counted(counts) {
    for (const article of [...articlesOf(counts.post), ...queue.waitingFor(counts.post)]) showCounts(article, counts);
    if (counts.post === conversation) showReplies(counts.replies);
  }

  function showReplies(number) {
    section.querySelector(".count").textContent = number;
  }

  function reset() {
    queue.reset();
    mending.begin();
  }

  // The stream continues from the position of the fetched page. Events that it repeats are ignored, because their posts
  // are known.
  function mended(anew) {
    if (over) return;
    queue.merge(anew.articles, positionIn(anew.stream));
    if (conversation) {
      showReplies(anew.replies);
      renewAbove(anew.above);
      showQueue();
    } else if (!queue.overflowed) view.older(queue, anew.older);
    view.mended(queue, anew.away);
    tell("mended", { ids: anew.articles.map((article) => article.dataset.postId), position: positionIn(anew.stream) });
    missUnread();
    stream.move(anew.stream);
  }

  /** Posts above a conversation that are gone meanwhile are removed. */
  function renewAbove(articles) {
    for (const shown of document.querySelectorAll(ABOVE)) {
      const { postId } = shown.dataset;
      const anew = articles.find((article) => article.dataset.postId === postId);
      if (anew) renew(shown, anew);
      else removeArticle(shown);
    }
  }

  /** Ids of the posts that the stream is not for: those above a conversation, and those that somebody reposted. */
  function guests() {
    const articles = [...document.querySelectorAll("article.post"), ...queue.waiting];
    const shown = articles.filter((article) => article.matches(ABOVE) || article.querySelector(".reposted"));
    return shown.map(({ dataset }) => dataset.postId);
  }

  function showQueue() {
    queue.show();
    view.shown(queue);
  }

  function showNew() {
    showQueue();
    scrollTo({ top: 0 }); // smooth unless the reader wants less motion: see site.css
  }

  function toggle() {
    wanted = !wanted;
    if (wanted) peers.active();
    else peers.gone();
    update();
  }

  function final(status) {
    over = true;
    peers.gone();
    view.final(status);
    update();
  }

  function update() {
    const runs = !over && wanted && watched && peers.room;
    if (runs) stream.start();
    else if (!over) stream.stop(wanted ? "resting" : "paused");
    pageHasStream(runs, stream.position);
  }

  function watch() {
    clearTimeout(hiding);
    watched = true;
    if (wanted && !over) peers.active();
    update();
  }

  function unwatch() {
    clearTimeout(hiding);
    watched = false;
    peers.gone();
    update();
  }

  function followVisibility() {
    clearTimeout(hiding);
    if (document.visibilityState === "visible") watch();
    else if (peers.room) hiding = setTimeout(unwatch, HIDDEN_MS);
    else unwatch();
  }

  function peersChanged() {
    if (watched && document.visibilityState === "hidden" && !peers.room) unwatch();
    else update();
  }

  attachHowLive(section.querySelector("[data-how-live]"), delays);
  document.addEventListener("visibilitychange", followVisibility);
  addEventListener("focus", watch); // when several windows are visible, this tells which one is in use
  addEventListener("offline", () => stream.lost());
  addEventListener("online", () => stream.renew());
  addEventListener("pagehide", unwatch); // browsers do not keep a page for the back button while it has a stream
  addEventListener("pageshow", (event) => event.persisted && followVisibility());
  if (document.visibilityState === "visible") watch();
}
