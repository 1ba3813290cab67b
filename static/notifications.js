// `<section data-notifications>`: the first page of notifications. When there are unread ones while the page is visible,
// it fetches its list again, by which the server knows that they are read. What was new on the page stays marked as new.

import { UNREAD } from "./badge.js";
import { fetchPage, PageRefresh } from "./page-refresh.js";
import { say } from "./status.js";
import { showTimes } from "./times.js";

const LONGEST_WAITS_MS = [1_000, 5_000, 10_000, 20_000]; // longest random wait before each try
const PAUSE_MS = 60_000; // after so many tries in a row
const PARTS = [".empty", "[data-live-pages]"]; // of the section, beside the list

export function attachNotifications(section) {
  const list = section.querySelector(".notifications");
  const refresh = new PageRefresh({ fetch, mended: show, gaveUp: () => setTimeout(update, PAUSE_MS) }, LONGEST_WAITS_MS);
  let unread = false;

  async function fetch() {
    const { documentElement: root } = await fetchPage(location.pathname);
    return root.querySelector("[data-notifications]");
  }

  function update() {
    if (unread && document.visibilityState === "visible") refresh.begin();
  }

  function show(anew) {
    showItems([...anew.querySelectorAll(".notifications > li")]);
    for (const part of PARTS) {
      section.querySelector(part)?.remove();
      const newest = anew.querySelector(part);
      if (newest) section.append(newest);
    }
  }

  // Items that are the same stay where they are, so that the focus stays, too.
  function showItems(anew) {
    const known = new Map([...list.children].map((item) => [item.dataset.group, item]));
    const items = anew.map((item) => kept(item, known.get(item.dataset.group)));
    const focused = list.contains(document.activeElement) ? document.activeElement.closest("li").dataset.group : null;
    for (const item of known.values()) if (!items.includes(item)) item.remove();
    items.forEach((item, place) => {
      if (list.children[place] !== item) list.insertBefore(item, list.children[place] ?? null);
    });
    showTimes(list);
    const lost = focused !== null && !list.contains(document.activeElement);
    if (lost) items.find((item) => item.dataset.group === focused)?.querySelector("a").focus({ preventScroll: true });
    const first = items[0];
    if (first && first !== known.get(first.dataset.group)) say(first.querySelector("p").textContent);
  }

  document.addEventListener(UNREAD, ({ detail }) => {
    unread = detail !== "";
    update();
  });
  document.addEventListener("visibilitychange", update);
}

function kept(item, known) {
  return known && content(known) === content(item) ? known : item;
}

function content(item) {
  return [...item.querySelectorAll("p:not(.hint)")].map((part) => part.textContent).join() + item.querySelector("time").dateTime;
}
