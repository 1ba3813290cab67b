// `<span data-unread>` in the navigation: how many notifications are unread. The number also stands before the page's
// title. A page is sent with it, and its stream tells of each change. A page that was sent when the number could not be
// read has `data-unread="unknown"`. It asks for the number when a stream shows that the server is there. The page that
// was used last in this browser passes on what it is told, for pages without a stream. If it has no stream of its own,
// it opens a light one. So there is one such stream at most, however many pages are open. It stays open while all pages
// are hidden, because titles are visible. On a page without a live list, the light stream also keeps the posts up to
// date: see plain-page.js. It does so for people who are signed out, too.

import { channelNamed } from "./channel.js";
import { PlainPage, positionOf } from "./plain-page.js";
import { Stream } from "./stream.js";
import { StreamSlots } from "./stream-slots.js";

/** The event by which the document tells which number is shown now, as text; empty for none. */
export const UNREAD = "unread:shown";

const MOST = 99; // of more, it shows "99+"
const AGAIN_MS = 5_000; // after the number was asked for in vain
const EVENTS = ["position", "notify", "counts", "delete", "gone", "profile", "reset"];

const badge = document.querySelector("[data-unread]"); // null when nobody is signed in
const viewer = document.body.dataset.viewerId;
const title = document.title;
const numbers = badge && channelNamed(`unread.${viewer}`);
const plain = document.querySelector("[data-live]") ? null : new PlainPage(goOn); // else its own stream tells of its posts
const posts = () => plain?.posts() ?? [];
const wanted = badge !== null || posts().length > 0; // whether the page needs a light stream
const peers = wanted && new StreamSlots(update, { channel: `badge.${viewer}`, most: 1 });
const listener = { event: receive, state: (state) => plain?.state(state), final };
const light = wanted && new Stream(address(positionOf(document)), listener, { events: EVENTS, posts });
let used = false; // the reader has turned to this page, and has not left it
let own = false; // the page's own stream runs
let over = false; // the light stream has ended for good
let current = badge?.dataset.unread !== "unknown"; // its streams have told of every change since the number was read
let shown = 0; // how many numbers this page has shown
let asked = 0; // how often it has asked for the number

export function attachBadge() {
  if (badge) {
    show(badge.textContent);
    numbers.addEventListener("message", ({ data }) => show(data));
  }
  if (!light) return;
  document.addEventListener("visibilitychange", use);
  addEventListener("focus", use);
  addEventListener("offline", () => light.lost());
  addEventListener("online", () => light.renew());
  addEventListener("pagehide", leave, { capture: true }); // before the page's own stream is stopped
  addEventListener("pageshow", (event) => event.persisted && use());
  use();
}

/** Whether the page's own stream runs, and so tells of the number. It has told of all up to the position. */
export function pageHasStream(runs, position) {
  if (light && own && !runs) light.move(address(position));
  own = runs;
  if (light) update();
}

/** What the light stream or the page's own stream tells. */
export function hearUnread(type, data) {
  if (!badge) return;
  if (type === "notify") showUnread(JSON.parse(data).unread);
  else if (!current) ask();
}

function showUnread(number) {
  const text = number > MOST ? `${MOST}+` : number > 0 ? String(number) : "";
  show(text);
  if (peers.room) numbers.postMessage(text);
}

/** The page has missed changes of the number. It asks for the number at the next event of a stream. */
export function missUnread() {
  current = false;
}

async function ask() {
  const before = shown;
  const mine = ++asked;
  current = true;
  try {
    const answer = await fetch("/notifications/unread", { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.status);
    const { unread } = await answer.json();
    if (mine === asked && shown === before) showUnread(unread); // else a newer number comes, or came meanwhile
  } catch {
    setTimeout(missUnread, AGAIN_MS); // the badge shows the last number that is known
  }
}

function use() {
  if (over || document.visibilityState === "hidden") return;
  used = true;
  peers.active();
  update();
}

function leave() {
  used = false;
  peers.gone();
  update();
}

function address(position) {
  return `/live/notifications?after=${position}${plain?.about ? `&about=${plain.about}` : ""}`;
}

function final(status) {
  over = true;
  peers.gone();
  plain?.final(status);
}

function update() {
  if (over) return;
  if (used && !own && peers.room) light.start();
  else light.stop("resting");
}

function receive(type, data) {
  plain?.hear(type, data);
  if (type === "reset") missUnread();
  hearUnread(type, data);
}

function goOn(position) {
  missUnread();
  light.move(address(position));
}

function show(text) {
  shown++;
  badge.textContent = text;
  document.title = text ? `(${text}) ${title}` : title;
  document.dispatchEvent(new CustomEvent(UNREAD, { detail: text }));
}
