// The five steps of each acquisition as a strip: the clock, the nodes, the majority, the time left, the release. They are
// read from the history on the server. Steps that an engine leaves out are crossed out.

import { element } from "./elements.js";
import { isDeletion, outcomeName } from "./lab-names.js";

const MS = 1e6; // times are in ns
const SHOWN = 6; // most acquisitions shown at a time
const GRANTED = 4; // of these, most that got the lock; the others are the latest that did not
const SIGNS = { yes: "✓", no: "✗", error: "!", silent: "…", late: "…", unasked: "·", gone: "∅", other: "≠" };

/**
 * Draws the acquisitions that had begun at a moment, in their order, and replaces the content of the place.
 * @param now in ns; what came later is not shown
 * @param over whether nothing comes later
 */
export function drawSteps(place, acquisitions, { words, now, over = false, colour }) {
  const begun = acquisitions.filter(({ from }) => from <= now);
  const shown = chosen(begun);
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const some = shown.length < begun.length ? [element("p", "hint", words("lab.steps.some"))] : [];
  place.replaceChildren(...some, ...shown.map((one) => strip(one, now, over, words, colour)));
  if (focused) place.querySelector(`[data-key="${focused}"]`)?.focus();
}

/** The acquisitions that are worth reading: those that got the lock, and the latest of the others. */
function chosen(begun) {
  const granted = begun.filter(({ outcome }) => outcome === "acquired").slice(-GRANTED);
  const others = begun.filter((one) => one.outcome !== "acquired").slice(granted.length - SHOWN);
  return begun.filter((one) => granted.includes(one) || others.includes(one));
}

function strip(one, now, over, words, colour) {
  const made = element("section", "lab-strip");
  made.dataset.from = one.from;
  made.dataset.outcome = one.outcome;
  const head = element("h4", "", words("lab.steps.of", one.client, seconds(one.from)));
  made.style.setProperty("--owner", colour(one.client));
  const steps = element("ol", "lab-five");
  steps.append(clock(one, words), nodes(one, now, words), majority(one, now, words), validity(one, now, words), released(one, now, over, words));
  made.append(head, steps);
  return made;
}

function step(title, ...content) {
  const made = element("li", "lab-step");
  made.append(element("b", "", title), ...content);
  return made;
}

function lacking(made, is) {
  made.classList.toggle("lab-lacking", is);
  return made;
}

function clock({ timed }, words) {
  return lacking(step(words("lab.steps.clock"), element("span", "", timed ? words("lab.steps.clock-read") : words("lab.steps.clock-not"))), !timed);
}

function nodes(one, now, words) {
  const chips = element("span", "lab-chips");
  chips.append(...one.asked.map((node) => chip(node, now, `${one.from}-${node.node}`, words)));
  return step(words("lab.steps.nodes"), chips);
}

/**
 * What a node said, each time that it was asked. Its commands, and what their replies mean, show when the pointer or the
 * focus is on it.
 */
function chip({ node, says, questions }, now, key, words, released = false) {
  const sent = questions.filter(({ asked }) => asked <= now);
  const waits = sent.some((one) => !isHeard(one, now));
  const known = !sent.length ? "unasked" : waits ? "silent" : sent.length === questions.length ? says : sent.at(-1).says;
  const names = {
    yes: words("lab.steps.yes"),
    no: words("lab.steps.no"),
    error: words("lab.steps.error"),
    silent: words("lab.steps.silent"),
    late: words("lab.steps.late"),
    unasked: words("lab.steps.unasked"),
    gone: words("lab.steps.gone"),
    other: words("lab.steps.other"),
  };
  const answers = sent.map((one) => (isHeard(one, now) ? [one.says, ` ${millis(one.answered - one.asked)}`] : ["silent", ""]));
  const shown = answers.length ? answers : [["unasked", ""]];
  const made = element("button", "lab-chip", `${node} ${shown.map(([sign, time]) => SIGNS[sign] + time).join(" ")}`);
  made.type = "button";
  made.dataset.says = known;
  made.dataset.key = key;
  made.setAttribute("aria-label", `${words("lab.node", node)}: ${shown.map(([sign, time]) => names[sign] + (time && `${time} ms`)).join(", ")}`);
  if (sent.length) {
    const told = element("span", "lab-commands");
    const commands = element("span", "", `${sent.map((one) => heardCommand(one, now)).join("\n")}\n`);
    commands.lang = "en";
    told.append(commands, released ? releaseReplies(sent, words) : replies(sent, words));
    made.append(told);
    made.addEventListener("focus", () => told.scrollIntoView({ block: "nearest" }));
  }
  return made;
}

/** What the replies to the commands mean: SET replies otherwise than scripts do. */
function replies([first, second], words) {
  const meaning = [first.command.startsWith("SET ") ? words("lab.steps.replies-set") : words("lab.steps.replies")];
  if (second) meaning.push(words("lab.steps.replies-again"));
  return [...meaning, words("lab.steps.replies-none")].join(" ");
}

function releaseReplies([{ command }], words) {
  const meaning = isDeletion(command) ? words("lab.steps.delete-replies") : words("lab.steps.release-replies");
  return `${meaning} ${words("lab.steps.replies-none")}`;
}

/** A command, with its reply if that has come. */
function heardCommand(question, now) {
  return isHeard(question, now) ? question.command : question.command.replace(/ → .*$/s, " → …");
}

function isHeard({ answered }, now) {
  return answered >= 0 && answered <= now;
}

function majority({ asked, needed, majority, heedsSecond, outcome, until }, now, words) {
  const yes = (questions) => questions.filter((one) => one && isHeard(one, now) && one.says === "yes").length;
  const first = asked.map(({ questions }) => questions[0]);
  const second = asked.map(({ questions }) => questions[1]).filter((one) => one?.asked <= now);
  const over = until >= 0 && until <= now;
  const made = step(words("lab.steps.majority"), element("span", "", words("lab.steps.votes", yes(first), asked.length, needed)));
  const heard = second.filter((one) => isHeard(one, now));
  const again = !heedsSecond && heard.length < second.length ? words("lab.steps.votes-unawaited", heard.length, second.length) : heedsSecond ? words("lab.steps.votes-again", yes(second), second.length) : words("lab.steps.votes-unheeded", yes(second), second.length);
  if (second.length) made.append(element("span", "", again));
  if (over) made.append(element("span", "lab-says", outcomeName(outcome, words)));
  const refuted = !heedsSecond && second.length > 0 && second.every((one) => isHeard(one, now)) && yes(second) < needed;
  made.classList.toggle("lab-false", over && outcome === "acquired" && (refuted || !(majority >= 0 && majority <= now)));
  return made;
}

/** The subtraction, and for how long the client relies on the lock. */
function validity(one, now, words) {
  const over = one.until >= 0 && one.until <= now;
  const made = step(words("lab.steps.validity"));
  lacking(made, !one.timed);
  if (!over || (one.outcome !== "acquired" && one.validity > 0)) return made;
  const elapsed = one.lease - one.drift - one.validity;
  made.append(element("span", "", words("lab.steps.sum", millis(one.lease), elapsed < 0 ? `(${millis(elapsed)})` : millis(elapsed), millis(one.drift), millis(one.validity))));
  if (elapsed < 0) made.append(element("span", "lab-says", words("lab.steps.set-back")));
  if (!one.timed) made.append(element("span", "lab-says", words("lab.steps.sum-not")));
  else if (one.heedsSecond && one.asked.some(({ questions }) => questions[1]?.says === "yes")) made.append(element("span", "hint", words("lab.steps.elapsed-again")));
  else if (!one.heedsSecond && one.asked.some(({ questions }) => questions.length > 1)) made.append(element("span", "hint", words("lab.steps.elapsed-unheeded")));
  if (one.reliesUntil >= 0) {
    const told = one.released.filter(({ questions }) => questions[0].asked <= now);
    const left = told.length ? 0 : Math.max(0, one.reliesUntil - now);
    const bar = element("span", "lab-left"); // of the whole lease
    bar.style.setProperty("--left", left / one.lease);
    made.append(bar, element("span", "lab-says", left > 0 ? words("lab.steps.left", millis(left)) : ending(told, now, words)));
  }
  made.classList.toggle("lab-false", one.outcome === "acquired" && one.validity <= 0);
  return made;
}

/** How a client ceased to have the lock that it gave back on these nodes. */
function ending(told, now, words) {
  if (!told.length) return words("lab.lapsed");
  if (told.some(({ questions }) => questions.some((one) => one.answered > now))) return words("lab.steps.giving-back");
  const late = told.every(({ says, questions }) => isHeard(questions.at(-1), now) && ["gone", "other"].includes(says));
  return late ? words("lab.steps.given-back-late") : words("lab.steps.given-back");
}

/** A client that no node gave a key, and that heard of all, has nothing to give back. One that has the lock may keep it. */
function released({ from, asked, released, until, outcome }, now, over, words) {
  const chips = element("span", "lab-chips");
  chips.append(...released.map((node) => chip(node, now, `${from}-release-${node.node}`, words, true)));
  const told = released.some(({ questions }) => questions[0].asked <= now);
  const owes = asked.some(({ questions }) => questions.some(({ says }) => ["yes", "silent", "late"].includes(says)));
  const missing = until >= 0 && until <= now && !owes ? words("lab.steps.released-nothing") : words("lab.steps.released-not");
  const made = step(words("lab.steps.released"), told ? chips : element("span", "", missing));
  return lacking(made, !told && owes && outcome !== "acquired" && over);
}

function millis(time) {
  const value = time / MS;
  return (Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0)).replace("-", "−");
}

function seconds(time) {
  return (time / MS / 1000).toFixed(3);
}
