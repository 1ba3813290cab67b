// Keys for readers: j and k go to the next and the previous post, l likes it, r replies to it, n begins a new post, / goes
// to the search, and ? lists the keys. Keys that are typed into a field, or pressed together with others, are left alone.
// Who speaks to the computer, or often hits a key by mistake, can turn them off: in the list of the keys, and by
// `<section data-keys>` in the settings, which turns them on again.

import { focusArticle } from "./articles.js";
import { element } from "./elements.js";
import { say } from "./status.js";
import { words } from "./words.js";

const OFF = "keys.off"; // in the browser's storage

let offHere = false; // the choice, when the browser keeps nothing for this site

const COMPOSING = 229; // the code of a key by which Safari says so

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  l: () => current()?.querySelector("button.like")?.click(),
  r: () => current()?.querySelector("a.reply")?.click(),
  n: () => compose(),
  "/": () => search(),
  "?": () => help(),
};

const STEPS = ["j", "k"]; // go on while the key is held down

/** What each key does, and what the keys in a form do. */
const HELP = {
  j: words("keys.next"),
  k: words("keys.previous"),
  l: words("keys.like"),
  r: words("keys.reply"),
  n: words("keys.new"),
  "/": words("keys.search"),
  "?": words("keys.help"),
  "Ctrl + Enter": words("keys.send"),
  Esc: words("keys.cancel"),
};

/** Whether a key closes something. While somebody composes a character, the same key only ends that. */
export function isEscape({ key, isComposing, keyCode }) {
  return key === "Escape" && !isComposing && keyCode !== COMPOSING;
}

export function attachKeyboard() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
    if (areOff()) return;
    const act = KEYS[event.key];
    if (!act || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    if (!event.repeat || STEPS.includes(event.key)) act();
  });
}

/** Goes to the field for a new post, on this page or on the home page. Visitors who are not logged in have none. */
function compose() {
  const field = document.querySelector("form#new-post textarea");
  if (field) field.focus();
  else if (document.body.dataset.viewer) location.assign("/home#new-post");
}

/** The choice in the settings. */
export function attachKeyboardChoice(section) {
  const box = section.querySelector("input");
  section.hidden = false;
  box.checked = !areOff();
  box.addEventListener("change", () => turn(box.checked));
}

function areOff() {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return offHere;
  }
}

function turn(on) {
  offHere = !on;
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "");
  } catch {
    // The next page has the keys again.
  }
}

function isTyping(target) {
  return target.closest?.("input, textarea, select, [contenteditable]") !== null;
}

/** The post that has the focus, or contains what has it. */
function current() {
  return document.activeElement?.closest("article.post");
}

function step(by) {
  const posts = [...document.querySelectorAll("article.post")];
  const at = posts.indexOf(current());
  const next = at < 0 ? firstInView(posts) : posts[at + by];
  if (!next) return;
  focusArticle(next);
  next.scrollIntoView({ block: "nearest" });
}

function firstInView(posts) {
  return posts.find((post) => post.getBoundingClientRect().top >= 0) ?? posts[0];
}

/** Focuses the field for a search, or opens the page that has one when there is no room for it here. */
function search() {
  const fields = [...document.querySelectorAll("input[name=q]")];
  const shown = fields.find((field) => field.checkVisibility());
  if (shown) shown.focus();
  else document.querySelector(".search-link").click();
}

function help() {
  const dialog = element("dialog", "keys");
  const list = element("dl", "");
  for (const [key, what] of Object.entries(HELP)) list.append(element("dt", "", key), element("dd", "", what));
  const close = element("button", "", words("keys.close"));
  close.addEventListener("click", () => dialog.close());
  const off = element("button", "", words("keys.turn-off"));
  off.addEventListener("click", () => {
    turn(false);
    dialog.close();
    say(words("keys.are-off"));
  });
  const title = element("h2", "", words("keys.title"));
  title.id = "keys-list-title"; // the settings have a title of the keys, too
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.append(title, list, close, " ", off);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
