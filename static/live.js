// `<section data-live="/live/home?after=…">`: follows that stream. Inside it: `data-live-list` holds the articles,
// `data-live-head` gets the mark and the pause button beside `data-how-live`, `data-live-empty` goes when the first post comes,
// `data-live-pages` has the link to older posts. The state is readable as `data-live-state` on the section.

import { attachHowLive } from "./how-live.js";
import { Delays } from "./delays.js";
import { LiveView } from "./live-view.js";
import { articlesOf, parseArticle, showReplies } from "./articles.js";
import { Mending } from "./mending.js";
import { Peers } from "./peers.js";
import { Queue } from "./queue.js";
import { Stream } from "./stream.js";

const HIDDEN_MS = 30_000; // how long a hidden page keeps its stream
const SCROLLED_PX = 200; // further down than this, new posts wait

export function attachLive(section) {
  const queue = new Queue(section.querySelector("[data-live-list]"), positionIn(section.dataset.live));
  const view = new LiveView(section, { toggle, showNew });
  const delays = new Delays();
  const stream = new Stream(section.dataset.live, { event: receive, state: view.state, final });
  const mending = new Mending({ oldest: () => queue.oldest, mended, gaveUp: () => view.reset() });
  const peers = new Peers(peersChanged);
  let wanted = true; // false: paused by the reader
  let over = false; // for good
  let watched = false; // in view, or was until just now
  let hiding = null;

  function receive(type, data, position) {
    if (type === "post") {
      delays.arrived(position);
      post(data, position);
    } else if (type === "instance") delays.served(data);
    else if (type === "delete") deleted(data);
    else if (type === "gone") gone(data);
    else if (type === "counts") counted(JSON.parse(data));
    else if (type === "reset") reset();
  }

  function post(markup, position) {
    const article = parseArticle(markup);
    if (!article || !queue.add(article, position)) return;
    if (queue.size === 1 && scrollY <= SCROLLED_PX) showQueue();
    else view.waiting(queue);
  }

  function deleted(id) {
    queue.remove(id);
    view.waiting(queue);
  }

  function gone(author) {
    queue.removeBy(author);
    view.waiting(queue);
  }

  function counted({ post, replies }) {
    for (const article of [...articlesOf(post), ...queue.waitingFor(post)]) showReplies(article, replies);
  }

  function reset() {
    queue.reset();
    mending.begin();
  }

  // The stream goes on from where the page is now: what it tells a second time is known.
  function mended(anew) {
    if (over) return;
    queue.merge(anew.articles, positionIn(anew.stream));
    queue.trimmed ||= anew.more;
    view.mended(queue);
    stream.move(anew.stream);
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
  }

  function update() {
    if (over) return;
    if (!wanted) stream.stop("paused");
    else if (watched && peers.room) stream.start();
    else stream.stop("resting");
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
  addEventListener("focus", watch); // of several windows in view
  addEventListener("online", () => stream.renew());
  addEventListener("pagehide", unwatch); // a page with a stream is not kept for going back
  addEventListener("pageshow", (event) => event.persisted && followVisibility());
  if (document.visibilityState === "visible") watch();
}

/** The position that the address of a stream begins after. */
function positionIn(address) {
  return new URL(address, location.href).searchParams.get("after") ?? "0-0";
}
