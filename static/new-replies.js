// New replies come at the end of a conversation. So of its pages, only the last one is live. The others say how many
// replies came since they were made, by a link to a page of these.

import { NewPostsLink } from "./new-link.js";
import { positionIn, repliesAfter } from "./positions.js";
import { words } from "./words.js";

const section = document.querySelector("[data-live-replies]:not([data-live])");
const count = section?.querySelector(".count");
const link = section && new NewPostsLink(address, (number) => words("live.new-replies", number));

function address() {
  const { stream, liveMore, liveReplies } = section.dataset;
  return repliesAfter(liveMore, positionIn(stream), liveReplies);
}

/** Tells the page which number of replies a post has now. */
export function countReplies({ post, replies }) {
  if (section?.dataset.liveReplies !== post || count.textContent === String(replies)) return;
  count.textContent = replies;
  link.look();
}
