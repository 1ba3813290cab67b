// Looks after the texts whose form is not on this page. Those that wait are sent. Otherwise they would wait until the
// reader comes back to the form. To edit one that is refused, the reader goes there. When the post that a text replies to
// is gone, or its author has blocked the writer, no page has that form any more. Then the text goes to the form for new
// posts, also one that its writer has only begun.

import { articlesOf } from "./articles.js";
import { Draft, moveToNewPost, newPostField, repliedToByDrafts, repliedToByWaiting } from "./drafts.js";
import { element, problem } from "./elements.js";
import { isOnThePage, sendInPlace } from "./outbox.js";
import { fetchPage, OtherAnswer } from "./page-refresh.js";
import { say } from "./status.js";
import { words } from "./words.js";

const NEW_POST = "/home#new-post";
const WITHOUT_FORM = [403, 404]; // statuses of the page of a post that nobody may reply to

export function attachWaiting() {
  const csrf = document.querySelector("#act [name=_csrf]")?.value;
  if (csrf) for (const replyTo of repliedToByWaiting()) if (!isFormHere(replyTo)) sendAll(replyTo, csrf);
}

/** Moves the texts that no page has a form for any more. Calls `show` with a notice that says so. */
export async function moveLost(show = (notice) => document.querySelector("#main").prepend(notice)) {
  let moved = false;
  for (const replyTo of repliedToByDrafts()) {
    if (isFormHere(replyTo) || articlesOf(replyTo).length > 0) continue;
    const hasForm = await isFormAt(formOf(replyTo)).catch(() => true); // another page looks again
    if (!hasForm) moved = moveToNewPost(replyTo) || moved;
  }
  if (!moved) return;
  const notice = element("p", "notice", words("reply.moved"));
  const link = element("a", "", words("outbox.show"));
  link.href = NEW_POST;
  notice.append(" ", link);
  show(notice);
  say(words("reply.moved"));
}

function isFormHere(replyTo) {
  const forms = [...document.querySelectorAll("[data-compose]")];
  return forms.some((form) => (form.elements.namedItem("reply_to")?.value ?? "") === replyTo);
}

function formOf(replyTo) {
  return replyTo ? `/posts/${replyTo}#reply` : NEW_POST;
}

function sendAll(replyTo, csrf) {
  const form = hiddenForm({ _csrf: csrf, author: document.body.dataset.viewerId, reply_to: replyTo, once: "", body: "" });
  document.querySelector("#main").prepend(form);
  const draft = new Draft(form);
  for (const sent of draft.waiting.filter((one) => !isOnThePage(one) && !isInAForm(one))) {
    sendInPlace(form, draft, sent, true, (place) => edit(draft, sent, replyTo, place));
  }
  form.remove(); // it has shown where they stand
}

async function edit(draft, sent, replyTo, place) {
  const address = formOf(replyTo);
  place.querySelector(".problem")?.remove();
  let hasForm;
  try {
    hasForm = await isFormAt(address);
  } catch {
    return place.append(problem(words("reply.failed"))); // without a network, the way there would take this page away
  }
  draft.edit(sent);
  place.remove(); // the browser may keep this page, and the reader come back to it
  if (hasForm || !replyTo) return location.assign(address);
  moveToNewPost(replyTo);
  const field = newPostField();
  if (!field) return location.assign(NEW_POST);
  field.focus();
}

async function isFormAt(address) {
  try {
    return (await fetchPage(address)).querySelector(`form${new URL(address, location).hash}`) !== null;
  } catch (failure) {
    if (!(failure instanceof OtherAnswer)) throw failure;
    return !WITHOUT_FORM.includes(failure.status); // the page itself tells what is wrong
  }
}

/** A page that tells why a text was not taken may have it in a form, to send it again. */
function isInAForm({ once }) {
  return document.querySelector(`[name=once][value="${CSS.escape(once)}"]`) !== null;
}

/** It is never sent itself. It has the fields, and the place where the texts are shown. */
function hiddenForm(fields) {
  const form = document.createElement("form");
  form.dataset.replyInPlace = "";
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }
  return form;
}
