// `<button data-confirm="Really delete?">`: the first click only asks, by changing the label. A second click within
// ASK_MS goes through.

import { say } from "./status.js";

const ASK_MS = 4_000;

export function attachConfirm() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-confirm]");
    if (!button || "armed" in button.dataset) return;
    event.preventDefault();
    ask(button);
  });
}

function ask(button) {
  const label = button.textContent;
  button.dataset.armed = "";
  button.textContent = button.dataset.confirm;
  say(button.dataset.confirm);
  setTimeout(() => {
    delete button.dataset.armed;
    button.textContent = label;
  }, ASK_MS);
}
