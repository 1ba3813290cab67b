// Sends the texts that wait and whose form is not on this page. Otherwise they would wait until the reader comes back to
// the form. To edit one that is refused, the reader goes there.

import { Draft, repliedToByWaiting } from "./drafts.js";
import { isOnThePage, sendInPlace } from "./outbox.js";

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
  const edit = () => location.assign(replyTo ? `/posts/${replyTo}#reply` : "/home#new-post");
  for (const sent of draft.waiting.filter((one) => !isOnThePage(one) && !isInAForm(one))) {
    sendInPlace(form, draft, sent, true, edit);
  }
  form.remove(); // it has shown where they stand
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
