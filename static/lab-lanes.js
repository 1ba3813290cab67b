// Draws the swim lanes of a round of the Redlock lab as SVG: one row for each client and each node, with time from left
// to right. The lanes are drawn again whenever events arrive. Colours: --lane-0 to --lane-4 for clients, --lane-5 for unknown owners, --lane-bad for
// violations, --lane-fault for faults. Everything else is currentColor. The last row is the store that the lock protects.

import { colourOf, holderName, linked, ORPHAN, PROMOTED, readRound, rowsOf, STORE, struck } from "./lab-history.js";
import { faultName, operationName, outcomeName, subjectName, writeName } from "./lab-names.js";

const SVG = "http://www.w3.org/2000/svg";
const ROW = 30; // px
const LABEL = 62;
const MARGIN = 20; // px, room for the number of a write at the end
const AXIS = 22;
const TAG = 17; // px, a line of text above the rows
const SECOND = 13; // px, from a first line of fault names in a row to the second
const TAGS = 3; // most violations that get a text; all of them are drawn
const LETTER = 0.575; // width of an average letter, as a part of the size of the text
const BOLD = 1.1; // how much wider bold letters are
const SIZE = 12; // px, of the text
const SMALL = 10.5; // px, of what is written into a row
const MS = 1e6; // times in events are in ns
const HALO = { stroke: "var(--surface, Canvas)", "stroke-width": 3, "paint-order": "stroke" }; // outline of text over shapes
const STEPS = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000];
const MOMENTS = ["emptied", "replica that hears nothing", PROMOTED]; // nodes that work all the same
const LINK = 4; // px, from one client's line at a node to the next
const MARK = 10; // px, of a write at the store

let drawings = 0; // makes the ids of patterns unique when a page has several drawings

/**
 * Draws a round into an element and replaces its content.
 * @param round a round record, with `violations`
 * @param options `words(key, ...values)` has the texts; `from` and `until` bound the time shown, in ns; `now` draws a
 *   line there, and nothing after it; `rows` are the rows of a whole round of which only a part is drawn
 */
export function drawLanes(container, round, { words, from = 0, until, now, rows: known = [] }) {
  const seen = readRound(round, known);
  const width = Math.max(container.clientWidth || 640, 280);
  const end = Math.max(until ?? seen.end, from + MS);
  const violations = (round.violations ?? []).filter((violation) => violation.until >= from && violation.from <= end);
  const named = violations.filter(({ from, until, what }) => until > from && widthOf(what, SIZE * BOLD) < width).slice(-TAGS);
  const top = AXIS + TAG * named.length;
  const rows = rowsOf(seen);
  const height = top + rows.length * ROW + 4;
  const x = (at) => LABEL + ((Math.min(Math.max(at, from), end) - from) / (end - from)) * (width - LABEL - MARGIN);
  const y = (row) => top + rows.indexOf(row) * ROW;
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "font-size": SIZE });
  svg.setAttribute("aria-label", words("lab.lanes"));
  const hatch = pattern(svg);
  const plot = { svg, x, y, words, hatch, end, from, shown: now ?? end, right: width - 2, bottom: height - 4, top, seen, written: new Map(), named: new Map(), marks: new Map() };
  axis(plot);
  rows.forEach((row) => label(plot, row));
  for (const [name, client] of seen.clients) drawClient(plot, name, client);
  for (const [name, segments] of seen.nodes) segments.forEach((segment) => drawHolding(plot, name, segment));
  seen.faults.forEach((fault) => drawFault(plot, fault));
  for (const line of placed(plot)) line.forEach((write, i) => drawWrite(plot, write, line[i + 1]));
  violations.forEach((violation) => drawViolation(plot, violation, named.indexOf(violation)));
  if (now !== undefined) svg.append(element("line", { x1: x(now), x2: x(now), y1: AXIS - 6, y2: height, stroke: "currentColor", "stroke-width": 1.5, "data-now": "" }));
  container.replaceChildren(svg);
}

function drawClient(plot, name, { operations, claims }) {
  const colour = colourOf(plot.seen, name);
  for (const { from, until } of claims) {
    const bar = box(plot, from, until, plot.y(name) + 5, 12, { fill: colour, rx: 3 });
    if (bar) title(bar, plot.words("lab.lanes-owner", name, ms(from), ms(until)));
  }
  for (const { name: what, from, until, outcome } of operations) {
    const open = until === Infinity;
    const mark = box(plot, from, until, plot.y(name) + 20, 5, open ? { fill: "none", stroke: colour } : { fill: colour });
    const result = outcome ? outcomeName(outcome, plot.words) : "…";
    if (mark) title(mark, `${plot.words("lab.told.return", name, operationName(what, plot.words), result)}, ${span(from, until)}`);
  }
}

function drawHolding(plot, node, { owner, from, until }) {
  const bar = box(plot, from, until, plot.y(node) + 15, 11, { fill: colourOf(plot.seen, owner), rx: 3, opacity: 0.85, "data-holding": node });
  if (!bar) return;
  const who = holderName(plot.seen, owner, plot.words);
  title(bar, plot.words("lab.lanes-holding", subjectName(node, plot.words), who));
  if (owner === ORPHAN) note(plot, node, from, who);
}

/**
 * Draws a fault over each row that it affects: hatched, or a line for what a node goes on working after. A fault of a link
 * is a dashed line in the colour of the client at each node that it cannot talk with as usual.
 */
function drawFault(plot, { subject, name, from, until: healed }) {
  const who = linked(subject);
  const rows = struck(plot.seen, subject).filter((row) => row !== who);
  const until = MOMENTS.includes(name) ? from : healed;
  for (const row of rows) {
    const band = who ? drawLink(plot, row, who, { from, until }) : box(plot, from, until, plot.y(row) + 1, ROW - 2, { fill: until > from ? plot.hatch : "currentColor" });
    if (!band) return;
    band.dataset.fault = name;
    const text = faultName(name, plot.words);
    title(band, `${subjectName(subject, plot.words)}: ${text}, ${span(from, until)}`);
    const named = plot.named.get(`${row} ${name}`) ?? -1; // once for the links of several clients to one node
    if (row === rows.at(-1) && from > named) note(plot, row, who && until < plot.shown ? until : from, text); // beside a line
    plot.named.set(`${row} ${name}`, Math.max(named, until));
  }
}

function drawLink(plot, row, who, { from, until }) {
  if (until < plot.from || from > plot.shown) return null;
  const y = plot.y(row) + 4 + LINK * [...plot.seen.clients.keys()].indexOf(who);
  const line = element("line", { x1: plot.x(from), x2: plot.x(Math.min(until, plot.shown)), y1: y, y2: y, stroke: colourOf(plot.seen, who), "stroke-width": LINK - 1, "stroke-dasharray": "6 3" });
  plot.svg.append(line);
  return line;
}

/** A few words in a row, if they cover no others. The tooltip has them, too. */
function note(plot, row, from, text) {
  const length = widthOf(text, SMALL);
  const left = Math.max(LABEL, Math.min(plot.x(from) + 3, plot.right - length));
  const line = freeLine(plot, row, left, left + length);
  if (line === undefined) return;
  plot.svg.append(element("text", { x: left, y: plot.y(row) + 11 + line * SECOND, "font-size": SMALL, fill: "currentColor", ...HALO }, text));
}

/** The first of the two lines of a row that has room there. Notes that it is taken. */
function freeLine({ written }, row, left, right) {
  for (const line of [0, 1]) {
    const key = `${row} ${line}`;
    const taken = written.get(key) ?? [];
    if (taken.every((one) => right + 4 < one.left || left > one.right + 4)) {
      written.set(key, [...taken, { left, right }]);
      return line;
    }
  }
  return undefined;
}

/** The writes with their places, in two lines, so that none covers another of the same moment. */
function placed(plot) {
  const lines = [[], []];
  for (const write of plot.seen.writes.filter(({ at }) => at >= plot.from && at <= plot.end)) {
    const x = plot.x(write.at);
    const line = lines.find((one) => !one.length || one.at(-1).x + MARK + 2 <= x) ?? lines[0];
    line.push({ ...write, x, y: plot.y(STORE) + (line === lines[0] ? 9 : 22) });
  }
  return lines;
}

/** A write at the store in the colour of its client: a square, or a cross when it was refused. Numbered if there is room. */
function drawWrite(plot, write, next) {
  const { at, who, value, outcome, x, y } = write;
  const fill = colourOf(plot.seen, who);
  const half = MARK / 2;
  const mark = outcome === "refused"
    ? element("path", { d: `M${x - half} ${y - half}l${MARK} ${MARK}m0 -${MARK}l-${MARK} ${MARK}`, stroke: fill, "stroke-width": 3 })
    : element("rect", { x: x - half, y: y - half, width: MARK, height: MARK, rx: 2, fill });
  mark.dataset.write = outcome;
  plot.marks.set(at, { x, y });
  plot.svg.append(mark);
  title(mark, `${writeName(write, plot.words)}, ${ms(at)} ms`);
  if (!next || next.x > x + 2 * MARK + widthOf(value, SMALL)) plot.svg.append(element("text", { x: x + MARK, y: y + 4, "font-size": SMALL, fill: "currentColor", ...HALO }, value));
}

/** Two owners are an area over the clients. A wrong write has a ring at the store. */
function drawViolation(plot, { judge, from, until, what }, line) {
  const bad = "var(--lane-bad, #d03a2b)";
  const shape = { fill: bad, "fill-opacity": 0.16, stroke: bad, "data-violation": judge };
  const height = Math.max(plot.seen.clients.size, 1) * ROW;
  const span = judge === "effect" ? ring(plot, from, shape) : box(plot, from, until, plot.top, height, shape);
  if (!span) return;
  title(span, what);
  if (line < 0) return;
  const fits = plot.x(from) + widthOf(what, SIZE * BOLD) < plot.right;
  const place = fits ? { x: plot.x(from) } : { x: plot.right, "text-anchor": "end" };
  plot.svg.append(element("text", { ...place, y: AXIS + TAG * line + 12, fill: bad, "font-weight": 600 }, what));
}

/** A ring around the write of a moment. Null when there is none, as for a sum that is wrong in the end. */
function ring(plot, at, shape) {
  const mark = plot.marks.get(at);
  if (!mark) return null;
  const made = element("circle", { cx: mark.x, cy: mark.y, r: MARK - 1, ...shape, "stroke-width": 2 });
  plot.svg.append(made);
  return made;
}

/** About how wide a text is, in px. A Chinese character is as wide as the letters are high. */
function widthOf(text, size) {
  const wide = text.replace(/[^\u2e80-\uffef]/g, "").length;
  return size * (wide + (text.length - wide) * LETTER);
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
  const text = isClient ? row : row === STORE ? words("lab.store") : words("lab.node", row.split(" ")[1]);
  svg.append(element("text", { x: isClient ? 18 : 2, y: y(row) + 19, fill: "currentColor" }, text));
}

/** Draws a bar on the time axis, wide enough to be visible. Null when all of it is outside the time shown. */
function box({ svg, x, from: first, shown: last }, from, until, y, height, attributes) {
  if (until < first || from > last) return null;
  const bar = element("rect", { x: x(from), y, width: Math.max(x(Math.min(until, last)) - x(from), 1.5), height, ...attributes });
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

function span(from, until) {
  if (until === Infinity) return `${ms(from)} ms …`;
  return ms(from) === ms(until) ? `${ms(from)} ms` : `${ms(from)}–${ms(until)} ms`;
}

function ms(at) {
  return Math.round(at / MS);
}
