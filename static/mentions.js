// `data-mentions`: the first page of mentions. When the number of unread notifications may have changed, it looks which
// posts are new, and says how many, by a link to itself.

import { UNREAD } from "./badge.js";
import { NewPostsLink } from "./new-link.js";
import { words } from "./words.js";

export function attachMentions() {
  const link = new NewPostsLink(() => location.pathname, (number) => words("live.new", number));
  let unread = document.querySelector("[data-unread]").textContent;
  document.addEventListener(UNREAD, ({ detail }) => {
    if (detail !== unread || detail.endsWith("+")) link.look();
    unread = detail;
  });
}
