// Fills the list of users whom one might follow, where there is room for it beside the posts. The search page has the
// list. So the page with the posts does not wait for it, and without this script its title is a link to that page.

import { liveStarted } from "./live-start.js";
import { fetchPage } from "./page-refresh.js";
import { showTimes } from "./times.js";

export async function attachSuggestions(section) {
  const list = section.querySelector("ul");
  if (list.children.length > 0 || !matchMedia("(min-width: 56.25em)").matches) return;
  await liveStarted();
  try {
    const page = await fetchPage("/search");
    list.append(...(page.querySelector("[data-suggested]")?.children ?? []));
    showTimes(list);
  } catch {
    // The link stays.
  }
}
