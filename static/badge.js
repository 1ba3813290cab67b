// `<span data-unread>` in the navigation: how many notifications are unread. The number also stands before the page's
// title. A page is sent with it. The stream of a home page tells of each change. Every page asks when its reader comes
// back to it.

const MOST = 99; // of more, it shows "99+"

const badge = document.querySelector("[data-unread]"); // null when nobody is signed in
const title = document.title;
let asking = false;

export function attachBadge() {
  if (!badge) return;
  show(badge.textContent);
  addEventListener("focus", askUnread);
  addEventListener("pageshow", (event) => event.persisted && askUnread());
  document.addEventListener("visibilitychange", askUnread);
}

export function showUnread(number) {
  if (badge) show(number > MOST ? `${MOST}+` : number > 0 ? String(number) : "");
}

export async function askUnread() {
  if (!badge || asking || document.visibilityState === "hidden") return;
  asking = true;
  try {
    const answer = await fetch("/notifications/unread", { headers: { Accept: "application/json" } });
    if (answer.ok) showUnread((await answer.json()).unread);
  } catch {
    // The badge shows the last number that is known.
  } finally {
    asking = false;
  }
}

function show(number) {
  badge.textContent = number;
  document.title = number ? `(${number}) ${title}` : title;
}
