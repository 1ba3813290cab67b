// `<ol data-learn>`: the steps of an experiment that was played. Shows them one by one in slow motion, with buttons to
// play, pause and step. Readers who want little motion get all steps at once, and can still go through them.

import { element } from "./elements.js";
import { say } from "./status.js";
import { words } from "./words.js";

const STEP_MS = 2_600; // how long a step is shown before the next one

document.querySelectorAll("[data-learn]").forEach(attachPlayer);

function attachPlayer(list) {
  const steps = [...list.children];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const controls = element("div", "learn-controls");
  const toggle = button("play", () => (timer ? pause() : play()));
  const next = button("step", () => {
    pause();
    if (shown === steps.length) show(0);
    show(shown + 1);
    say(steps[shown - 1].textContent.replace(/\s+/g, " ").trim());
  });
  const all = button("all", () => {
    pause();
    show(steps.length);
  });
  const progress = element("span", "hint");
  let shown = 0;
  let timer = 0;

  controls.append(toggle, next, all, progress);
  list.before(controls);
  show(still ? steps.length : 0);
  if (!still) play();

  function play() {
    if (shown === steps.length) show(0);
    forward();
    if (shown < steps.length) timer = setInterval(forward, STEP_MS);
    label();
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    label();
  }

  function forward() {
    show(shown + 1);
    if (shown === steps.length) pause();
  }

  function show(count) {
    shown = count;
    steps.forEach((step, i) => {
      step.hidden = i >= count;
      step.classList.toggle("learn-now", i === count - 1 && count < steps.length);
    });
    progress.textContent = words("learn.progress", count, steps.length);
    if (timer) steps[count - 1]?.scrollIntoView({ block: "nearest" });
  }

  function label() {
    toggle.textContent = timer ? words("learn.pause") : words("learn.play");
    toggle.dataset.learnControl = timer ? "pause" : "play";
  }
}

function button(name, action) {
  const texts = { play: words("learn.play"), step: words("learn.step"), all: words("learn.all") };
  const made = element("button", "", texts[name]);
  made.type = "button";
  made.dataset.learnControl = name;
  made.addEventListener("click", action);
  return made;
}
