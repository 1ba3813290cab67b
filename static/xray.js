// `[data-xray-way][data-unfinished]`: the way of a post. The page fetches itself again every two seconds, and shows how far the
// post is by now, until its way is over.

import { fetchPage } from "./page-refresh.js";

const STEP_MS = 2_000;
const MOST = 30; // steps; then one looks again by hand
const SECTION = "[data-xray-way]";

let steps = 0;
setTimeout(step, STEP_MS);

async function step() {
  if (document.visibilityState === "visible") {
    steps++;
    const page = await fetchPage(location.pathname + location.search).catch(() => null);
    const section = page?.querySelector(SECTION);
    const shown = document.querySelector(SECTION);
    if (section && section.outerHTML !== shown.outerHTML) shown.replaceWith(section);
  }
  if (steps < MOST && document.querySelector(`${SECTION}[data-unfinished]`)) setTimeout(step, STEP_MS);
}
