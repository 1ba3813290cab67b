// `<form data-compose data-compose-limit="280">`: shows in `data-compose-count` how many characters are left, and submits
// on Ctrl+Enter or Cmd+Enter.

import { focusTitle } from "./articles.js";
import { Draft } from "./drafts.js";
import { element } from "./elements.js";
import { canSendInPlace, isOnThePage, leave, sendInPlace, sendsInPlace } from "./outbox.js";
import { say } from "./status.js";
import { words } from "./words.js";

const LEFT = "compose:left";
const BACK = "compose:back";

// A browser puts back what a field had when the reader left the page, or has kept the whole page as it was. Meanwhile the
// text may have grown on another page, or may be posted. So a field whose text is kept is left empty. What it has when
// the reader comes back is not kept yet.
addEventListener("pagehide", () => tellForms(LEFT));
addEventListener("pageshow", () => tellForms(BACK));

function tellForms(what) {
  document.querySelectorAll("[data-compose]").forEach((form) => form.dispatchEvent(new Event(what)));
}

export function attachCompose(form) {
  const limit = Number(form.dataset.composeLimit);
  const text = form.elements.namedItem("body");
  const once = form.elements.namedItem("once");
  const button = form.querySelector("button.primary");
  const count = form.querySelector("[data-compose-count]");
  let wasOver = false;
  const draft = new Draft(form);
  const isUnsure = draft.editLate();
  const unsure = element("p", "notice", words("outbox.unsure"));
  if (isUnsure) text.after(unsure);

  function show() {
    const left = limit - length(text.value);
    const over = left < 0;
    count.textContent = over ? words("compose.over", -left) : words("compose.left", left);
    count.toggleAttribute("data-over", over);
    button.disabled = over;
    if (over && !wasOver) say(words("compose.too-long", limit));
    wasOver = over;
  }

  function sendHere(sent, resumed) {
    const again = form.closest("article")?.querySelector("a.reply");
    const focused = form.contains(document.activeElement);
    sendInPlace(form, draft, sent, resumed, (place) => {
      draft.edit(sent);
      if (!form.isConnected) putBack(form, place);
      text.value = draft.kept;
      show();
      text.focus();
      place.remove();
    });
    if (!focused || form.isConnected) return;
    if (again) again.focus({ preventScroll: true });
    else focusTitle();
  }

  form.addEventListener("submit", (event) => {
    const sent = draft.send(text.value);
    once.value = sent.once;
    unsure.remove();
    if (canSendInPlace(form)) {
      event.preventDefault();
      sendHere(sent, false);
      text.value = ""; // the form is free for the next text at once
      return show();
    }
    leave(draft, sent);
  });

  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    if (!button.disabled && !event.repeat) form.requestSubmit(button);
  });

  // The second half of a double click would ask for a text, because the first one has sent it.
  button.addEventListener("click", (event) => {
    if (event.detail > 1) event.preventDefault();
  });

  text.addEventListener("input", () => {
    draft.keep(text.value);
    show();
  });

  function resume() {
    if (sendsInPlace(form)) draft.waiting.filter((sent) => !isOnThePage(sent)).forEach((sent) => sendHere(sent, true));
    else if (!text.value) draft.editAll();
  }

  /** Something may have been typed before this script came. What this page sent may not have come to the server. */
  function begin() {
    resume();
    text.value = draft.keepBoth(text.value);
    show();
  }

  form.addEventListener(LEFT, () => draft.lasts && (text.value = ""));
  form.addEventListener(BACK, begin);
  begin();
  // A form that was opened in place is no target of an address, and its page is shown already.
  if (!("replyInPlace" in form.dataset)) {
    addEventListener("pageshow", ({ persisted }) => {
      if (isNew() && !persisted) focusIfTarget(form, text); // the browser has moved the focus to the form itself
    });
    addEventListener("hashchange", () => focusIfTarget(form, text));
    if (isNew()) focusIfTarget(form, text);
  }
}

/** Puts the form of a reply back, instead of the one that is open. The post that it replies to may be gone. */
function putBack(form, place) {
  document.querySelector("article [data-reply-in-place]")?.remove();
  place.before(form);
}

/** Counts Unicode code points. Line ends count as on the server. */
function length(value) {
  return [...value.replace(/\r\n?/g, "\n")].length;
}

/** Whether the reader has come to this page by a link, and neither came back to it nor reloaded it. */
function isNew() {
  return performance.getEntriesByType("navigation")[0]?.type === "navigate";
}

function focusIfTarget(form, text) {
  if (form.id && location.hash === `#${form.id}`) text.focus();
}
