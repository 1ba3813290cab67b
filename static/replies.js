// Replying in place: a click on a post's Reply opens the form under the post. The form is that of the post's own page, so
// it works as there. After sending, the reader is where they were. Without scripts the link leads to that page. It does so
// too when the server does not give the form, but not without a network: that would take the reader's page away.

import { focusTitle } from "./articles.js";
import { attachCompose } from "./compose.js";
import { problem } from "./elements.js";
import { isEscape } from "./keyboard.js";
import { fetchPage, OtherAnswer } from "./page-refresh.js";
import { moveLost } from "./waiting.js";
import { words } from "./words.js";

const OPEN = "article [data-reply-in-place]";

let clicks = 0; // only the last of quick clicks opens a form

export function attachReplies() {
  if (!document.body.dataset.viewer) return;
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.reply");
    if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const own = link.pathname === location.pathname ? document.querySelector(link.hash) : null;
    const field = own?.querySelector("textarea"); // the form is on this page
    if (own && !field) return; // the page says why there is none
    event.preventDefault();
    if (field) field.focus();
    else open(link);
  });
}

async function open(link) {
  const article = link.closest("article");
  const click = ++clicks;
  article.querySelector(".problem")?.remove();
  if (article.querySelector(OPEN)) return article.querySelector(`${OPEN} textarea`).focus();
  let form = null;
  try {
    form = (await fetchPage(link.href)).querySelector("form#reply");
  } catch (failure) {
    const answered = failure instanceof OtherAnswer;
    if (click === clicks && !answered) return article.append(problem(words("reply.failed")));
  }
  if (click !== clicks || article.querySelector(OPEN)) return;
  if (!form || !article.isConnected) return location.assign(link.href); // the page itself tells what is wrong
  show(form, article, link);
}

function show(form, article, link) {
  const id = article.dataset.postId;
  form.dataset.replyInPlace = "";
  form.id = `reply-to-${id}`;
  rename(form, id);
  form.elements.namedItem("next").value = `${location.pathname}${location.search}#${article.id}`;
  form.addEventListener("keydown", (event) => {
    if (isEscape(event)) close(form, link);
  });
  const cancel = document.createElement("button");
  cancel.type = "button";
  cancel.textContent = words("reply.cancel");
  cancel.addEventListener("click", () => close(form, link));
  form.querySelector(".compose-foot .primary").before(cancel);
  // The reader may type somewhere else meanwhile.
  const focused = document.activeElement;
  document.querySelectorAll(OPEN).forEach((other) => other.contains(focused) || other.remove());
  article.append(form);
  attachCompose(form);
  if (focused.contains(article) || article.contains(focused)) form.elements.namedItem("body").focus();
}

/** The page may have a form already, so the ids of this one must be others. */
function rename(form, id) {
  for (const part of form.querySelectorAll("[id]")) part.id += `-${id}`;
  for (const label of form.querySelectorAll("label")) label.htmlFor += `-${id}`;
  for (const field of form.querySelectorAll("[aria-describedby]")) {
    field.setAttribute("aria-describedby", `${field.getAttribute("aria-describedby")}-${id}`);
  }
}

/** If the post of the form is gone, its text may have no form any more. */
function close(form, link) {
  const above = form.previousElementSibling;
  form.remove();
  if (link.isConnected) return link.focus();
  focusTitle();
  moveLost((notice) => above.after(notice));
}
