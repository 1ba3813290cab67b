// Speaks to screen readers through the page's one polite live region, `data-status`.
// A burst of messages is thinned out: the newest one wins.

const PAUSE_MS = 5_000;

let latest = null;
let timer = null;

/** Has a text read out; at most one in PAUSE_MS, the first at once. */
export function say(text) {
  latest = text;
  if (timer === null) speak();
}

function speak() {
  timer = null;
  if (latest === null) return;
  const region = document.querySelector("[data-status]");
  if (region) region.textContent = latest;
  latest = null;
  timer = setTimeout(speak, PAUSE_MS);
}
