// `<form data-compose data-compose-limit="280">`: shows in `data-compose-count` how many characters are left, submits
// on Ctrl+Enter or Cmd+Enter, and does not submit twice.

import { Draft } from "./drafts.js";
import { element } from "./elements.js";
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
  let wasOver = false;
  const draft = new Draft(form);
  const unsure = element("p", "notice", words("outbox.unsure"));
  if (draft.unsure) text.after(unsure);

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
  function sendHere(end) {
    const body = text.value;
    const tried = once.value;
    const again = form.closest("article")?.querySelector("a.reply");
    sendInPlace(form, end, {
      sent: () => draft.drop(body),
      edit() {
        const both = joined(body, form.isConnected ? text.value : draft.kept);
        draft.keep(both);
        if (form.isConnected) text.value = both;
        else again?.click();
        show();
        text.focus();
      },
      submit() {
        text.value = body;
        once.value = tried;
        form.hidden = !form.isConnected;
        if (form.hidden) document.body.append(form);
        draft.leave(body);
        HTMLFormElement.prototype.submit.call(form);
      },
    });
    text.value = "";
    show();
  }

  form.addEventListener("submit", (event) => {
    if (busy) return event.preventDefault();
    const tried = draft.send(text.value);
    once.value = tried.once;
    unsure.remove();
    if (canSendInPlace(form)) {
      event.preventDefault();
      return sendHere(tried.end);
    }
    draft.leave(text.value);
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
  if (text.value) draft.keep(text.value); // typed before this script came
  else text.value = draft.kept;
  addEventListener("pageshow", () => {
    release();
    focusIfTarget(form, text); // the browser has moved the focus to the form itself
  });
  addEventListener("hashchange", () => focusIfTarget(form, text));
  focusIfTarget(form, text);
  show();
}

/** A text that was not posted, and what was begun below it meanwhile. */
function joined(text, begun) {
  return begun && begun !== text ? `${text}\n\n${begun}` : text;
}

/** Counts Unicode code points. Line ends count as on the server. */
function length(value) {
  return [...value.replace(/\r\n?/g, "\n")].length;
}

function focusIfTarget(form, text) {
  if (form.id && location.hash === `#${form.id}`) text.focus();
}
