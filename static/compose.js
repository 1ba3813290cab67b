// `<form data-compose data-compose-limit="280">`: shows in `data-compose-count` how many characters are left, submits
// on Ctrl+Enter or Cmd+Enter, and does not submit twice. What is typed survives a change of page: it is kept for the tab,
// by the form's address and the post that it replies to.

import { canSendInPlace, sendInPlace } from "./outbox.js";
import { say } from "./status.js";
import { words } from "./words.js";

const GIVE_UP_MS = 10_000; // after this time, a submit that has not left the page may be tried again

export function attachCompose(form) {
  const limit = Number(form.dataset.composeLimit);
  const text = form.elements.namedItem("body");
  const once = form.elements.namedItem("once");
  const button = form.querySelector("button");
  const count = form.querySelector("[data-compose-count]");
  let busy = false;
  let sent = null;
  let wasOver = false;
  const draft = new Draft(form);

  function show() {
    const left = limit - length(text.value);
    const over = left < 0;
    count.textContent = over ? words("compose.over", -left) : words("compose.left", left);
    count.toggleAttribute("data-over", over);
    button.disabled = over || busy;
    if (over && !wasOver) say(words("compose.too-long", limit));
    wasOver = over;
  }

  function release() {
    busy = false;
    show();
  }

  // The form is free for the next text at once.
  function sendHere() {
    const body = text.value;
    const again = form.closest("article")?.querySelector("a.reply");
    sendInPlace(form, {
      sent: () => draft.drop(body),
      edit() {
        draft.keep(body);
        if (form.isConnected) text.value = body;
        else again?.click();
        show();
        text.focus();
      },
      submit() {
        text.value = body;
        form.hidden = !form.isConnected;
        if (form.hidden) document.body.append(form);
        HTMLFormElement.prototype.submit.call(form);
      },
    });
    once.value = nonce();
    text.value = "";
    show();
  }

  form.addEventListener("submit", (event) => {
    if (busy) return event.preventDefault();
    if (canSendInPlace(form)) {
      event.preventDefault();
      return sendHere();
    }
    // When the user comes back from another page, the form still holds the `once` value of the post it made. A new text
    // needs a new value.
    if (sent !== null && sent !== text.value) once.value = nonce();
    sent = text.value;
    draft.sent(text.value);
    busy = true;
    button.disabled = true;
    setTimeout(release, GIVE_UP_MS);
  });

  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    if (!button.disabled) form.requestSubmit(button);
  });

  text.addEventListener("input", () => {
    draft.keep(text.value);
    show();
  });
  text.value ||= draft.kept;
  addEventListener("pageshow", () => {
    release();
    focusIfTarget(form, text); // the browser has moved the focus to the form itself
  });
  addEventListener("hashchange", () => focusIfTarget(form, text));
  focusIfTarget(form, text);
  show();
}

/** What was typed into a form. It is forgotten when the page after sending it has come. */
class Draft {
  #key;

  constructor(form) {
    this.#key = `draft:${form.elements.namedItem("reply_to")?.value ?? ""}`;
    const [navigation] = performance.getEntriesByType("navigation");
    const came = navigation?.type !== "back_forward"; // else sending may have failed
    if (came && this.kept === sessionStorage.getItem(`${this.#key}:sent`)) this.keep("");
    sessionStorage.removeItem(`${this.#key}:sent`);
  }

  get kept() {
    return sessionStorage.getItem(this.#key) ?? "";
  }

  keep(text) {
    if (text) sessionStorage.setItem(this.#key, text);
    else sessionStorage.removeItem(this.#key);
  }

  /** The text is posted. What was typed since stays. */
  drop(text) {
    if (this.kept === text) this.keep("");
  }

  sent(text) {
    this.keep(text);
    sessionStorage.setItem(`${this.#key}:sent`, text);
  }
}

/** Counts Unicode code points. Line ends count as on the server. */
function length(value) {
  return [...value.replace(/\r\n?/g, "\n")].length;
}

function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function focusIfTarget(form, text) {
  if (form.id && location.hash === `#${form.id}`) text.focus();
}
