// Speaks to screen readers through the page's only polite live region, `data-status`. If several messages come in a
// short time, only the newest one is spoken.

const PAUSE_MS = 5_000;

let latest = null;
let timer = null;

/** Speaks a text: the first one at once, then at most one in PAUSE_MS. */
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
