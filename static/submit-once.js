// A form that leaves the page is sent once. Until the answer comes, a second click does nothing. Otherwise somebody who
// clicks twice on "Register" would read that the name is taken.

const GIVE_UP_MS = 10_000; // after this time, a form that has not left the page may be sent again

export function attachSubmitOnce() {
  addEventListener("submit", holdBack, { capture: true });
  addEventListener("submit", noteSent); // after all other listeners, which may send the form in place
  addEventListener("pageshow", () => document.querySelectorAll("form[aria-busy]").forEach(release));
}

function holdBack(event) {
  if (!event.target.hasAttribute("aria-busy")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function noteSent({ target: form, defaultPrevented }) {
  if (defaultPrevented || form.method !== "post") return;
  form.setAttribute("aria-busy", "true");
  setTimeout(() => release(form), GIVE_UP_MS);
}

function release(form) {
  form.removeAttribute("aria-busy");
}
