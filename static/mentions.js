// `data-mentions`: the first page of mentions. When the number of unread notifications changes, it looks which
// posts are new, and says how many, by a link to itself.

import { UNREAD } from "./badge.js";
import { linkToNew } from "./new-link.js";
import { fetchPage, PageRefresh } from "./page-refresh.js";
import { words } from "./words.js";

const LONGEST_WAITS_MS = [1_000, 5_000, 20_000]; // longest random wait before each try

export function attachMentions() {
  const look = new PageRefresh({ fetch: () => fetchPage(location.pathname), mended: show, gaveUp() {} }, LONGEST_WAITS_MS);
  let unread = document.querySelector("[data-unread]").textContent;
  document.addEventListener(UNREAD, ({ detail }) => {
    if (detail !== "" && detail !== unread) look.begin();
    unread = detail;
  });
}

function show(anew) {
  const isNew = ({ id }) => document.getElementById(id) === null;
  const number = [...anew.querySelectorAll("[data-live-list] > article")].filter(isNew).length;
  linkToNew(number, words("live.new", number), location.pathname);
}
