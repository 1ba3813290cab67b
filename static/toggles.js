// The buttons of each post that do something and take it back: Like and Repost. Without scripts they send the page's
// form `#act`. With scripts the page stays: the button shows at once what the viewer did, and it is counted here, because
// a stream does not tell the counts of every post that it shows. A count that the stream tells replaces this one. What
// the viewer did to which posts is asked once for the page, because a post's markup is the same for everyone. What the
// viewer does then, in whichever tab, the tabs of this browser tell each other over a BroadcastChannel.

import { articlesOf, eachArticle, showCounts } from "./articles.js";
import { channelNamed } from "./channel.js";
import { problem } from "./elements.js";
import { liveStarted } from "./live-start.js";
import { isOutdated } from "./outdated.js";
import { language, words } from "./words.js";

const ASK_AFTER_MS = 50; // posts that arrive together are asked about together
const MOST_ASKED = 100;
const ANSWER_MS = 30_000;
const BOOKMARK = ".post-actions [formaction$=bookmark]"; // the button that adds or removes the bookmark of the page's post

/** By the button's class: the name in answers and counts, the action that takes it back, and what the button shows. */
const TOGGLES = {
  like: { name: "likes", undo: "unlike", on: "♥", off: "♡", failed: () => words("like.failed") },
  repost: { name: "reposts", undo: "unrepost", on: "⇄✓", off: "⇄", failed: () => words("repost.failed") },
};

export function attachToggles() {
  const token = document.querySelector("#act [name=_csrf]")?.value;
  if (!token) return;
  const tabs = channelNamed(`reactions.${document.body.dataset.viewerId}`);
  tabs.addEventListener("message", ({ data }) => (data.label ? showBookmark(data) : hear(data)));
  // The form of this button leads to a new page. So that page tells what it came with.
  const bookmark = document.querySelector(BOOKMARK);
  if (bookmark && cameFromItself()) tabs.postMessage({ address: bookmark.getAttribute("formaction"), label: bookmark.textContent, lang: language });
  let unknown = [];
  eachArticle((article) => {
    if (unknown.push(article.dataset.postId) === 1) setTimeout(ask, ASK_AFTER_MS);
  });

  async function ask() {
    await liveStarted();
    const asked = unknown.splice(0, MOST_ASKED);
    if (unknown.length > 0) setTimeout(ask, ASK_AFTER_MS);
    try {
      const answer = await fetch(`/reactions?posts=${asked.join()}`, { headers: { Accept: "application/json" } });
      if (answer.ok) showAll(asked, await answer.json());
    } catch {
      // The buttons work without it: doing it again changes nothing.
    }
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button.like, button.repost");
    if (!button) return;
    event.preventDefault();
    const action = button.classList.contains("like") ? "like" : "repost";
    const { postId: id } = button.closest("article").dataset;
    const on = await toggle(id, action, button, token);
    if (on !== undefined) tabs.postMessage({ id, action, on });
  });
}

/** What another tab did. A button that is sending shows what it sends. */
function hear({ id, action, on }) {
  if (![...articlesOf(id)].some((article) => article.querySelector(`.${action}[data-sending]`))) show(id, action, on);
}

function cameFromItself() {
  return document.referrer === location.href.split("#")[0];
}

function showBookmark({ address, label, lang }) {
  const shown = document.querySelector(BOOKMARK);
  if (lang !== language || shown?.getAttribute("formaction").split("/")[2] !== address.split("/")[2]) return;
  shown.setAttribute("formaction", address);
  shown.textContent = label;
}

/** A button that was pressed meanwhile keeps what it shows. */
function showAll(asked, done) {
  for (const [action, { name }] of Object.entries(TOGGLES)) {
    for (const id of asked) if (!isShown(id, action)) show(id, action, (done[name] ?? []).includes(id));
  }
}

function isShown(id, action) {
  return [...articlesOf(id)].every((article) => article.querySelector(`.${action}[aria-pressed]`));
}

/** Returns whether it is on now; undefined when that failed. */
async function toggle(id, action, button, token) {
  if ("sending" in button.dataset) return;
  const { name, undo, failed } = TOGGLES[action];
  const on = button.getAttribute("aria-pressed") !== "true";
  const before = button.dataset.count;
  const article = button.closest("article");
  article.querySelector(".problem")?.remove();
  button.dataset.sending = "";
  show(id, action, on);
  try {
    const answer = await fetch(`/posts/${id}/${on ? action : undo}`, {
      method: "POST",
      headers: { Accept: "application/json", "Retwis-Language": language },
      body: new URLSearchParams({ _csrf: token }),
      keepalive: true, // also when the reader leaves the page
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (await isOutdated(answer)) throw new Refused(words("page.outdated"));
    if (answer.status >= 400) throw new Refused((await answer.json()).detail); // a proxy's answer is no JSON
    if (answer.redirected) throw new Error(answer.status);
    const { changed } = await answer.json(); // false when another page of the viewer has done it before
    if (changed && button.dataset.count === before) count(id, name, Number(before ?? 0) + (on ? 1 : -1));
    return on;
  } catch (error) {
    show(id, action, !on);
    article.append(problem(error instanceof Refused ? error.message : failed()));
  } finally {
    delete button.dataset.sending;
  }
}

/** The server says with its text why not, and when one can go on. */
class Refused extends Error {}

function show(id, action, on) {
  for (const article of articlesOf(id)) {
    const button = article.querySelector(`button.${action}`);
    button?.setAttribute("aria-pressed", on);
    if (button) button.textContent = on ? TOGGLES[action].on : TOGGLES[action].off;
  }
}

function count(id, name, number) {
  for (const article of articlesOf(id)) showCounts(article, { [name]: number });
}
