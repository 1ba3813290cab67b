// A list that is not live says how many posts are new, by a link to them. It is beside the title, and stays in view.

import { element } from "./elements.js";
import { say } from "./status.js";

/** Shows the link, or removes it when there are none. */
export function linkToNew(number, text, address) {
  const link = document.querySelector("a.live-new") ?? element("a", "button live-new");
  if (number <= 0) return link.remove();
  if (link.textContent === text) return;
  link.textContent = text;
  link.href = address;
  document.querySelector("[data-live-list]").before(link);
  say(text);
}
