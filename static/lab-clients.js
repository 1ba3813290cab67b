// Shows the clients of a free play as cards: whether each runs, whether it has the lock, and its last answer. Who began
// the play has buttons there.

import { colourOf } from "./lab-history.js";
import { element } from "./elements.js";
import { writeName } from "./lab-names.js";
import { words } from "./words.js";

const MS = 1e6; // times in events are in ns
const NAMES = ["A", "B", "C"];
const ORDERS = ["acquire", "write", "release"];
const STATES = { up: words("lab.state.running"), paused: words("lab.state.paused"), gone: words("lab.fault.killed") };
const LABELS = {
  acquire: words("lab.action.acquire"),
  write: words("lab.action.write"),
  release: words("lab.action.release"),
  pause: words("lab.action.pause"),
  resume: words("lab.action.resume"),
  kill: words("lab.action.kill"),
  restart: words("lab.action.restart"),
};
const OPERATIONS = {
  acquire: words("lab.operation.acquire"),
  write: words("lab.operation.write"),
  extend: words("lab.operation.extend"),
  release: words("lab.operation.release"),
};
const REFUSALS = {
  dead: words("lab.not.dead"),
  runs: words("lab.not.runs"),
  paused: words("lab.not.paused"),
  "not-paused": words("lab.not.not-paused"),
  "node-down": words("lab.not.node-down"),
  busy: words("lab.not.busy"),
  "has-lock": words("lab.not.has-lock"),
  "no-lock": words("lab.not.no-lock"),
  "by-itself": words("lab.not.by-itself"),
};
const OUTCOMES = {
  acquired: words("lab.outcome.acquired"),
  taken: words("lab.outcome.taken"),
  none: words("lab.outcome.none"),
  error: words("lab.outcome.error"),
};

export class ClientCards {
  list = element("ul", "lab-nodes lab-clients");
  #cards = new Map();

  constructor() {
    for (const name of NAMES) {
      const card = new ClientCard(name);
      this.#cards.set(name, card);
      this.list.append(card.item);
    }
  }

  /**
   * Shows the clients as they are at a moment.
   * @param seen what `readRound` has read
   * @param act `(kind, client)` does something to a client; null when the viewer may not
   * @param byHand whether the clients do only what they are told
   */
  show(seen, now, act, byHand) {
    for (const [name, card] of this.#cards) card.show(seen, now, act, byHand);
  }
}

class ClientCard {
  item = element("li", "lab-node");
  #name;
  #state = element("span", "lab-state");
  #who = element("span", "lab-who");
  #bar = element("span", "lab-left");
  #last = element("span", "lab-last");
  #buttons = element("span", "lab-actions");
  #shown = "";
  #act = null;

  constructor(name) {
    this.#name = name;
    this.item.dataset.labClient = name;
    this.item.append(element("b", "", words("lab.client", name)), this.#state, this.#who, this.#bar, this.#last, this.#buttons);
  }

  show(seen, now, act, byHand) {
    const { claims, operations } = seen.clients.get(this.#name) ?? { claims: [], operations: [] };
    const struck = (name) => seen.faults.some((fault) => fault.subject === this.#name && fault.name === name && fault.until === Infinity);
    const state = struck("killed") ? "gone" : struck("stopped") ? "paused" : "up";
    const claim = claims.at(-1);
    const left = claim && claim.until > now ? Math.round((claim.until - now) / MS) : 0;
    this.item.dataset.labState = state;
    this.#state.textContent = STATES[state];
    this.#who.textContent = left ? words("lab.relies", left) : claim && !claim.over ? words("lab.lapsed") : "–";
    this.#bar.style.setProperty("--left", Math.min((left * MS) / seen.lease, 1));
    this.#bar.style.setProperty("--owner", colourOf(seen, this.#name));
    const last = this.#lastOf(seen, operations);
    if (this.#last.textContent !== last) this.#last.textContent = last;
    this.#offer(act ? kinds(state, byHand) : [], act, orders(claim, left));
  }

  /** What the client did last, with the answer. */
  #lastOf(seen, operations) {
    const last = operations.findLast((one) => one.name !== "read");
    const refusal = seen.refusals.get(this.#name);
    if (refusal && refusal.at > (last?.from ?? 0)) return REFUSALS[refusal.why] ?? "";
    if (!last) return "";
    const write = last.name === "write" && seen.writes.findLast((one) => one.who === this.#name);
    if (write && last.until !== Infinity) return writeName(write, words);
    const operation = OPERATIONS[last.name] ?? last.name;
    return last.until === Infinity ? `${operation} …` : last.outcome === "done" ? operation : `${operation}: ${OUTCOMES[last.outcome] ?? last.outcome}`;
  }

  /**
   * The orders keep their places and the focus, so that a second press never means another one. `possible` are those
   * that make sense now.
   */
  #offer(offered, act, possible) {
    this.#act = act;
    const kinds = offered.join();
    if (this.#shown !== kinds) this.#replace(offered, kinds);
    for (const button of this.#buttons.children) {
      const { labAct } = button.dataset;
      button.setAttribute("aria-disabled", ORDERS.includes(labAct) && !possible.includes(labAct));
    }
  }

  #replace(offered, kinds) {
    this.#shown = kinds;
    const focused = this.#buttons.contains(document.activeElement);
    this.#buttons.replaceChildren(
      ...offered.map((kind) => {
        const button = element("button", "", LABELS[kind]);
        button.type = "button";
        button.dataset.labAct = kind;
        button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && this.#act?.(kind, this.#name));
        return button;
      }),
    );
    if (focused) this.#buttons.firstElementChild?.focus(); // keyboard users continue from here
  }
}

/** What can be done to a client. */
function kinds(state, byHand) {
  if (state === "gone") return ["restart"];
  return [...(byHand ? ORDERS : []), state === "paused" ? "resume" : "pause", "kill"];
}

/** The orders that make sense now. A client that was granted the lock and has not given it back may still write. */
function orders(claim, left) {
  const granted = claim && !claim.over;
  return granted ? [...(left ? [] : ["acquire"]), "write", "release"] : ["acquire"];
}
