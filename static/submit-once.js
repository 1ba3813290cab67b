// A form that leaves the page is sent once. Until the answer comes, a second click on the same button does nothing.
// Otherwise somebody who clicks twice on "Register" would read that the name is taken.

export const GIVE_UP_MS = 10_000; // after this time, the button of a form that has not left the page works again

export function attachSubmitOnce() {
  addEventListener("submit", holdBack, { capture: true });
  addEventListener("submit", noteSent); // after all other listeners, which may send the form in place
  addEventListener("pageshow", () => document.querySelectorAll("button[aria-busy]").forEach(release));
}

function holdBack(event) {
  if (!event.submitter?.hasAttribute("aria-busy")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function noteSent({ target, submitter, defaultPrevented }) {
  if (defaultPrevented || !submitter || target.method !== "post") return;
  submitter.setAttribute("aria-busy", "true");
  setTimeout(() => release(submitter), GIVE_UP_MS);
}

function release(button) {
  button.removeAttribute("aria-busy");
}
