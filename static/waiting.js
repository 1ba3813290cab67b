// Sends the texts that wait and whose form is not on this page. Otherwise they would wait until the reader comes back to
// the form. To edit one that is refused, the reader goes there. When the post that it replies to is gone, or its author
// has blocked the writer, no page has that form any more. Then the text goes to the form for new posts.

import { Draft, moveToNewPost, repliedToByWaiting } from "./drafts.js";
import { problem } from "./elements.js";
import { isOnThePage, sendInPlace } from "./outbox.js";
import { fetchPage, OtherAnswer } from "./page-refresh.js";
import { words } from "./words.js";

const NEW_POST = "/home#new-post";
const WITHOUT_FORM = [403, 404]; // statuses of the page of a post that nobody may reply to

export function attachWaiting() {
  const csrf = document.querySelector("#act [name=_csrf]")?.value;
  const forms = [...document.querySelectorAll("[data-compose]")];
  const here = forms.map((form) => form.elements.namedItem("reply_to")?.value ?? "");
  if (csrf) for (const replyTo of repliedToByWaiting()) if (!here.includes(replyTo)) sendAll(replyTo, csrf);
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
  const address = replyTo ? `/posts/${replyTo}#reply` : NEW_POST;
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
  const field = moveToNewPost(replyTo);
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
