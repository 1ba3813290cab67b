// `<section data-lab="/live/lab">`: follows the current run, or shows the last one. It adds one panel for each engine
// to `data-lab-panels`, side by side if there is room. `data-lab-plain` is for readers without scripts. Only verdicts
// and violations are read out to screen readers.

import { LabPanel } from "./lab-panel.js";
import { StreamSlots } from "./stream-slots.js";
import { say } from "./status.js";
import { Stream } from "./stream.js";
import { element } from "./elements.js";
import { isOutdated } from "./outdated.js";
import { language, words } from "./words.js";

const EVENTS = ["position", "run", "round", "events", "judged", "skipped", "end", "reset"];
const HIDDEN_MS = 30_000; // how long a hidden page keeps its stream

document.querySelectorAll("[data-lab]").forEach(attachLab);

function attachLab(section) {
  const stop = section.querySelector("[data-lab-stop]");
  const told = section.querySelector("[data-lab-run]");
  const place = section.querySelector("[data-lab-panels]");
  const refusal = element("p", "alert");
  const panels = new Map();
  let names = null; // the title of the scenario and the names of the engines, in the language of the page
  let run = null; // the run's header; null before the first run
  let current = null; // the panel of the current round
  let hiding = null;

  const listeners = { run: began, round, events, judged, skipped, end };
  const stream = new Stream(section.dataset.lab, { event, state, final() {} }, { events: EVENTS });
  const peers = new StreamSlots(update);

  function event(type, data) {
    listeners[type]?.(JSON.parse(data));
  }

  function state(state) {
    section.dataset.liveState = state;
  }

  /** Shows a run from its beginning. The stream also sends this event when it cannot be resumed. */
  function began({ state, run: head, texts }) {
    run = head;
    names = texts[language] ?? texts.en;
    current = null;
    panels.clear();
    place.replaceChildren();
    refused("");
    if (!run) return;
    section.querySelector("[data-lab-plain]")?.remove();
    section.dataset.labState = state;
    describe(words("lab.running"));
    run.engines.forEach(panelOf);
  }

  function describe(how) {
    told.replaceChildren(`${run.scenario} ${names.title}: ${how} `);
  }

  function panelOf(engine) {
    if (!panels.has(engine)) {
      const panel = new LabPanel(engine, names.engines[engine] ?? engine, run, { act: isOwn() ? act : null, byHand: "labByHand" in section.dataset });
      panels.set(engine, panel);
      place.append(panel.section);
    }
    return panels.get(engine);
  }

  function round(header) {
    current = panelOf(header.engine);
    current.round(header);
  }

  function events(list) {
    current?.events(list);
  }

  function judged(verdict) {
    const { result, violations } = verdict.texts[language] ?? verdict.texts.en;
    const name = names.engines[verdict.engine] ?? verdict.engine;
    const more = panelOf(verdict.engine).judged({ ...verdict, result, violations: verdict.violations.map((one, i) => ({ ...one, what: violations[i] })) });
    if (more) say(`${name}: ${more}`);
    else if (run.scenario !== "free") say(`${name}: ${result}`);
  }

  function skipped(texts) {
    place.append(element("p", "hint", texts[language] ?? texts.en));
  }

  function end({ run: id, kept, error }) {
    current = null;
    section.dataset.labState = "over";
    if (stop) stop.hidden = true;
    describe(error ? words("lab.failed") : words("lab.finished"));
    panels.forEach((panel) => panel.over());
    if (!kept) return;
    const link = element("a", "", words("lab.results"));
    link.href = `/lab/runs/${id}`;
    told.append(link);
    showRuns();
  }

  /** Shows the list of past runs as it is now. */
  async function showRuns() {
    try {
      const answer = await fetch("/lab");
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const list = page.querySelector("[data-lab-runs]");
      if (list) document.querySelector("[data-lab-runs]").replaceWith(document.adoptNode(list));
    } catch {
      // The list stays as it was. The link to this run is there.
    }
  }

  /** Whether it is a free play that the viewer has begun. Nobody else may act in it. */
  function isOwn() {
    return run.scenario === "free" && section.dataset.labOwn === run.id && section.dataset.labState === "running";
  }

  /** Sends the same request as the form for readers without scripts. Tells when the server does not take it. */
  async function act(kind, target, keep) {
    const _csrf = document.querySelector("#act [name='_csrf']").value;
    const body = new URLSearchParams({ _csrf, kind, ...target, keep: keep ? "on" : "" });
    try {
      const answer = await fetch("/lab/actions", { method: "POST", headers: { Accept: "application/json" }, body, redirect: "manual" });
      if (answer.status < 400) refused("");
      else refused((await isOutdated(answer)) ? words("page.outdated") : (await answer.json()).detail); // a proxy's answer is no JSON
    } catch {
      refused(words("lab.act-failed"));
    }
  }

  function refused(text) {
    refusal.textContent = text;
    refusal.hidden = text === "";
  }

  function update() {
    if (document.visibilityState === "visible" ? peers.room : hiding !== null) stream.start();
    else stream.stop("resting");
  }

  function rest() {
    hiding = null;
    peers.gone();
    update();
  }

  function followVisibility() {
    clearTimeout(hiding);
    hiding = null;
    if (document.visibilityState === "visible") peers.active();
    else hiding = setTimeout(rest, HIDDEN_MS);
    update();
  }

  refusal.setAttribute("role", "alert");
  refused("");
  place.before(refusal);
  document.addEventListener("visibilitychange", followVisibility);
  addEventListener("focus", followVisibility);
  addEventListener("online", () => stream.renew());
  addEventListener("pagehide", () => {
    clearTimeout(hiding);
    peers.gone();
    stream.stop("resting");
  });
  addEventListener("pageshow", (event) => event.persisted && followVisibility());
  followVisibility();
}
