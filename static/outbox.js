// Sends a post without leaving the page. The text shows at once as being sent. While the network is away, or the server
// cannot take the text now, it is tried again with the same `once`, so it is posted once only. The post itself comes by
// the page's stream. If it does not, the text that was sent gets a link to it. A text that is refused can be edited. So
// can a text that was tried until the server may have forgotten its `once`: nobody knows whether it was posted.

import { ADDED, articlesOf, focusArticle } from "./articles.js";
import { element } from "./elements.js";
import { isKnown } from "./once.js";
import { isOutdated } from "./outdated.js";
import { say } from "./status.js";
import { GIVE_UP_MS } from "./submit-once.js";
import { language, words } from "./words.js";

const RETRY_MS = [2_000, 4_000, 8_000, 16_000, 30_000]; // the last one repeats
const LATER = [408, 429]; // statuses that do not refuse the text for good, beside those of a server that fails
const FULL = 507; // the site has no room, and will not have any soon
const ANSWER_MS = 30_000; // then the same is sent again
const ARRIVES_MS = 5_000; // how long the post may take to come, before the sent text gets a link to it

const onThePage = new Set(); // the `once` of each text that this page shows as not posted yet
let leaving = false; // the browser sends a form, and another page comes

addEventListener("pageshow", ({ persisted }) => {
  if (persisted) leaving = false; // the reader has come back to this page
});

/** Whether this page shows the text as not posted yet. */
export function isOnThePage({ once }) {
  return onThePage.has(once);
}

/** The browser sends a form, and another page comes, unless the reader stops it. */
export function leavePage() {
  leaving = true;
  setTimeout(() => (leaving = false), GIVE_UP_MS);
}

/** The browser sends the text, and another page comes. */
export function leave(draft, sent) {
  leavePage();
  draft.leave(sent);
}

/** Whether the page stays when this form is sent now. A live list whose stream was stopped would not show a new post. */
export function canSendInPlace(form) {
  const shows = document.querySelector("[data-live]") === null || isLive();
  return sendsInPlace(form) && (shows || "replyInPlace" in form.dataset);
}

/** Whether the page's list gets new posts, now or when its stream is back. */
function isLive() {
  return ["open", "connecting", "lost"].includes(document.querySelector("[data-live]")?.dataset.liveState);
}

/** Whether the page stays when this form is sent while no stream is stopped. A page that is only a form does not. */
export function sendsInPlace(form) {
  const hasPosts = "replyInPlace" in form.dataset || document.querySelector("[data-live-list]") !== null;
  return hasPosts && document.querySelector("[data-xray]") === null;
}

/**
 * Sends a text of the form, and tries again until its `once` is dropped. `resumed` says that it was sent from an earlier
 * page. Calls `edit(place)` to edit a text that was not posted. When the user has to log in, or has done so in another
 * tab, the browser sends the text. The server then answers with a page that has it. A text whose form is on another page
 * waits for that instead, so that nothing takes this page away. What the server has refused is not sent again by itself.
 */
export async function sendInPlace(form, draft, sent, resumed, edit) {
  const { body, once } = sent;
  const elsewhere = !("compose" in form.dataset);
  onThePage.add(once);
  const fields = new URLSearchParams(new FormData(form));
  fields.set("body", body);
  fields.set("once", once);
  const item = new Item(form, body, resumed);
  if (sent.refusal) return refused(sent.refusal);
  // Asked before each try, because the machine may have slept since the last one.
  for (let tries = 0; isKnown(sent); tries++) {
    const answer = await post(fields);
    if (answer?.status === 201) {
      onThePage.delete(once);
      draft.posted(sent);
      return item.made((await answer.json().catch(() => null))?.posts[0]?.id);
    }
    const login = answer?.status === 401 || (await isOutdated(answer));
    // A text would take the place of what the browser is sending. So it waits for the next page.
    if (login && !leaving && !elsewhere) return submit(form, draft, sent);
    if (answer && !login && !isPassing(answer)) {
      const problem = await answer.json().catch(() => null);
      if (resumed && problem?.superseded) return superseded();
      const refusal = problem?.detail ?? words("outbox.failed");
      draft.refused(sent, refusal);
      return refused(refusal);
    }
    const asked = answer ? secondsAsked(answer) : 0;
    item.waits(answer?.status === 429 ? words("outbox.limited", asked) : words("outbox.waiting"));
    const wait = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
    await (answer ? pause(Math.max(wait, asked * 1_000)) : online(wait));
  }
  refused(words("outbox.unsure"));

  /** Its writer has corrected it on another page. */
  function superseded() {
    onThePage.delete(once);
    draft.posted(sent);
    item.remove();
  }

  function refused(text) {
    // The browser may have kept this page while the reader was on others.
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted && isOnThePage(sent) && draft.waiting.every((other) => other.once !== once)) superseded();
    });
    item.refused(text, async (place) => {
      await edit(place);
      if (!place.isConnected) onThePage.delete(once); // it is in a form again
    });
  }
}

function submit(form, draft, sent) {
  form.elements.namedItem("body").value = sent.body;
  form.elements.namedItem("once").value = sent.once;
  form.hidden = !form.isConnected;
  if (form.hidden) document.body.append(form);
  leave(draft, sent);
  HTMLFormElement.prototype.submit.call(form);
}

/** The answer; null when none comes, or not to its end. */
async function post(fields) {
  try {
    const answer = await fetch("/posts", {
      method: "POST",
      headers: { Accept: "application/json", "Retwis-Language": language },
      body: fields,
      keepalive: true, // also when the reader leaves the page
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return new Response(await answer.text(), answer);
  } catch {
    return null;
  }
}

/** Whether the same text may be taken later. */
function isPassing({ status }) {
  return (status >= 500 && status !== FULL) || LATER.includes(status);
}

/** How long the server asks to wait. It may give a date instead, which nothing of this site does. */
function secondsAsked(answer) {
  return Number(answer.headers.get("Retry-After")) || 0;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits for a time, or until the network is back. */
function online(ms) {
  return new Promise((resolve) => {
    function over() {
      removeEventListener("online", over);
      resolve();
    }
    addEventListener("online", over);
    setTimeout(over, ms);
  });
}

/** A text on its way. */
class Item {
  #element = element("div", "outgoing");
  #state = element("p", "hint", words("outbox.sending"));

  constructor(form, text, resumed) {
    this.#element.append(element("p", "post-body", text), this.#state);
    if ("replyInPlace" in form.dataset) resumed ? form.before(this.#element) : form.replaceWith(this.#element);
    else form.after(this.#element);
  }

  waits(text) {
    if (this.#state.textContent === text) return;
    this.#state.textContent = text;
    say(text);
  }

  remove() {
    this.#element.remove();
  }

  made(id) {
    say(words("outbox.sent"));
    if (!id || articlesOf(id).length > 0) return this.remove();
    this.#state.textContent = words("outbox.sent");
    setTimeout(() => this.#linkTo(id), isLive() ? ARRIVES_MS : 0);
    const arrived = ({ target }) => {
      if (target.dataset.postId !== id) return;
      document.removeEventListener(ADDED, arrived);
      const focused = this.#element.contains(document.activeElement);
      this.remove();
      if (focused) focusArticle(target);
    };
    document.addEventListener(ADDED, arrived);
  }

  /** The page does not list the post. It may be a reply to a reply, or the list may not be live. */
  #linkTo(id) {
    const link = element("a", "", words("outbox.show"));
    link.href = `/posts/${id}`;
    this.#state.append(" ", link);
  }

  refused(text, edit) {
    this.#state.className = "error";
    this.#state.textContent = text;
    say(text);
    const button = element("button", "", words("outbox.edit"));
    button.type = "button";
    button.addEventListener("click", async () => {
      if (button.hasAttribute("aria-busy")) return;
      button.setAttribute("aria-busy", "true");
      await edit(this.#element);
      button.removeAttribute("aria-busy");
    });
    this.#element.append(button);
  }
}
