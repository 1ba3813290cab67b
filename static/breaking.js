// Where the site runs as a cluster that may be broken: a small panel above each live list (`data-live`). It breaks parts
// of the site behind this page, and shows the ledger of this page. It hears of the stream by the events of live.js.

import { ADDED, articlesOf, parseArticle } from "./articles.js";
import { element } from "./elements.js";
import { Ledger } from "./ledger.js";
import { words } from "./words.js";

const ADDRESS = "/break";
const ASK_MS = 1_000; // how often the site is asked how it is, while the panel is open
const ASKED_BEFORE_CHECK = 5; // the ledger is compared with the log less often
const CHECK_MS = 2_000; // and so soon after a gap

class BreakPanel {
  #section;
  #ledger;
  #panel = element("details", "break-panel");
  #served = element("p", "hint");
  #broken = element("p", "break-now");
  #kinds = element("div", "break-buttons");
  #figures = element("dl", "break-figures");
  #note = element("p", "hint");
  #share = element("button", "small break-share", words("break.share"));
  #heal = element("button", "small", words("break.heal"));
  #compared = null;
  #resumed = null;
  #answering = ""; // the instance that answered last
  #late = new Map(); // id of a post that is not on the page yet → what is said of it
  #asking = null;
  #asked = 0;
  #sent = 0; // orders to break or heal
  #found = ""; // what the last comparison said

  constructor(section) {
    this.#section = section;
    this.#ledger = new Ledger(section.dataset.live, section.dataset.liveReplies);
    this.#panel.dataset.breakPanel = "";
    this.#panel.append(element("summary", "", words("break.title")), this.#served, this.#broken, this.#kinds, this.#figures, element("p", "hint", words("break.counts")), this.#note, this.#buttons());
    this.#note.setAttribute("role", "status");
    section.querySelector("[data-live-head]").after(this.#panel);
    this.#panel.addEventListener("toggle", () => this.#toggled());
    section.addEventListener("live:event", ({ detail }) => this.#event(detail));
    section.addEventListener("live:state", ({ detail }) => this.#state(detail));
    section.addEventListener("live:mended", ({ detail }) => {
      this.#ledger.mended(detail.ids, detail.position);
      this.#check();
    });
    document.addEventListener(ADDED, ({ target }) => this.#mark(target));
    this.#show();
  }

  #buttons() {
    const check = element("button", "small break-check", words("break.check"));
    const more = element("a", "", words("break.more"));
    more.href = ADDRESS;
    check.type = this.#share.type = this.#heal.type = "button";
    this.#share.disabled = true;
    check.addEventListener("click", () => this.#check());
    this.#share.addEventListener("click", () => this.#shareIt());
    this.#heal.addEventListener("click", () => this.#send(`${ADDRESS}/heal`, {}));
    const row = element("div", "break-buttons");
    if (!signedIn()) this.#share.hidden = this.#heal.hidden = true;
    row.append(check, this.#share, this.#heal, more);
    return row;
  }

  #event({ type, data, position }) {
    const article = type === "post" ? parseArticle(data) : null;
    const id = this.#ledger.event(type, article, data, position);
    const post = id && this.#ledger.post(id);
    if (post?.late) {
      this.#late.set(id, words("break.late", ((post.at - post.made) / 1000).toFixed(1)));
      articlesOf(id).forEach((shown) => this.#mark(shown));
    }
    if (type === "instance" && this.#ledger.gaps.length > 0) this.#resumed = data;
    this.#show();
  }

  #state(state) {
    const before = this.#ledger.gaps.length;
    const gap = this.#ledger.state(state);
    if (gap) {
      this.#markBefore();
      setTimeout(() => this.#check(), CHECK_MS);
    }
    if (gap || before !== this.#ledger.gaps.length || state !== "open") this.#show();
  }

  /** The newest post that came before the gap. In a conversation it is the last one. */
  #markBefore() {
    const list = this.#section.querySelector("[data-live-list]");
    const newest = this.#section.dataset.liveReplies ? list.lastElementChild : list.firstElementChild;
    if (newest && !newest.dataset.breakMark) say(newest, "before", words("break.before"));
  }

  #mark(article) {
    const text = this.#late.get(article.dataset?.postId);
    if (!text) return;
    this.#late.delete(article.dataset.postId);
    say(article, "late", text);
  }

  #toggled() {
    clearInterval(this.#asking);
    if (!this.#panel.open) return;
    this.#ask();
    this.#check();
    this.#asking = setInterval(() => this.#ask(), ASK_MS);
  }

  async #ask() {
    if (document.visibilityState === "hidden") return;
    if (++this.#asked % ASKED_BEFORE_CHECK === 0) this.#check();
    const sent = this.#sent;
    const state = await json(ADDRESS);
    if (state && sent === this.#sent) this.#showState(state); // else it may tell of before the order
  }

  #showState({ instance, broken, breakable, kinds, seconds }) {
    this.#answering = instance;
    this.#broken.textContent = broken ? (broken.active ? words("break.active", broken.text, broken.left) : words("break.over", broken.text)) : "";
    this.#broken.classList.toggle("alert", Boolean(broken?.active));
    if (!breakable && !broken?.active) this.#broken.append(` ${words("break.wait")}`);
    this.#heal.disabled = breakable;
    if (this.#kinds.childElementCount === 0) this.#kinds.append(...this.#choices(kinds, seconds));
    for (const button of this.#kinds.querySelectorAll("button")) button.disabled = !breakable;
  }

  #choices(kinds, seconds) {
    if (!signedIn()) {
      const login = element("a", "", words("break.login"));
      login.href = `/login?next=${encodeURIComponent(location.pathname)}`;
      return [login];
    }
    return kinds.map(({ kind, label }) => {
      const button = element("button", "small danger", label);
      button.type = "button";
      button.dataset.break = kind;
      button.addEventListener("click", () => this.#send(ADDRESS, { kind, seconds, instance: this.#ledger.instance ?? this.#answering }));
      return button;
    });
  }

  async #send(address, fields) {
    this.#sent++;
    for (const button of this.#kinds.querySelectorAll("button")) button.disabled = true;
    const answer = await json(address, fields);
    this.#sent++;
    if (answer?.kinds) this.#showState(answer);
    this.#note.textContent = answer === null ? words("break.away") : answer.kinds ? "" : words("break.failed", answer.detail ?? answer.title);
    return answer;
  }

  async #check() {
    const { query, come } = this.#ledger.ask();
    const answer = await json(`${ADDRESS}/ledger?${query}`);
    if (!answer?.expected) return null;
    this.#compared = this.#ledger.compare(come, answer);
    this.#share.disabled = this.#compared.cut; // then nobody knows whether anything was lost
    this.#show();
    return this.#compared;
  }

  async #shareIt() {
    const compared = (await this.#check()) ?? this.#compared;
    if (compared.cut) return;
    const answer = await json(`${ADDRESS}/reports`, { ledger: JSON.stringify(this.#ledger.report(compared)) });
    if (answer?.address) location.assign(answer.address);
    else this.#note.textContent = words("break.failed", answer?.detail ?? words("break.away"));
  }

  /** Says what a comparison has found, and takes back what the last one said. */
  #told(text) {
    if (text || this.#note.textContent === this.#found) this.#note.textContent = text;
    this.#found = text;
  }

  #show() {
    const compared = this.#compared;
    const counted = (name) => compared?.[name] ?? words("break.unchecked");
    this.#served.textContent = this.#ledger.instance ? words("break.served", this.#ledger.instance) : words("break.not-served");
    const rows = [
      ["expected", words("break.expected"), counted("expected")],
      ["shown", words("break.shown"), counted("shown")],
      ["lost", words("break.lost"), counted("lost")],
      ["twice", words("break.twice"), counted("twice")],
      ["gap", words("break.gap"), `${Math.max(0, this.#ledger.longestGap)} ms`],
      ["delay", words("break.delay"), `${this.#ledger.longestDelay} ms`],
      ["resumed", words("break.resumed"), this.#resumed ?? "–"],
    ];
    this.#figures.replaceChildren(...rows.flatMap(([name, term, value]) => pair(name, term, value)));
    this.#told(compared?.fetching ? words("break.fetching") : compared?.cut ? words("break.cut") : compared?.gone > 0 ? words("break.gone", compared.gone) : "");
  }
}

function pair(name, term, value) {
  const group = element("div", "");
  const shown = element("dd", "", value);
  shown.dataset.ledger = name;
  group.append(element("dt", "", term), shown);
  return [group];
}

/** Says above an article why it is marked. */
function say(article, mark, text) {
  article.dataset.breakMark = mark;
  article.prepend(element("p", "break-mark", text));
}

function signedIn() {
  return Boolean(document.body.dataset.viewer);
}

/** The answer as JSON, also that of an error; null when there is none. With fields it is a form. */
async function json(address, fields) {
  const request = { headers: { Accept: "application/json" }, cache: "no-store" };
  if (fields) {
    const token = document.querySelector("#act [name=_csrf]")?.value ?? "";
    Object.assign(request, { method: "POST", body: new URLSearchParams({ _csrf: token, ...fields }) });
  }
  try {
    return await (await fetch(address, request)).json();
  } catch {
    return null;
  }
}

document.querySelectorAll("[data-live]").forEach((section) => new BreakPanel(section));
