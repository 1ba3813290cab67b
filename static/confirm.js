// `<button data-confirm="Delete?">`: the first click only asks, by changing the label. A second click goes through. The
// other half of a double click does not, and neither does a key that is held down. The question ends when the reader turns
// to something else, or presses Escape.

import { isEscape } from "./keyboard.js";
import { say } from "./status.js";

const ARM_MS = 500; // after the first click
const PRESSES = ["Enter", " "]; // keys that press a button

let end = () => {}; // ends the question

export function attachConfirm() {
  document.addEventListener("click", (event) => {
    const button = asking(event);
    if (!button || !("asks" in button.dataset)) end();
    if (!button || ("armed" in button.dataset && event.detail < 2)) return;
    event.preventDefault();
    if (!("asks" in button.dataset)) ask(button);
  });
  document.addEventListener("focusout", ({ target }) => "asks" in target.dataset && end());
  document.addEventListener("keydown", (event) => {
    if (event.repeat && PRESSES.includes(event.key) && asking(event)) event.preventDefault();
    if (isEscape(event)) end();
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
  const arming = setTimeout(() => (button.dataset.armed = ""), ARM_MS);
  end = () => {
    clearTimeout(arming);
    delete button.dataset.asks;
    delete button.dataset.armed;
    button.style.minWidth = "";
    button.replaceChildren(...label);
    end = () => {};
  };
}
