// What was typed into a form, kept for the tab: by user, and by the post that it replies to. It survives a change of
// page. It is forgotten when the page after sending it has come, and when the user logs out. A text that may have been
// posted already keeps its `once`, so that the server posts it once only.

const PREFIX = "draft:";

/** Forgets all drafts when the user logs out. */
export function attachDrafts() {
  document.addEventListener("submit", ({ submitter }) => {
    if (submitter?.getAttribute("formaction") !== "/logout") return;
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  });
}

export class Draft {
  #key; // undefined when nobody is signed in: then nothing is kept
  #tried; // the text that was sent last, as { body, once }

  constructor(form) {
    const value = (name) => form.elements.namedItem(name)?.value ?? "";
    const user = document.body.dataset.viewerId;
    this.#key = user && `${PREFIX}${user}:${value("reply_to")}`;
    this.#forgetWhenPosted();
    this.#tried = JSON.parse(this.#read(":tried") || null) ?? { body: value("body"), once: value("once") };
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

  /** The text is sent now. Returns its `once`. */
  send(body) {
    if (this.#tried.body !== body) this.#tried = { body, once: nonce() };
    this.#write(":tried", JSON.stringify(this.#tried));
    this.keep(body);
    return this.#tried.once;
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
