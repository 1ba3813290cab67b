// `.live-mark`: shows in words what a stream does, and says when it is lost and when it is back. A stream that takes long
// to open counts as lost. Notices that a page is not live any more have a link to where it is.

import { element } from "./elements.js";
import { say } from "./status.js";
import { words } from "./words.js";

const PATIENCE_MS = 4_000; // after this long without a stream, the mark says so

const FINAL_WORDS = {
  401: words("live.signed-out"),
  404: words("live.no-account"),
  204: words("live.account-gone"),
};
const MARKS = {
  open: words("live.open"),
  lost: words("live.reconnecting"),
  paused: words("live.paused"),
  resting: words("live.resting"),
  closed: words("live.closed"),
};

export class LiveMark {
  element = element("span", "live-mark");
  #changed;
  #state = null;
  #patience = null;
  #lost = false;

  /** Calls back with each state that it shows. */
  constructor(changed = () => {}) {
    this.#changed = changed;
    this.element.dataset.words = Object.values(MARKS).join("\n");
    this.#say(MARKS.open);
  }

  state(state) {
    if (this.#state === state) return;
    this.#state = state;
    clearTimeout(this.#patience);
    if (state in MARKS) this.#show(state);
    else this.#patience = setTimeout(() => this.#show("lost"), PATIENCE_MS);
  }

  #show(state) {
    this.#say(MARKS[state]);
    const lost = state === "lost";
    if (lost || state === "open") {
      if (lost !== this.#lost) say(MARKS[state]);
      this.#lost = lost;
    }
    this.#changed(state);
  }

  // The word is at the end of the mark. A new element does not move from where the word before it began.
  #say(word) {
    this.element.replaceChildren(element("span", "", word));
  }
}

/** Tells in a notice what is wrong, with a link to where it goes on, if there is one. */
export function tell(notice, text, label, href) {
  notice.textContent = text;
  if (label) {
    const link = element("a", "", label);
    link.href = href;
    notice.append(" ", link);
  }
  notice.hidden = false;
  say(text);
}

/** Tells in a notice why a stream has ended for good. */
export function tellFinal(notice, status) {
  const address = `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
  if (status === 401) tell(notice, FINAL_WORDS[status], words("live.login"), address);
  else tell(notice, FINAL_WORDS[status]);
}
