// What was typed into a form, kept for the tab: by user, and by the post that it replies to. It survives a change of
// page. It is forgotten when the page after sending it has come, and when the user logs out. A text that may have been
// posted already keeps its `once`, so that the server posts it once only. Before the server forgets a `once`, it
// is dropped here. From then on the text is only a draft, and its writer decides whether to send it again.

const PREFIX = "draft:";
const KNOWN_MS = 50 * 60_000; // the server knows a `once` for an hour

/** Forgets all drafts when the user logs out. */
export function attachDrafts() {
  document.addEventListener("submit", ({ submitter }) => {
    if (submitter?.getAttribute("formaction") !== "/logout") return;
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  });
}

export class Draft {
  #key; // undefined when nobody is signed in: then nothing is kept
  #tried; // the text that was sent last, as { body, once, end }; `end` is when its `once` is dropped
  unsure = false; // true when the kept text was sent so long ago that nobody knows whether it was posted

  constructor(form) {
    const value = (name) => form.elements.namedItem(name)?.value ?? "";
    const user = document.body.dataset.viewerId;
    this.#key = user && `${PREFIX}${user}:${value("reply_to")}`;
    this.#forgetWhenPosted();
    const tried = JSON.parse(this.#read(":tried") || null);
    this.#tried = tried ?? { body: value("body"), once: value("once"), end: Date.now() + KNOWN_MS };
    if (this.#isKnown()) return;
    this.unsure = this.kept === tried.body;
    this.#tried = {};
    this.#write(":tried", "");
  }

  #isKnown() {
    return Date.now() < this.#tried.end;
  }

  #forgetWhenPosted() {
    const [navigation] = performance.getEntriesByType("navigation");
    const came = navigation?.type !== "back_forward"; // else sending may have failed
    const left = this.#read(":left");
    this.#write(":left", "");
    if (!came || !left) return;
    this.#write(":tried", "");
    if (this.kept === left) this.keep("");
  }

  get kept() {
    return this.#read("");
  }

  keep(text) {
    this.#write("", text);
  }

  /** The text is sent now. Returns its `once`, and the time in ms until which it may be sent again with it. */
  send(body) {
    if (this.#tried.body !== body || !this.#isKnown()) {
      this.#tried = { body, once: nonce(), end: Date.now() + KNOWN_MS };
    }
    this.#write(":tried", JSON.stringify(this.#tried));
    this.keep(body);
    return this.#tried;
  }

  /** The text is sent, and another page comes. */
  leave(body) {
    this.#write(":left", body);
  }

  /** The text is posted. What was typed since stays. */
  drop(body) {
    if (this.kept === body) this.keep("");
    if (this.#tried.body !== body) return;
    this.#tried = {};
    this.#write(":tried", "");
  }

  #read(part) {
    return (this.#key && sessionStorage.getItem(this.#key + part)) ?? "";
  }

  #write(part, text) {
    if (this.#key && text) sessionStorage.setItem(this.#key + part, text);
    else if (this.#key) sessionStorage.removeItem(this.#key + part);
  }
}

function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
