// Plays a recorded round again: play, pause, step, scrub, slow motion. Every control is a button or a field, so the
// keyboard works as everywhere. With reduced motion, playing goes from event to event.

import { element } from "./elements.js";
import { holderName, lapses, linkFault, TOGETHER } from "./lab-history.js";
import { endName, faultName, isDeletion, numberOf, operationName, outcomeName, questionName, readName, replyName, subjectName, writeName } from "./lab-names.js";

const MS = 1e6; // times in events are in ns
const KINDS = ["INVOKE", "RETURN", "ASKED", "ANSWERED", "INJECT", "UNDO", "DEATH", "STORE"];
const TURNS = ["INJECT", "UNDO", "DEATH", "STORE", "LAPSED", "EXPIRED"]; // a reader in a hurry wants these
const SPEEDS = [1, 0.5, 0.25, 0.05];
const CALM_MS = 900; // from one event to the next with reduced motion

/**
 * The controls of a replay.
 * @param seen what was read of the round
 * @param begin where the replay begins, in ns
 * @param end of the round in ns
 * @param show is called with the time to show, in ns; Infinity shows the whole round
 */
export function replayControls(round, seen, begin, end, { words, show }) {
  const events = [...round.events.filter(isTold), ...lapses(seen, round.events.filter(isGrant).map(({ at }) => at))].sort((one, other) => one.at - other.at);
  const made = element("div", "lab-replay");
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", words("lab.replay"));
  const play = button("lab-play", words("lab.replay.play"));
  const back = button("", words("lab.replay.back"));
  const forward = button("", words("lab.replay.forward"));
  const turn = button("", words("lab.replay.turn"));
  const time = Object.assign(document.createElement("input"), { type: "range", min: Math.floor(begin / MS), max: Math.ceil(end / MS), step: 1, value: Math.ceil(end / MS) });
  time.setAttribute("aria-label", words("lab.replay.time"));
  const speed = document.createElement("select");
  speed.setAttribute("aria-label", words("lab.replay.speed"));
  speed.append(...SPEEDS.map((one) => new Option(`${one}×`, one, one === 0.25, one === 0.25)));
  const told = element("output", "lab-told", words("lab.told.whole"));
  made.append(play, back, forward, turn, time, speed, told);
  [play.dataset.replay, back.dataset.replay, forward.dataset.replay, turn.dataset.replay] = ["play", "back", "forward", "turn"];

  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let at = end;
  let passed = events.length; // events up to the one that is shown; several may have the same time
  let timer = 0;
  let last = 0;

  function move(to) {
    const now = Math.max(begin, Math.min(end, to));
    tell(now, events.findLastIndex((one) => one.at <= now) + 1);
  }

  /** Shows the moment of an event, the first of which has the number 1. 0 is the beginning, before all events. */
  function stepTo(number) {
    pause();
    if (number < 1 || !events.length) tell(begin, 0);
    else tell(Math.min(end, events[number - 1].at), number);
  }

  function tell(now, number) {
    [at, passed] = [now, number];
    time.value = Math.round(at / MS);
    const event = events[passed - 1];
    told.textContent = [seconds(at), event && `${event.at < at ? `${seconds(event.at)}: ` : ""}${sentence(event, events, seen, words)}`].filter(Boolean).join(" · ");
    show(at);
  }

  function pause() {
    cancelAnimationFrame(timer);
    clearTimeout(timer);
    timer = 0;
    play.textContent = words("lab.replay.play");
    play.setAttribute("aria-pressed", "false");
  }

  function start() {
    if (at >= end) move(begin);
    play.textContent = words("lab.replay.pause");
    play.setAttribute("aria-pressed", "true");
    last = performance.now();
    next();
  }

  function next() {
    timer = calm.matches ? setTimeout(jump, CALM_MS / (speed.value * 4)) : requestAnimationFrame(tick);
  }

  function tick(now) {
    if (!made.isConnected) return;
    move(at + (now - last) * MS * speed.value);
    last = now;
    proceed();
  }

  function jump() {
    if (!made.isConnected) return;
    if (passed < events.length) tell(events[passed].at, passed + 1);
    else move(end);
    proceed();
  }

  function proceed() {
    if (at >= end) pause();
    else next();
  }

  play.addEventListener("click", () => (timer ? pause() : start()));
  // Between two events, and at the end, the one that was last is shown first.
  back.addEventListener("click", () => stepTo(events[passed - 1]?.at < at ? passed : passed - 1));
  // Whoever goes on at the end begins again.
  forward.addEventListener("click", () => stepTo(passed < events.length ? passed + 1 : 1));
  turn.addEventListener("click", () => {
    const from = passed < events.length ? passed : 0;
    const next = events.findIndex((one, index) => index >= from && isTurn(one, seen));
    stepTo(next < 0 ? events.length : lastOf(events, next, seen) + 1);
  });
  time.addEventListener("input", () => {
    pause();
    move(time.value * MS);
  });
  return made;
}

function seconds(ns) {
  return `${(ns / MS / 1000).toFixed(3)} s`;
}

function button(className, text) {
  const made = element("button", className, text);
  made.type = "button";
  return made;
}

/** Whether the replay stops at an event. Keys of a dead client go by themselves, so their end is no event. */
export function isTold({ kind, name }) {
  return KINDS.includes(kind) && !(kind === "UNDO" && name.startsWith("orphan"));
}

/** Whether an event changes who has the lock or a key that is not one's own, or is a fault, or reads or writes the counter. */
function isTurn(event, seen) {
  const { kind, name } = event;
  if (kind === "ANSWERED") return isOfAnother(event, seen);
  return TURNS.includes(kind) || isGrant(event) || (kind === "RETURN" && (name === "read" || name === "write"));
}

function isGrant({ kind, name, details }) {
  return kind === "RETURN" && name === "acquire" && details.outcome === "acquired";
}

/** Whether a node deleted the key of another client. */
function isOfAnother({ operation, details }, seen) {
  const deleted = details["deleted of"];
  return details.says === "yes" && Boolean(deleted) && deleted !== seen.asked.get(operation)?.owner;
}

/** The last one of deletions that are told together: nothing else that matters lies between. */
function lastOf(events, first, seen) {
  let last = first;
  for (let i = first + 1; i < events.length; i++) {
    if (isSameDeletion(events[first], events[i], seen)) last = i;
    else if (isTurn(events[i], seen)) break;
  }
  return last;
}

/** Whether a client deletes keys of another one on several nodes at once. */
function isSameDeletion(one, other, seen) {
  const same = one.subject === other.subject && one.details?.["deleted of"] === other.details?.["deleted of"];
  return same && [one, other].every((event) => event.kind === "ANSWERED" && isOfAnother(event, seen)) && Math.abs(other.at - one.at) < TOGETHER;
}

/** An event in a sentence. */
function sentence(event, events, seen, words) {
  const { kind, subject, name, details } = event;
  const what = operationName(name, words);
  if (kind === "LAPSED") return words("lab.told.lapsed", subject);
  if (kind === "EXPIRED") return expired(event, seen, words);
  if (kind === "INVOKE") return words("lab.told.invoke", subject, what);
  if (kind === "RETURN" && name === "write" && details.outcome !== "error") return write(event, seen, words);
  if (kind === "RETURN" && name === "read" && details.value) return readName({ who: subject, ...details }, words);
  if (kind === "RETURN") return words("lab.told.return", subject, what, details.value ?? outcomeName(details.outcome, words));
  if (kind === "ASKED") return question(event, seen, words);
  if (kind === "ANSWERED" && isOfAnother(event, seen)) return words("lab.told.deleted", subject, holderName(seen, details["deleted of"], words), subjectName(deletedOn(event, events, seen), words));
  if (kind === "ANSWERED") return words("lab.told.answered", details.node, subject, answer(event, seen, words));
  if (kind === "STORE") return words("lab.told.store", details.value);
  if (kind === "UNDO") return words("lab.told.inject", subjectName(subject, words), endName(name, words));
  return words("lab.told.inject", subjectName(subject, words), faultName(name, words));
}

/** The nodes on which a client has deleted keys of another one up to an event, beginning with the first of these. */
function deletedOn(event, events, seen) {
  const nodes = events.filter((one) => one.at <= event.at && isSameDeletion(event, one, seen)).map(({ details }) => details.node);
  return [...new Set(nodes)].sort().map((node) => `node ${node}`).join(", ");
}

function expired({ subject, owner }, seen, words) {
  const told = [subjectName(subject, words), holderName(seen, owner, words)];
  return isFast(seen, subject) ? words("lab.told.expired-fast", ...told) : words("lab.told.expired", ...told);
}

/** What became of a write: which acknowledged one it replaces, or which greater number kept it out. */
function write({ at, subject, details }, seen, words) {
  const told = writeName({ who: subject, ...details }, words);
  const lost = details.outcome === "written" && seen.writes.findLast((one) => one.at < at && one.outcome === "written" && one.who !== subject && Number(one.value) >= Number(details.value));
  if (lost) return `${told}. ${words("lab.store.replaces", lost.who, lost.value)}`;
  const own = numberOf(details.fence);
  const greater = details.outcome === "refused" && seen.writes.findLast((one) => one.at < at && one.outcome === "written" && numberOf(one.fence) > own);
  return greater ? `${told}. ${words("lab.store.greater", greater.who, numberOf(greater.fence))}` : told;
}

/** Whether all of some nodes have clocks that run fast. */
function isFast(seen, nodes) {
  const fast = seen.faults.filter(({ name }) => name === "clock fast by 9000 millionths").map(({ subject }) => subject);
  return nodes.split(", ").every((node) => fast.includes(node));
}

function answer(event, seen, words) {
  const { operation, details } = event;
  const unseen = details["deleted of"] === undefined && isDeletion(seen.asked.get(operation)?.sent);
  return unseen && details.says === "yes" ? words("lab.reply.deleted-any", details.reply) : replyName(event, words);
}

/** A question, and what keeps it or its answer from arriving. */
function question(event, seen, words) {
  const fault = linkFault(seen, event.subject, `node ${event.details.node}`, event.at);
  return questionName(event, words) + (fault ? ` (${faultName(fault.name, words)})` : "");
}
