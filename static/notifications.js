// `<section data-notifications>`: the first page of notifications. When there are unread ones while the page is visible,
// it fetches its list again, by which the server knows that they are read. What was new on the page stays marked as new.

import { UNREAD } from "./badge.js";
import { fetchPage, PageRefresh } from "./page-refresh.js";
import { say } from "./status.js";
import { showTimes } from "./times.js";

const LONGEST_WAITS_MS = [1_000, 1_000, 2_000, 4_000, 10_000, 20_000]; // longest random wait before each try
const PAUSE_MS = 60_000; // after so many tries in a row
const MOST_PAUSES = 5;
const PARTS = ["[data-live-pages]", ".empty"]; // of the section, below the list, the last one first

export function attachNotifications(section) {
  const list = section.querySelector(".notifications");
  const refresh = new PageRefresh({ fetch, mended: show, gaveUp }, LONGEST_WAITS_MS);
  let stale = false; // something came that the list does not have
  let pausing = false;
  let pauses = 0; // since the list was shown

  // Nobody reads a hidden page, so it must not tell the server that its list was read.
  async function fetch() {
    stale = false;
    while (document.visibilityState !== "visible") {
      await new Promise((turned) => document.addEventListener("visibilitychange", turned, { once: true }));
    }
    try {
      const { documentElement: root } = await fetchPage(location.pathname);
      return root.querySelector("[data-notifications]");
    } catch (failure) {
      stale = true;
      throw failure;
    }
  }

  function update() {
    if (stale && !pausing && document.visibilityState === "visible") refresh.begin();
  }

  // The session may be over, so it does not go on for ever.
  function gaveUp() {
    if (pauses === MOST_PAUSES) return;
    pauses++;
    pausing = true;
    setTimeout(() => {
      pausing = false;
      update();
    }, PAUSE_MS);
  }

  function show(anew) {
    pauses = 0;
    showItems([...anew.querySelectorAll(".notifications > li")]);
    for (const part of PARTS) {
      const shown = section.querySelector(part);
      const newest = anew.querySelector(part);
      if (shown?.outerHTML === newest?.outerHTML) continue;
      shown?.remove();
      if (newest) list.after(newest);
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
    stale ||= detail !== "";
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
