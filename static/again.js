// A network that changes while a page comes would leave it as it was sent, for good: browsers load a script once, and
// some remember for as long as the page is there that it failed. So one that failed is loaded again, with all that it
// imports, each time from addresses of its own, which are the same to the server.

const FIRST_PAUSE_MS = 500;
const MOST_TRIES = 8; // some two minutes

addEventListener("error", ({ target }) => {
  if (target instanceof HTMLScriptElement) again(target.src, 1);
}, true);

function again(address, tries) {
  setTimeout(
    () => import(address.replace(/\/[^/]*$/, `~${tries}$&`)).catch(() => tries < MOST_TRIES && again(address, tries + 1)),
    FIRST_PAUSE_MS * 2 ** (tries - 1),
  );
}
