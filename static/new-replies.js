// New replies come at the end of a conversation. So of its pages, only the last one is live. The others say how many
// replies came since they were made, by a link to a page of these.

import { linkToNew } from "./new-link.js";
import { positionIn, repliesAfter } from "./positions.js";
import { words } from "./words.js";

const section = document.querySelector("[data-live-replies]:not([data-live])");
const count = section?.querySelector(".count");
const before = Number(count?.textContent);

/** Tells the page which number of replies a post has now. */
export function countReplies({ post, replies }) {
  if (section?.dataset.liveReplies !== post) return;
  const { stream, liveMore } = section.dataset;
  count.textContent = replies;
  linkToNew(replies - before, words("live.new-replies", replies - before), repliesAfter(liveMore, positionIn(stream), post));
}
