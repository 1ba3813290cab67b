// A script may fail to load when the network changes while a page loads. Browsers load each script only once, and some
// remember a failure for as long as the page is open. So this module loads a failed script again, together with
// everything that it imports. Each try uses addresses of its own, which mean the same to the server.

const FIRST_PAUSE_MS = 500;
const MOST_TRIES = 8; // about two minutes in all

addEventListener("error", ({ target }) => {
  if (target instanceof HTMLScriptElement) again(target.src, 1);
}, true);

function again(address, tries) {
  setTimeout(
    () => import(address.replace(/\/[^/]*$/, `~${tries}$&`)).catch(() => tries < MOST_TRIES && again(address, tries + 1)),
    FIRST_PAUSE_MS * 2 ** (tries - 1),
  );
}
