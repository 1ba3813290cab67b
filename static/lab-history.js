// Reads the history of a round: the clients with their claims, what each node held, faults, and writes. Other modules
// draw it and tell it.

const MS = 1e6; // times in events are in ns
const COLOURS = ["#3f7de0", "#c77c11", "#8e5fd6", "#1f949c", "#ad6a3d", "#7d8a94"];
const LOOK = 50 * MS; // an observation of a node is noted within this time
export const TOGETHER = 100 * MS; // keys that end within this time are told in one sentence
const HELD = /^(.*) for (-?\d+) ms$/;
const FORGETTING = ["crashed", "crashed, data lost", "emptied"]; // faults that take a key away

export const STORE = "store";
export const ORPHAN = "orphan"; // the owner of keys that a dead client left
export const PROMOTED = "replica promoted"; // then a replica answers in place of a node that crashed

/** The round with what the store did at the time at which it did it. The answers may have come in another order. */
export function inOrderOfTheStore(round) {
  const events = round.events.map((event) => ({ ...event, at: Number(event.details["stored at"] ?? event.at) }));
  // Only what the store did: something else may have happened at the time of its answer.
  const moved = new Map(round.events.filter(({ details }) => "stored at" in details).map(({ at, details }) => [at, Number(details["stored at"])]));
  const violations = round.violations?.map((one) => (one.judge === "effect" ? { ...one, from: moved.get(one.from) ?? one.from, until: moved.get(one.until) ?? one.until } : one));
  return { ...round, events: events.sort((one, other) => one.at - other.at), violations };
}

/** Turns the events of a round into clients with their claims, nodes with what they held, faults, and owners. */
export function readRound(round, rows = []) {
  const seen = { clients: new Map(), nodes: new Map(), faults: [], owners: new Map(), writes: [], refusals: new Map(), asked: new Map(), known: new Map(), told: new Map(), end: 0, lease: round.leaseMillis * MS };
  for (const row of rows.filter((one) => one !== STORE)) {
    if (/^node \d/.test(row)) seen.nodes.set(row, []);
    else client(seen, row);
  }
  seen.hasStore = rows.includes(STORE);
  for (const event of [...round.events].sort((one, other) => one.at - other.at)) {
    seen.end = Math.max(seen.end, event.at);
    if (event.kind === "INVOKE") invoked(seen, event);
    else if (event.kind === "RETURN") returned(seen, event);
    else if (event.kind === "NODES") looked(seen, event);
    else if (event.kind === "INJECT") injected(seen, event);
    else if (event.kind === "UNDO") undone(seen, event);
    else if (event.kind === "DEATH") died(seen, event);
    else if (event.kind === "STEP" && event.subject) seen.refusals.set(event.subject, { at: event.at, why: event.details.why });
    else if (event.kind === "ASKED") asked(seen, event);
    else if (event.kind === "ANSWERED") answered(seen, event);
  }
  return seen;
}

/** The rows of a round from top to bottom: clients, nodes, and the store if anything was written. */
export function rowsOf(seen) {
  const stores = seen.hasStore || seen.writes.length ? [STORE] : [];
  return [...seen.clients.keys(), ...[...seen.nodes.keys()].sort(), ...stores];
}

function client(seen, name) {
  if (!seen.clients.has(name)) {
    seen.clients.set(name, { operations: [], claims: [] });
    seen.clients = new Map([...seen.clients].sort());
  }
  return seen.clients.get(name);
}

function invoked(seen, { at, subject, name, operation, details }) {
  const { operations, claims } = client(seen, subject);
  for (const known of details["known as"]?.split(", ") ?? []) seen.owners.set(known, subject);
  operations.push({ name, operation, from: at, until: Infinity, outcome: "" });
  if (name === "release") end(claims, at, details.owner);
}

function returned(seen, { at, subject, name, operation, details }) {
  const { operations, claims } = client(seen, subject);
  const open = operations.findLast((one) => one.operation === operation);
  if (open) Object.assign(open, { until: at, outcome: details.outcome ?? "" });
  const until = Number(details.until ?? at + seen.lease);
  if (name === "write") seen.writes.push({ at, who: subject, value: details.value, outcome: details.outcome, fence: details.fence });
  if (name === "acquire" && details.outcome === "acquired") {
    seen.owners.set(details.owner, subject);
    claims.push({ owner: details.owner, from: at, until });
  } else if (name === "extend" && details.outcome === "extended") extended(claims, at, until, details.owner);
  else if (name === "extend" && details.outcome === "expired") end(claims, at, details.owner);
}

/**
 * Extends a claim. If the extension came after the claim had ended, it begins a new claim, because nothing was claimed
 * in between.
 */
function extended(claims, at, until, owner) {
  const last = claims.findLast((claim) => claim.owner === owner);
  if (!last || last.over) return;
  if (last.until < at) claims.push({ owner, from: at, until });
  else last.until = Math.max(last.until, until);
}

function end(claims, at, owner) {
  for (const claim of claims.filter((one) => owner === undefined || one.owner === owner)) {
    claim.lapsed ??= claim.until <= at;
    claim.over = true;
    claim.until = Math.max(claim.from, Math.min(claim.until, at));
  }
}

function died(seen, { at, subject, name }) {
  end(client(seen, subject).claims, at);
  seen.faults.push({ subject, name, from: at, until: Infinity });
}

/** Keys that a dead client left are no fault of their nodes: they are drawn as keys. A node that crashed has none. */
function injected(seen, { at, subject, name, details }) {
  if (name.startsWith(ORPHAN)) return looked(seen, { at, details });
  if (name === PROMOTED) undone(seen, { at, subject, name: "crashed" });
  seen.faults.push({ subject, name, from: at, until: Infinity });
  if (!FORGETTING.includes(name)) return;
  for (const node of struck(seen, subject).filter((row) => seen.nodes.has(row))) keyGone(seen, node, at);
}

function undone(seen, { at, subject, name }) {
  const fault = seen.faults.findLast((one) => one.subject === subject && one.name === name && one.until === Infinity);
  if (fault) fault.until = at;
}

function asked(seen, { at, subject, name, operation, details: { node, owner, sent } }) {
  if (owner) seen.owners.set(owner, subject);
  seen.asked.set(operation, { at, name, node: `node ${node}`, owner, sent });
}

/** What a node granted or gave up. A late answer says nothing if more was heard of the node after the question. */
function answered(seen, { at, operation, details: { says } }) {
  const question = seen.asked.get(operation) ?? {};
  const { at: from, name, node, owner } = question;
  question.answered = true;
  if (says !== "yes" || !seen.nodes.has(node) || at - from > seen.lease) return;
  if (at - from > LOOK && seen.known.get(node) > from) return;
  seen.told.set(node, at);
  const last = seen.nodes.get(node).at(-1);
  if (name === "take") holds(seen, node, owner, at, from + seen.lease);
  else if (name === "release") keyGone(seen, node, at);
  else if (["confirm", "expire"].includes(name) && last?.until >= at) last.until = from + seen.lease;
}

function holds(seen, node, owner, at, until, from = at) {
  const segments = seen.nodes.get(node);
  const last = segments.at(-1);
  if (last?.owner === owner && last.until >= at) last.until = until;
  else {
    keyGone(seen, node, from);
    segments.push({ owner, from, until });
  }
}

/** Since when a node has the key that it is seen to have: its answer to the client may be held up. */
function since(seen, node, owner, at, left) {
  const question = [...seen.asked.values()].find((one) => one.name === "take" && one.node === node && one.owner === owner && !one.answered);
  return question ? Math.max(question.at, Math.min(at, at + left - seen.lease)) : at;
}

function keyGone(seen, node, at) {
  const last = seen.nodes.get(node).at(-1);
  if (last?.until > at) Object.assign(last, { until: at, taken: true });
  seen.known.set(node, at);
}

/**
 * A node holds the key for an owner from one observation to the next, or until the key expires. An observation is noted
 * after it was made, so it says nothing shortly after an answer of the node.
 */
function looked(seen, { at, details }) {
  const names = Object.keys(details).filter((key) => /^node \d+$/.test(key)).sort();
  for (const node of names) {
    if (!seen.nodes.has(node)) seen.nodes.set(node, []);
    if (at - seen.told.get(node) < LOOK) continue;
    const [, owner, left] = HELD.exec(details[node]) ?? [null, ""];
    const time = Number(left) < 0 ? Infinity : Number(left) * MS;
    if (owner) holds(seen, node, owner, at, at + time, since(seen, node, owner, at, time));
    else keyGone(seen, node, at);
    seen.known.set(node, at);
  }
}

/**
 * Events that a history does not note: leases and keys whose time is over. Keys that end about the same time are told
 * together, when the last one ends; but not past a moment at which somebody gets the lock.
 * @param grants these moments
 */
export function lapses(seen, grants) {
  const made = [];
  for (const [subject, { claims }] of seen.clients) {
    for (const { until, lapsed = until <= seen.end } of claims) if (lapsed) made.push({ at: until, kind: "LAPSED", subject });
  }
  const keys = [...seen.nodes].flatMap(([node, segments]) => segments.filter(({ until, taken }) => !taken && until <= seen.end).map(({ owner, until }) => ({ node, owner, until })));
  for (const { node, owner, until } of keys.sort((one, other) => one.until - other.until)) {
    const who = seen.owners.get(owner) ?? owner; // some locks have another owner id for each node
    const same = made.find((one) => one.kind === "EXPIRED" && one.who === who && until - one.at < TOGETHER && !grants.some((at) => one.at < at && at <= until));
    if (same) Object.assign(same, { at: until, subject: [...new Set([...same.subject.split(", "), node])].sort().join(", ") });
    else made.push({ at: until, kind: "EXPIRED", subject: node, owner, who });
  }
  return made;
}

/** What holds up or loses what a client and a node send each other at a moment. Undefined when nothing does. */
export function linkFault(seen, who, node, at) {
  return seen.faults.find(({ subject, from, until }) => linked(subject) === who && from <= at && at < until && struck(seen, subject).includes(node));
}

/** The client of a fault of a link. Undefined when a node or a client is broken itself. */
export function linked(subject) {
  return /^(\S+) (?:from|to) node /.exec(subject)?.[1];
}

/** The colour of a client, which may be given by one of its owner ids. Grey when the client is unknown. */
export function colourOf(seen, who) {
  const at = [...seen.clients.keys()].indexOf(seen.owners.get(who) ?? who);
  const index = at < 0 ? COLOURS.length - 1 : at % (COLOURS.length - 1);
  return `var(--lane-${index}, ${COLOURS[index]})`;
}

/** The client that an owner id belongs to, for people. */
export function holderName(seen, owner, words) {
  return owner === ORPHAN ? words("lab.orphan") : (seen.owners.get(owner) ?? "?");
}

/** The rows that a fault affects: a client, nodes, or both for the links between them. */
export function struck(seen, subject) {
  const nodes = /\bnode (\d[\d, node]*)/.exec(subject)?.[1].match(/\d+/g) ?? [];
  const who = subject.split(" ")[0];
  return [...(seen.clients.has(who) ? [who] : []), ...nodes.map((number) => `node ${number}`).filter((node) => seen.nodes.has(node))];
}

