// `<button data-confirm="Delete?">`: the first click only asks, by changing the label. A second click within ASK_MS goes
// through. The other half of a double click does not, and neither does a key that is held down.

import { say } from "./status.js";

const ARM_MS = 500; // after the first click
const ASK_MS = 4_000;
const PRESSES = ["Enter", " "]; // keys that press a button

export function attachConfirm() {
  document.addEventListener("click", (event) => {
    const button = asking(event);
    if (!button || ("armed" in button.dataset && event.detail < 2)) return;
    event.preventDefault();
    if (!("asks" in button.dataset)) ask(button);
  });
  document.addEventListener("keydown", (event) => {
    if (event.repeat && PRESSES.includes(event.key) && asking(event)) event.preventDefault();
  });
}

function asking({ target }) {
  return target.closest?.("button[data-confirm]");
}

function ask(button) {
  const label = [...button.childNodes];
  const { width } = button.getBoundingClientRect();
  button.dataset.asks = "";
  button.textContent = button.dataset.confirm;
  // What is beside the button stays where it is.
  if (button.getBoundingClientRect().width < width) button.style.minWidth = `${width}px`;
  say(button.dataset.confirm);
  setTimeout(() => (button.dataset.armed = ""), ARM_MS);
  setTimeout(() => {
    delete button.dataset.asks;
    delete button.dataset.armed;
    button.style.minWidth = "";
    button.replaceChildren(...label);
  }, ASK_MS);
}
