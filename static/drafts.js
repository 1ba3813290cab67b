// What was typed into a form, and what was sent from it and is not known to be posted. Both are kept for the tab: by user,
// and by the post that the form replies to. So they survive a change of page, and are forgotten when the user logs out.
// What was sent keeps its `once`, so that the server posts it once only, however often it is sent. When the `once` is
// dropped, the text is only a draft, and its writer decides whether to send it again.

import { endOf, isKnown, newOnce } from "./once.js";
import { leavePage, sendsInPlace } from "./outbox.js";
import { tabStorage } from "./tab-storage.js";
import { words } from "./words.js";

const PREFIX = "draft:";
const WAITING = ":waiting";
const LOGOUT = '[formaction="/logout"]';
const LEAVES = "leaves"; // id of the user who logs out

/** Forgets the user's drafts when the user has logged out. The button asks first while a text waits. */
export function attachDrafts() {
  forgetWhoHasLeft();
  document.addEventListener("click", ({ target }) => askWhileTextsWait(target.closest?.(LOGOUT)), { capture: true });
  document.addEventListener("submit", ({ submitter }) => {
    if (!submitter?.matches(LOGOUT)) return;
    leavePage();
    tabStorage.setItem(LEAVES, document.body.dataset.viewerId);
  });
}

// The page at `/logout` says that it failed.
function forgetWhoHasLeft() {
  const user = tabStorage.getItem(LEAVES);
  if (user === null || location.pathname === "/logout") return;
  tabStorage.removeItem(LEAVES);
  if (user !== document.body.dataset.viewerId) keysOf(user).forEach((key) => tabStorage.removeItem(key));
}

function askWhileTextsWait(button) {
  if (!button) return;
  if (ownKeys().some((key) => key.endsWith(WAITING))) button.dataset.confirm = words("outbox.discard");
  else delete button.dataset.confirm;
}

function own() {
  return `${PREFIX}${document.body.dataset.viewerId}:`;
}

function ownKeys() {
  return keysOf(document.body.dataset.viewerId);
}

function keysOf(user) {
  return tabStorage.keys().filter((key) => key.startsWith(`${PREFIX}${user}:`));
}

/** The posts that the user's waiting texts reply to, as ids. It is "" for those that reply to none. */
export function repliedToByWaiting() {
  const waiting = ownKeys().filter((key) => key.endsWith(WAITING));
  return waiting.map((key) => key.slice(own().length, -WAITING.length));
}

/** The posts that the user has begun to reply to, as ids. */
export function repliedToByDrafts() {
  const parts = ownKeys().map((key) => key.slice(own().length));
  return parts.filter((replyTo) => replyTo && !replyTo.includes(":"));
}

/**
 * No page has the form of replies to this post any more. What it keeps goes to the form for new posts. Returns whether it
 * kept anything.
 */
export function moveToNewPost(replyTo) {
  const key = own() + replyTo;
  const text = tabStorage.getItem(key);
  if (!text) return false;
  const all = [tabStorage.getItem(own()), text].filter(Boolean).join("\n\n");
  tabStorage.removeItem(key);
  tabStorage.setItem(own(), all);
  const field = newPostField();
  if (field) {
    field.value = all;
    field.dispatchEvent(new Event("input"));
  }
  return true;
}

/** The field of the form for new posts; null when it is on another page. */
export function newPostField() {
  return document.querySelector("#new-post textarea");
}

export class Draft {
  #key; // undefined when nobody is signed in, or somebody else wrote the text: then nothing is kept
  #last; // what was sent last, as { body, once, end }
  #isBack; // whether the server gave the text back, and it was not sent since

  constructor(form) {
    const field = (name) => form.elements.namedItem(name);
    const isOwn = !("ofAnother" in form.dataset);
    this.#key = isOwn && document.body.dataset.viewerId && own() + (field("reply_to")?.value ?? "");
    this.#last = { body: field("body").defaultValue, ...endOf(field("once").value) };
    this.#isBack = this.#last.body !== "";
    this.#forgetWhenAnswered(form);
  }

  // The answer to a form that was sent by the browser is the page after it, which comes from the page with the form. A
  // page that can send by itself sends the text again all the same: the network may have failed, and the reader gone on.
  #forgetWhenAnswered(form) {
    const left = JSON.parse(this.#read(":gone") || null);
    this.#write(":gone", "");
    const [navigation] = performance.getEntriesByType("navigation");
    const came = navigation?.type !== "back_forward" && document.referrer === left?.from;
    if (left && came && !sendsInPlace(form)) this.posted(left);
  }

  get kept() {
    return this.#read("");
  }

  /** Whether what is kept is there on the next page. */
  get lasts() {
    return Boolean(this.#key) && tabStorage.lasts(this.#key);
  }

  keep(text) {
    this.#write("", text);
  }

  /** Keeps the text below what was kept. If one has all paragraphs of the other, it is enough. Returns what is kept. */
  keepBoth(text) {
    const { kept } = this;
    const both = hasAll(text, kept) ? text : hasAll(kept, text) ? kept : `${kept}\n\n${text}`;
    this.keep(both);
    return both;
  }

  /** What was sent and is not known to be posted, as { body, once, end }, and with a `refusal` of the server. */
  get waiting() {
    return JSON.parse(this.#read(WAITING) || "[]");
  }

  #wait(sent) {
    this.#write(WAITING, sent.length > 0 ? JSON.stringify(sent) : "");
  }

  /**
   * The text is sent now. Returns { body, once, end }; `end` is the time in ms until which it may be sent again. A text
   * that the server gave back keeps its `once` when it is corrected. If it was posted before that, the server asks.
   */
  send(body) {
    const isSame = this.#isBack || this.#last.body === body;
    this.#last = { ...this.#last, body, ...(isSame && isKnown(this.#last) ? {} : newOnce()) };
    this.#isBack = false;
    this.#wait([...this.#others(this.#last), this.#last]);
    this.keep("");
    return this.#last;
  }

  /** What was sent is sent by the browser, and another page comes. It takes the place of what the browser sent before. */
  leave({ once }) {
    const before = JSON.parse(this.#read(":gone") || null);
    if (before && before.once !== once) this.#wait(this.#others(before));
    this.#write(":gone", JSON.stringify({ once, from: location.href.split("#")[0] }));
  }

  /** It is posted. */
  posted(sent) {
    this.#wait(this.#others(sent));
    if (this.#last.once === sent.once) this.#last = {};
  }

  /** The server has refused it. Its writer has to edit it first. */
  refused({ once }, refusal) {
    this.#wait(this.waiting.map((sent) => (sent.once === once ? { ...sent, refusal } : sent)));
  }

  /** It is not posted, and its writer edits it. What was typed since stays below it. */
  edit(sent) {
    this.#takeBack([sent]);
  }

  /**
   * What was sent so long ago that nobody knows whether it was posted is in the form again. Returns whether there is such
   * a text.
   */
  editLate() {
    const late = this.waiting.filter((sent) => !sent.refusal && !isKnown(sent));
    this.#takeBack(late);
    return late.length > 0;
  }

  /** All that waits is in the form again, because this page cannot send it by itself. */
  editAll() {
    this.#takeBack(this.waiting);
  }

  #takeBack(sent) {
    if (sent.length === 0) return;
    this.#wait(this.waiting.filter(({ once }) => sent.every((taken) => taken.once !== once)));
    this.#last = { ...sent[0], refusal: undefined };
    this.#isBack = false;
    const texts = [...sent.map(({ body }) => body), this.kept];
    this.keep([...new Set(texts)].filter(Boolean).join("\n\n"));
  }

  #others({ once }) {
    return this.waiting.filter((sent) => sent.once !== once);
  }

  #read(part) {
    return (this.#key && tabStorage.getItem(this.#key + part)) || "";
  }

  #write(part, text) {
    if (this.#key && text) tabStorage.setItem(this.#key + part, text);
    else if (this.#key) tabStorage.removeItem(this.#key + part);
  }
}

/** Whether a text has another one as whole paragraphs. The first letters of a word are none. */
function hasAll(text, part) {
  return !part || `\n\n${text}\n\n`.includes(`\n\n${part}\n\n`);
}
