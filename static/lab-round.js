// Shows a recorded round: swim lanes, a replay, and the five steps of each acquisition. Pages and report files use it.

import { element } from "./elements.js";
import { colourOf, inOrderOfTheStore, readRound, rowsOf } from "./lab-history.js";
import { drawLanes } from "./lab-lanes.js";
import { isTold, replayControls } from "./lab-replay.js";
import { drawSteps } from "./lab-steps.js";

const EMPTY = 1e9; // ns; when nothing happens for longer at the beginning, the picture begins later
const BEFORE = 1e8; // ns, from there to what happens first

/**
 * Fills a place with a round.
 * @param recorded a record with its `violations` and `acquisitions`
 * @param options `words(key, ...values)`; `draw(part, at)` is called with what had happened at each moment that is shown
 */
export function showRound(place, recorded, { words, draw = () => {} }) {
  const round = inOrderOfTheStore(recorded);
  const full = readRound(round);
  const rows = rowsOf(full);
  const lanes = element("div", "lab-lanes");
  const steps = element("div", "lab-steps");
  const first = Math.min(...round.events.filter(isTold).map(({ at }) => at));
  const from = first > EMPTY && first < full.end ? first - BEFORE : 0;
  let shown = Infinity;

  function show(at = shown) {
    shown = at >= full.end ? Infinity : at;
    const part = shown === Infinity ? round : until(round, at);
    drawLanes(lanes, part, { words, from, until: full.end, rows, now: shown === Infinity ? undefined : at });
    drawSteps(steps, round.acquisitions ?? [], { words, now: Math.min(shown, full.end), over: shown === Infinity, colour: (client) => colourOf(full, client) });
    draw(part, Math.min(at, full.end));
  }

  const stage = element("div", "lab-stage");
  stage.append(lanes, replayControls(round, full, from, full.end, { words, show }));
  place.replaceChildren(stage, legend(words), steps);
  let width = 0;
  new ResizeObserver(() => {
    if (lanes.clientWidth !== width) show();
    width = lanes.clientWidth;
  }).observe(lanes);
}

/** What the shapes in the lanes and the signs in the steps mean, to be opened by who wants to know. */
export function legend(words) {
  const made = element("details", "hint");
  made.append(element("summary", "", words("lab.legend")), element("p", "lab-legend", words("lab.lanes-legend")), element("p", "lab-legend", words("lab.steps-legend")));
  return made;
}

/** What had happened of a round at a moment. */
function until(round, at) {
  return {
    ...round,
    events: round.events.filter((event) => event.at <= at),
    violations: round.violations.filter(({ from }) => from <= at).map((one) => ({ ...one, until: Math.min(one.until, at) })),
  };
}
