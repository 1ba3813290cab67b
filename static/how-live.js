// `<a href="/how-live" data-how-live>`: with scripts, this link opens a small panel beside it instead of the page. The
// panel (`data-how-live-panel`) shows the instance that serves this page's stream, the last delays of that instance,
// and the delays of this page.

import { element } from "./elements.js";
import { isEscape } from "./keyboard.js";
import { words } from "./words.js";

const ADDRESS = "/how-live";

export function attachHowLive(link, delays) {
  const panel = element("div", "live-figures");
  panel.dataset.howLivePanel = "";
  panel.hidden = true;
  link.closest("[data-live-head]").append(panel);
  link.setAttribute("aria-expanded", "false");

  async function show() {
    panel.replaceChildren(...content(delays, await ask()));
    panel.hidden = false;
    link.setAttribute("aria-expanded", "true");
  }

  function hide() {
    panel.hidden = true;
    link.setAttribute("aria-expanded", "false");
  }

  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the user wants the page in a new tab
    event.preventDefault();
    if (panel.hidden) show();
    else hide();
  });
  document.addEventListener("keydown", (event) => {
    if (!isEscape(event) || panel.hidden) return;
    if (panel.contains(document.activeElement)) link.focus();
    hide();
  });
}

/**
 * Asks an instance for its figures. Adds how many ms the data node's clock is ahead of this one, and the possible error
 * of that. Null when no instance answers.
 */
async function ask() {
  try {
    const asked = Date.now();
    const answer = await fetch(ADDRESS, { headers: { Accept: "application/json" }, cache: "no-store" });
    const figures = await answer.json();
    const error = (Date.now() - asked) / 2;
    return { ...figures, ahead: figures.now - asked - error, error };
  } catch {
    return null;
  }
}

function content(delays, figures) {
  const served = element("p", "", words("how-live.no-server"));
  if (delays.instance) served.replaceChildren(...around(element("b", "", delays.instance)));
  const more = element("a", "", words("how-live.more"));
  more.href = ADDRESS;
  return [served, figures ? table(delays, figures) : element("p", "", words("how-live.away")), more];
}

/** The sentence that names the instance, split around the element with its name. */
function around(name) {
  const [before, after] = words("how-live.server", "\n").split("\n");
  return [before, name, after];
}

function table(delays, { instance, written, ahead, error }) {
  const made = element("table", "figures");
  made.append(element("caption", "", words("how-live.caption")));
  const head = made.createTHead().insertRow();
  head.insertCell();
  for (const text of [words("how-live.median"), words("how-live.percentile"), words("how-live.slowest")]) head.append(header("col", text));
  const body = made.createTBody();
  row(body, instance, written.p50 > 0 ? [written.p50, written.p99, written.max] : []);
  const own = delays.sorted(ahead, error);
  row(body, words("how-live.here"), own.length > 0 ? [at(own, 0.5), at(own, 0.99), at(own, 1)] : []);
  return made;
}

function row(body, name, figures) {
  const made = body.insertRow();
  made.append(header("row", name));
  for (let i = 0; i < 3; i++) made.insertCell().textContent = i in figures ? Math.round(figures[i]) : "–";
}

/** The smallest value that is at least as large as this share of the sorted values. */
function at(sorted, share) {
  return sorted[Math.ceil(share * sorted.length) - 1];
}

function header(scope, text) {
  const made = element("th", "", text);
  made.scope = scope;
  return made;
}
