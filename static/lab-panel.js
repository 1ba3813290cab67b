// Shows what one engine does with the lock: a card for each node, the current holder, the lanes, the five steps of each
// acquisition, violations, and figures. A round that is over can be played again.

import { ClientCards } from "./lab-clients.js";
import { colourOf, holderName, readRound, struck } from "./lab-history.js";
import { drawLanes } from "./lab-lanes.js";
import { Figures } from "./lab-figures.js";
import { faultName } from "./lab-names.js";
import { legend, showRound } from "./lab-round.js";
import { drawSteps } from "./lab-steps.js";
import { element } from "./elements.js";
import { words } from "./words.js";

const MS = 1e6; // times in events are in ns
const SHOWN = 20_000 * MS; // of a longer round, only this much of the end is drawn
const KEPT = 40_000 * MS; // events of at least this much of the end are kept
const AHEAD = 300; // ms; a smaller difference may only mean that the node answered late
const REST = 3; // times as long as drawing takes
const TICK = 250; // ms; how often the time goes on while clients wait for orders
const VIOLATIONS = 5; // most violations listed as text; the lanes show all of them
const HELD = /^(.*) for (-?\d+) ms$/;
const STATES = { up: words("lab.state.up"), paused: words("lab.state.paused"), gone: words("lab.state.gone"), cut: words("lab.state.cut") };
const ACTIONS = {
  up: {
    pause: words("lab.action.pause"),
    kill: words("lab.action.kill"),
    "kill-and-forget": words("lab.action.kill-and-forget"),
    cut: words("lab.action.cut"),
    delay: words("lab.action.delay"),
    clock: words("lab.action.clock"),
    flush: words("lab.action.flush"),
    promote: words("lab.action.promote"),
  },
  paused: { resume: words("lab.action.resume") },
  gone: { restart: words("lab.action.restart") },
};

export class LabPanel {
  section = element("section", "card lab-panel");
  #engine;
  #run;
  #act;
  #byHand;
  #clients = null; // cards of the clients of a free play
  #round = null;
  #looks = null; // the last event that reports the state of the nodes
  #figures = new Figures();
  #verdicts = new Map(); // verdicts by round
  #drawing = 0;
  #rested = 0; // when it may be drawn again, by performance.now()
  #heard = 0; // when the last events came, by performance.now()
  #ticking = 0;
  #keep = document.createElement("input");
  #title = element("h3", "lab-engine");
  #nodes = element("ul", "lab-nodes");
  #cards = new Map();
  #holder = element("p", "lab-holder");
  #lanes = element("div", "lab-lanes");
  #steps = element("div", "lab-steps");
  #story = element("div", "lab-story"); // lanes and steps, live or in a replay
  #name;
  #replayed = false; // whether the story is a replay now
  #results = element("div", "lab-results");

  /**
   * `name` is for people. `act(kind, target, keep)` does something to a node or a client; null when the viewer may not.
   * `byHand`: whether the clients of this free play do only what they are told.
   */
  constructor(engine, name, run, { act, byHand }) {
    this.#engine = engine;
    this.#name = name;
    this.#run = run;
    this.#act = act;
    this.#byHand = byHand;
    if (run.scenario === "free") this.#clients = new ClientCards();
    this.section.dataset.labEngine = engine;
    this.#title.textContent = name;
    this.section.append(this.#title, this.#keepField(), this.#clients?.list ?? "", this.#nodes, this.#holder, this.#results, this.#story, this.#figures.table);
  }

  /** Whether what is broken by hand stays so. Empty for viewers who may not break anything. */
  #keepField() {
    const field = element("label", "lab-keep");
    if (!this.#act) return "";
    this.#keep.type = "checkbox";
    field.append(this.#keep, ` ${words("lab.keep")}`);
    return field;
  }

  round(header) {
    this.#round = { ...header, events: [], violations: [], acquisitions: [] };
    this.#looks = null;
    this.#replayed = false;
    this.#story.replaceChildren(this.#lanes, legend(words), this.#steps);
    this.#title.textContent = `${this.#name}, ${words("lab.round-of", header.round, this.#run.rounds)}`;
    this.#figures.round();
    this.#later();
    if (this.#byHand) this.#ticking ||= setInterval(() => this.#tick(), TICK);
  }

  /** Draws what only the time changes, as long as the panel is on the page. */
  #tick() {
    if (this.section.isConnected) this.#later();
    else clearInterval(this.#ticking);
  }

  events(list) {
    if (!this.#round) return;
    this.#heard = performance.now();
    for (const event of list) {
      this.#round.events.push(event);
      this.#figures.add(event);
      if (event.kind === "NODES") this.#looks = event;
    }
    const old = (list.at(-1)?.at ?? 0) - KEPT;
    if (this.#round.events[0]?.at < old - SHOWN) this.#round.events = this.#round.events.filter((event) => event.at >= old);
    this.#later();
  }

  /**
   * Stores a verdict. Returns the text of its latest violation if it has more violations than before, otherwise "".
   */
  judged(verdict) {
    const before = this.#verdicts.get(verdict.round)?.count ?? 0;
    this.#verdicts.set(verdict.round, verdict);
    if (this.#round?.round === verdict.round) Object.assign(this.#round, { violations: verdict.violations, acquisitions: verdict.acquisitions });
    this.#showResults();
    if (this.#run.scenario === "free") this.#later();
    else this.#replay();
    return verdict.count > before ? verdict.violations.at(-1).what : "";
  }

  /** The run is over, so the actions on nodes and clients are removed. */
  over() {
    this.#act = null;
    clearInterval(this.#ticking);
    this.#ticking = 0;
    this.#keep.closest("label")?.remove();
    if (this.#round?.events.length && !this.#replayed) this.#replay();
  }

  /** Nothing more happens in this round: it can be played again. */
  #replay() {
    if (!this.#round) return;
    this.#figures.show();
    this.#replayed = true;
    showRound(this.#story, this.#round, { words, draw: (part, at) => this.#showMoment(part, at) });
    this.#story.append(element("p", "hint", words("lab.replay.kept")));
  }

  /** Shows the nodes as they were at a moment. */
  #showMoment(part, at) {
    this.#looks = part.events.findLast((event) => event.kind === "NODES") ?? null;
    const seen = readRound(part);
    if (this.#looks) this.#showNodes(seen, at);
    this.#showClients(seen, at);
  }

  #showClients(seen, at) {
    this.#clients?.show(seen, at, this.#act && ((kind, client) => this.#act(kind, { client }, this.#keep.checked)), this.#byHand);
  }

  /** Draws soon. If drawing takes long, the page has three times as long for other things in between. */
  #later() {
    this.#drawing ||= setTimeout(() => {
      requestAnimationFrame((began) => {
        this.#drawing = 0;
        if (this.#round && !this.#replayed) this.#draw();
        this.#rested = performance.now() + REST * (performance.now() - began);
      });
    }, this.#rested - performance.now());
  }

  #draw() {
    const seen = readRound(this.#round);
    const now = seen.end + (this.#ticking && this.#heard ? (performance.now() - this.#heard) * MS : 0);
    if (this.#looks) this.#showNodes(seen, now);
    this.#showClients(seen, now);
    drawLanes(this.#lanes, this.#round, { words, from: Math.max(0, now - SHOWN), until: now });
    drawSteps(this.#steps, this.#round.acquisitions, { words, now, colour: (client) => colourOf(seen, client) });
    this.#figures.show();
  }

  /** A key that is not seen again is over when its time to live is. */
  #showNodes(seen, now) {
    const { details, at } = this.#looks;
    const passed = Math.round((now - at) / MS);
    const held = new Map();
    for (let number = 1; details[`node ${number}`] !== undefined; number++) {
      const name = `node ${number}`;
      const [, holder, life] = HELD.exec(details[name]) ?? [null, "", 0];
      const left = Number(life) < 0 ? Number(life) : Math.max(0, Number(life) - passed);
      const owner = left === 0 ? "" : holder;
      const who = owner && holderName(seen, owner, words);
      if (owner) held.set(who, (held.get(who) ?? 0) + 1);
      const faults = seen.faults.filter((fault) => fault.until === Infinity && struck(seen, fault.subject).includes(name));
      const down = details[`${name} state`] ?? "up";
      const state = down === "up" && faults.some((fault) => fault.name === "cut off") ? "cut" : down;
      this.#card(number).show({ state, who, left, lease: this.#round.leaseMillis, ahead: Number(details[`${name} ahead`] ?? 0), colour: colourOf(seen, owner), faults, act: this.#act && ((kind, node) => this.#act(kind, { node }, this.#keep.checked)) });
    }
    this.#showHolder(seen, held, now);
  }

  #card(number) {
    if (!this.#cards.has(number)) {
      this.#cards.set(number, new NodeCard(number));
      this.#nodes.append(this.#cards.get(number).item);
    }
    return this.#cards.get(number);
  }

  #showHolder(seen, held, now) {
    const count = this.#cards.size;
    const [[most, h]] = [...held, ["", 0]].sort((one, other) => other[1] - one[1]);
    const owners = [...seen.clients]
      .map(([name, { claims }]) => [name, claims.at(-1)])
      .filter(([, claim]) => claim && claim.until > now)
      .map(([name, claim]) => words("lab.owner", name, Math.round((claim.until - now) / MS)));
    this.#holder.classList.toggle("lab-bad", owners.length > 1);
    const keys = most ? words("lab.keys", most, h, count) : words("lab.no-keys");
    const relying = owners.join("; ") || words("lab.no-owner");
    this.#holder.textContent = `${keys} · ${relying} · ${words("lab.quorum", this.#quorum(count))}`;
  }

  /** How many keys the lock takes: a majority, unless a design says otherwise. */
  #quorum(count) {
    const told = this.#round.events.find((event) => event.kind === "INVOKE" && event.details.quorum);
    return Number(told?.details.quorum ?? Math.floor(count / 2) + 1);
  }

  #showResults() {
    const lines = [];
    for (const [round, { result, count, violations, ending }] of this.#verdicts) {
      const line = element("p", "lab-result", `${words("lab.round", round)}: `);
      line.append(result);
      line.dataset.labEnding = ending;
      lines.push(line, ...violations.slice(-VIOLATIONS).map(evidence));
      if (count > VIOLATIONS) lines.push(element("p", "hint", words("lab.more-before", count - VIOLATIONS)));
    }
    this.#results.replaceChildren(...lines);
  }
}

function evidence({ from, until, what }) {
  const [begin, end] = [Math.round(from / MS), Math.round(until / MS)];
  return element("p", "lab-violation", `${what} (${begin === end ? end : `${begin}–${end}`} ms)`);
}

/**
 * A fault as a note on the card of a node. A fault of a link names its client, unless it affects the links of several
 * clients.
 */
function noteOf({ subject, name }, i, faults) {
  const alone = faults.filter((fault) => fault.name === name).length === 1;
  const text = faultName(name, words);
  return alone && !subject.startsWith("node") ? `${subject.split(" ")[0]}: ${text}` : text;
}

class NodeCard {
  item = element("li", "lab-node");
  #number;
  #state = element("span", "lab-state");
  #who = element("span", "lab-who");
  #bar = element("span", "lab-left");
  #notes = element("span", "lab-notes");
  #buttons = element("span", "lab-actions");
  #shown = "";

  constructor(number) {
    this.#number = number;
    this.item.dataset.labNode = number;
    this.item.append(element("b", "", words("lab.node", number)), this.#state, this.#who, this.#bar, this.#notes, this.#buttons);
  }

  show({ state, who, left, lease, ahead, colour, faults, act }) {
    this.item.dataset.labState = state;
    this.#state.textContent = STATES[state] ?? state;
    this.#who.textContent = who ? words("lab.holder", who, left) : "–";
    this.#bar.style.setProperty("--left", who ? Math.min(left / lease, 1) : 0);
    this.#bar.style.setProperty("--owner", colour);
    const notes = faults.filter((fault) => !fault.name.startsWith("clock")).map(noteOf);
    if (Math.abs(ahead) > AHEAD) notes.push(words("lab.clock-ahead", ahead));
    this.#notes.textContent = [...new Set(notes)].join(", ");
    const mend = faults.length ? { mend: words("lab.action.mend") } : {};
    this.#offer(act ? { ...(ACTIONS[state === "cut" ? "up" : state] ?? {}), ...mend } : {}, act);
  }

  #offer(actions, act) {
    const kinds = Object.keys(actions).join();
    if (this.#shown === kinds) return; // keep the buttons, so that none changes while it is being pressed
    this.#shown = kinds;
    const focused = this.#buttons.contains(document.activeElement);
    this.#buttons.replaceChildren(
      ...Object.entries(actions).map(([kind, text]) => {
        const button = element("button", "", text);
        button.type = "button";
        button.dataset.labAct = kind;
        button.addEventListener("click", () => act(kind, this.#number));
        return button;
      }),
    );
    if (focused) this.#buttons.firstElementChild?.focus(); // keyboard users continue from here
  }
}
