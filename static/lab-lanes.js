// Draws the swim lanes of a round of the Redlock lab as SVG: one row for each client and each node, with time from left
// to right. The module imports nothing, so that a page outside of the site can use it too. The lanes are drawn again
// whenever events arrive. Colours: --lane-0 to --lane-4 for clients, --lane-5 for unknown owners, --lane-bad for
// violations, --lane-fault for faults. Everything else is currentColor.

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#3f7de0", "#c77c11", "#8e5fd6", "#1f949c", "#ad6a3d", "#7d8a94"];
const ROW = 30; // px
const LABEL = 62;
const AXIS = 22;
const TAG = 17; // px, a line of text above the rows
const TAGS = 3; // most violations that get a text; all of them are drawn
const LETTER = 6.9; // px, average width of a character in bold 12 px text
const MS = 1e6; // times in events are in ns
const HALO = { stroke: "var(--surface, Canvas)", "stroke-width": 3, "paint-order": "stroke" }; // outline of text over shapes
const STEPS = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000];
const HELD = /^(.*) for (-?\d+) ms$/;

let drawings = 0; // makes the ids of patterns unique when a page has several drawings

/**
 * Draws a round into an element and replaces its content.
 * @param round a round record, with `violations`
 * @param options `words(key, ...values)` has the texts; `from` and `until` bound the time shown, in ns
 */
export function drawLanes(container, round, { words, from = 0, until }) {
  const seen = readRound(round);
  const width = Math.max(container.clientWidth || 640, 280);
  const end = Math.max(until ?? seen.end, from + MS);
  const violations = (round.violations ?? []).filter((violation) => violation.until >= from && violation.from <= end);
  const named = violations.filter(({ from, until, what }) => until > from && what.length * LETTER < width).slice(-TAGS);
  const top = AXIS + TAG * named.length;
  const rows = [...seen.clients.keys(), ...seen.nodes.keys()];
  const height = top + rows.length * ROW + 4;
  const x = (at) => LABEL + ((Math.min(Math.max(at, from), end) - from) / (end - from)) * (width - LABEL - 2);
  const y = (row) => top + rows.indexOf(row) * ROW;
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "font-size": 12 });
  svg.setAttribute("aria-label", words("lab.lanes"));
  const hatch = pattern(svg);
  const plot = { svg, x, y, words, hatch, end, from, right: width - 2, bottom: height - 4, top, seen };
  axis(plot);
  rows.forEach((row) => label(plot, row));
  for (const [name, client] of seen.clients) drawClient(plot, name, client);
  for (const [name, segments] of seen.nodes) segments.forEach((segment) => drawHolding(plot, name, segment));
  seen.faults.forEach((fault) => drawFault(plot, fault));
  violations.forEach((violation) => drawViolation(plot, violation, named.indexOf(violation)));
  container.replaceChildren(svg);
}

/** Turns the events of a round into clients with their claims, nodes with what they held, faults, and owners. */
export function readRound(round) {
  const seen = { clients: new Map(), nodes: new Map(), faults: [], owners: new Map(), end: 0, lease: round.leaseMillis * MS };
  for (const event of [...round.events].sort((one, other) => one.at - other.at)) {
    seen.end = Math.max(seen.end, event.at);
    if (event.kind === "INVOKE") invoked(seen, event);
    else if (event.kind === "RETURN") returned(seen, event);
    else if (event.kind === "NODES") looked(seen, event);
    else if (event.kind === "INJECT") seen.faults.push({ subject: event.subject, name: event.name, from: event.at, until: Infinity });
    else if (event.kind === "UNDO") undone(seen, event);
    else if (event.kind === "DEATH") died(seen, event);
  }
  return seen;
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
    claim.over = true;
    claim.until = Math.max(claim.from, Math.min(claim.until, at));
  }
}

function died(seen, { at, subject, name }) {
  end(client(seen, subject).claims, at);
  seen.faults.push({ subject, name, from: at, until: Infinity });
}

function undone(seen, { at, subject, name }) {
  const fault = seen.faults.findLast((one) => one.subject === subject && one.name === name && one.until === Infinity);
  if (fault) fault.until = at;
}

/** A node holds the key for an owner from one observation to the next, or until the key expires. */
function looked(seen, { at, details }) {
  const names = Object.keys(details).filter((key) => /^node \d+$/.test(key)).sort();
  for (const node of names) {
    if (!seen.nodes.has(node)) seen.nodes.set(node, []);
    const segments = seen.nodes.get(node);
    const last = segments.at(-1);
    const [, owner, left] = HELD.exec(details[node]) ?? [null, ""];
    if (last) last.until = Math.min(at, last.until);
    if (!owner) continue;
    const until = Number(left) < 0 ? Infinity : at + Number(left) * MS;
    if (last?.owner === owner && last.until >= at) last.until = until;
    else segments.push({ owner, from: at, until });
  }
}

/** The colour of a client, which may be given by one of its owner ids. Grey when the client is unknown. */
export function colourOf(seen, who) {
  const at = [...seen.clients.keys()].indexOf(seen.owners.get(who) ?? who);
  const index = at < 0 ? COLOURS.length - 1 : at % (COLOURS.length - 1);
  return `var(--lane-${index}, ${COLOURS[index]})`;
}

function drawClient(plot, name, { operations, claims }) {
  const colour = colourOf(plot.seen, name);
  for (const { from, until } of claims) {
    const bar = box(plot, from, until, plot.y(name) + 5, 12, { fill: colour, rx: 3 });
    if (bar) title(bar, plot.words("lab.lanes-owner", name, ms(from), ms(until)));
  }
  for (const { name: what, from, until, outcome } of operations) {
    const open = until === Infinity;
    const mark = box(plot, from, until, plot.y(name) + 20, 5, open ? { fill: plot.hatch } : { fill: "currentColor", opacity: 0.65 });
    if (mark) title(mark, `${name} ${what} ${outcome || "…"}, ${ms(from)}–${open ? "" : ms(until)} ms`);
  }
}

function drawHolding(plot, node, { owner, from, until }) {
  const bar = box(plot, from, until, plot.y(node) + 15, 11, { fill: colourOf(plot.seen, owner), rx: 3, opacity: 0.85 });
  if (bar) title(bar, plot.words("lab.lanes-holding", node, plot.seen.owners.get(owner) ?? owner));
}

/** Draws a fault over each row that it affects. A fault of a link affects a client and nodes. */
function drawFault(plot, { subject, name, from, until }) {
  const rows = struck(plot.seen, subject);
  for (const row of rows) {
    const band = box(plot, from, until, plot.y(row) + 1, ROW - 2, { fill: plot.hatch, opacity: row === rows.at(-1) ? 1 : 0.45, "data-fault": name });
    if (!band) return;
    title(band, `${subject}: ${name}, ${ms(from)}–${until === Infinity ? "" : ms(until)} ms`);
    if (row !== rows.at(-1)) continue; // label only the last row, which is a node if any node is affected
    const left = Math.max(LABEL, Math.min(plot.x(from) + 3, plot.right - name.length * LETTER));
    plot.svg.append(element("text", { x: left, y: plot.y(row) + 11, "font-size": 10.5, fill: "currentColor", ...HALO }, name));
  }
}

/** The rows that a fault affects: a client, nodes, or both for the links between them. */
export function struck(seen, subject) {
  const nodes = /\bnode (\d[\d, node]*)/.exec(subject)?.[1].match(/\d+/g) ?? [];
  const who = subject.split(" ")[0];
  return [...(seen.clients.has(who) ? [who] : []), ...nodes.map((number) => `node ${number}`).filter((node) => seen.nodes.has(node))];
}

function drawViolation(plot, { from, until, what }, line) {
  const bad = "var(--lane-bad, #d03a2b)";
  const height = Math.max(plot.seen.clients.size, 1) * ROW;
  const span = box(plot, from, until, plot.top, height, { fill: bad, "fill-opacity": 0.16, stroke: bad, "data-violation": "" });
  if (!span) return;
  title(span, what);
  if (line < 0) return;
  const left = Math.max(2, Math.min(plot.x(from), plot.right - what.length * LETTER));
  plot.svg.append(element("text", { x: left, y: AXIS + TAG * line + 12, fill: bad, "font-weight": 600 }, what));
}

function axis({ svg, x, from, end, top, bottom, right, words }) {
  const fits = Math.max(2, Math.floor((right - LABEL) / 70));
  const step = (STEPS.find((one) => (end - from) / MS / one <= fits) ?? 60000) * MS;
  for (let at = Math.ceil(from / step) * step; at <= end; at += step) {
    svg.append(element("line", { x1: x(at), x2: x(at), y1: top - 3, y2: bottom, stroke: "currentColor", opacity: 0.16 }));
    const anchor = at === from ? "start" : x(at) > right - 22 ? "end" : "middle";
    const text = words("lab.lanes-seconds", String(at / MS / 1000));
    svg.append(element("text", { x: x(at), y: 13, "text-anchor": anchor, fill: "currentColor", opacity: 0.75 }, text));
  }
}

function label({ svg, y, seen, right, words }, row) {
  const isClient = seen.clients.has(row);
  svg.append(element("line", { x1: 0, x2: right, y1: y(row), y2: y(row), stroke: "currentColor", opacity: isClient ? 0.16 : 0.09 }));
  if (isClient) svg.append(element("rect", { x: 2, y: y(row) + 10, width: 10, height: 10, rx: 3, fill: colourOf(seen, row) }));
  const text = isClient ? row : words("lab.node", row.split(" ")[1]);
  svg.append(element("text", { x: isClient ? 18 : 2, y: y(row) + 19, fill: "currentColor" }, text));
}

/** Draws a bar on the time axis, wide enough to be visible. Null when all of it is outside the time shown. */
function box({ svg, x, from: first, end: last }, from, until, y, height, attributes) {
  if (until < first || from > last) return null;
  const bar = element("rect", { x: x(from), y, width: Math.max(x(until) - x(from), 1.5), height, ...attributes });
  svg.append(bar);
  return bar;
}

function pattern(svg) {
  const id = `lane-hatch-${++drawings}`;
  const made = element("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  made.append(element("rect", { width: 2, height: 6, fill: "var(--lane-fault, #8a8f98)" }));
  svg.append(made);
  return `url(#${id})`;
}

function title(of, text) {
  of.append(element("title", {}, text));
}

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function ms(at) {
  return Math.round(at / MS);
}
