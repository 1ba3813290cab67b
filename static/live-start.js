// When the page is live. What it does not need for that asks the server only then.

const AT_LATEST_MS = 2_000;

let started;

/** Waits for the first answer of the page's stream, at most two seconds. A page without a stream does not wait. */
export function liveStarted() {
  return (started ??= new Promise((resolve) => {
    const section = document.querySelector("[data-live]");
    if (!section || section.dataset.liveState === "open") return resolve();
    section.addEventListener("live:state", ({ detail }) => detail !== "connecting" && resolve());
    setTimeout(resolve, AT_LATEST_MS);
  }));
}
