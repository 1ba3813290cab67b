// The Like button of each post. Without scripts it sends the page's form `#act`. With scripts the page stays: the button
// shows at once whether the viewer likes the post, and the count comes by the stream. While no stream runs it is counted
// here. Which posts the viewer likes is asked once for the page, because a post's markup is the same for everyone.

import { articlesOf, eachArticle, showCounts } from "./articles.js";
import { say } from "./status.js";
import { words } from "./words.js";

const ASK_AFTER_MS = 50; // posts that arrive together are asked about together
const MOST_ASKED = 100;

export function attachLikes() {
  const token = document.querySelector("#act [name=_csrf]")?.value;
  if (!token) return;
  let unknown = [];
  eachArticle((article) => {
    if (unknown.push(article.dataset.postId) === 1) setTimeout(ask, ASK_AFTER_MS);
  });

  async function ask() {
    const asked = unknown.splice(0, MOST_ASKED);
    if (unknown.length > 0) setTimeout(ask, ASK_AFTER_MS);
    try {
      const answer = await fetch(`/reactions?posts=${asked.join()}`, { headers: { Accept: "application/json" } });
      if (answer.ok) for (const id of (await answer.json()).likes) show(id, true);
    } catch {
      // The buttons work without it: liking a post again changes nothing.
    }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button.like");
    if (!button) return;
    event.preventDefault();
    toggle(button.closest("article").dataset.postId, button, token);
  });
}

async function toggle(id, button, token) {
  if ("sending" in button.dataset) return;
  const likes = button.getAttribute("aria-pressed") !== "true";
  const before = button.dataset.count;
  button.dataset.sending = "";
  show(id, likes);
  try {
    const answer = await fetch(`/posts/${id}/${likes ? "like" : "unlike"}`, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ _csrf: token }),
    });
    if (answer.redirected || !answer.ok) throw new Error(answer.status);
    if (!isCounted() && button.dataset.count === before) count(id, Number(before ?? 0) + (likes ? 1 : -1));
  } catch {
    show(id, !likes);
    say(words("like.failed"));
  } finally {
    delete button.dataset.sending;
  }
}

/** Whether a stream tells the counts, at once or when its connection is back. */
function isCounted() {
  return ["open", "connecting", "lost"].includes(document.querySelector("[data-live]")?.dataset.liveState);
}

function show(id, likes) {
  for (const article of articlesOf(id)) {
    const button = article.querySelector("button.like");
    button?.setAttribute("aria-pressed", likes);
    if (button) button.textContent = likes ? "♥" : "♡";
  }
}

function count(id, likes) {
  for (const article of articlesOf(id)) showCounts(article, { likes });
}
