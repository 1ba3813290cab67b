// A script may fail to load when the network changes while a page loads. Browsers load each script only once, and some
// remember a failure for as long as the page is open. So this module loads a failed script again. Each try uses an
// address of its own, which means the same to the server. No page waits for this module. `data-unscripted` says that a
// script is missing: until it comes, the stylesheet shows what the script would replace.

const FIRST_PAUSE_MS = 500;
const MOST_TRIES = 8; // about two minutes in all

let missing = 0; // scripts

// Until the whole page is there, the browser itself runs no script. An import would run one too early, so that it does
// not find what it is for.
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", check);
else check();

// A script that is loaded, or being loaded, is not loaded a second time.
function check() {
  for (const { src } of document.querySelectorAll("script[src]")) import(src).catch(() => miss(src));
}

function miss(address) {
  missing++;
  document.documentElement.dataset.unscripted = "";
  again(address, 1);
}

function came() {
  if (--missing === 0) delete document.documentElement.dataset.unscripted;
}

function again(address, tries) {
  setTimeout(
    () =>
      import(address.replace(/\/[^/]*$/, `~${tries}$&`)).then(
        came,
        () => tries < MOST_TRIES && again(address, tries + 1),
      ),
    FIRST_PAUSE_MS * 2 ** (tries - 1),
  );
}
