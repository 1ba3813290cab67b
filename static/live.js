// `<section data-live="/live/home?after=…">`: follows that stream. Inside it: `data-live-list` holds the articles,
// `data-live-head` gets the mark and the pause button, `data-live-empty` goes when the first post comes,
// `data-live-pages` has the link to older posts. The state is readable as `data-live-state` on the section.

import { LiveView } from "./live-view.js";
import { parseArticle } from "./articles.js";
import { Queue } from "./queue.js";
import { Stream } from "./stream.js";

const HIDDEN_MS = 30_000; // how long a hidden page keeps its stream
const SCROLLED_PX = 200; // further down than this, new posts wait

export function attachLive(section) {
  const queue = new Queue(section.querySelector("[data-live-list]"));
  const view = new LiveView(section, { toggle, showNew });
  const stream = new Stream(section.dataset.live, { event: receive, state: view.state, final });
  let wanted = true; // false: paused by the reader, or over for good
  let hiding = null;

  function receive(type, data) {
    if (type === "post") post(data);
    else if (type === "delete") deleted(data);
    else if (type === "reset") view.reset();
  }

  function post(markup) {
    const article = parseArticle(markup);
    if (!article || !queue.add(article)) return;
    if (queue.size === 1 && scrollY <= SCROLLED_PX) showQueue();
    else view.waiting(queue);
  }

  function deleted(id) {
    queue.remove(id);
    view.waiting(queue);
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
    if (wanted) stream.start();
    else stream.stop();
  }

  function final(status) {
    wanted = false;
    view.final(status);
  }

  function followVisibility() {
    clearTimeout(hiding);
    if (document.visibilityState === "hidden") hiding = setTimeout(() => stream.stop(), HIDDEN_MS);
    else if (wanted) stream.start();
  }

  document.addEventListener("visibilitychange", followVisibility);
  addEventListener("pagehide", () => stream.stop()); // a page with a stream is not kept for going back
  addEventListener("pageshow", (event) => event.persisted && followVisibility());
  if (document.visibilityState === "visible") stream.start();
}
