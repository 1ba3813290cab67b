// How long acquiring the lock takes and how often it succeeds, over all rounds of one engine.

import { element } from "./elements.js";
import { words } from "./words.js";

const MS = 1e6; // times in events are in ns
const KEPT = 2_000; // times of acquisitions that are kept

export class Figures {
  table = element("table", "figures lab-figures");
  #begun = new Map(); // start times of acquisitions without an answer, by operation
  #times = [];
  #counts = { asked: 0, granted: 0, written: 0, refused: 0 };

  /** A new round begins. Operations of the last round that have no answer will never get one. */
  round() {
    this.#begun.clear();
  }

  add({ kind, name, at, operation, details }) {
    if (kind === "INVOKE" && name === "acquire") {
      this.#begun.set(operation, at);
      this.#counts.asked++;
    } else if (kind === "RETURN" && name === "acquire") {
      if (details.outcome === "acquired") this.#granted(at - (this.#begun.get(operation) ?? at));
      this.#begun.delete(operation);
    } else if (kind === "RETURN" && name === "write") {
      if (details.outcome in this.#counts) this.#counts[details.outcome]++;
    }
  }

  #granted(time) {
    this.#counts.granted++;
    this.#times.push(time / MS);
    if (this.#times.length > KEPT) this.#times.shift();
  }

  show() {
    const sorted = [...this.#times].sort((one, other) => one - other);
    const { asked, granted, written, refused } = this.#counts;
    const cells = {
      p50: part(sorted, 0.5),
      p95: part(sorted, 0.95),
      p99: part(sorted, 0.99),
      [words("lab.asked")]: asked,
      [words("lab.granted")]: asked ? `${Math.round((100 * granted) / asked)} %` : "–",
      [words("lab.writes")]: written,
      [words("lab.refused")]: refused,
    };
    if (!this.table.tHead) {
      this.table.append(element("caption", "", words("lab.caption")));
      const head = this.table.createTHead().insertRow();
      for (const name of Object.keys(cells)) {
        const cell = element("th", "", name);
        cell.scope = "col";
        head.append(cell);
      }
      this.table.createTBody().insertRow();
    }
    this.table.tBodies[0].rows[0].replaceChildren(...Object.values(cells).map((value) => element("td", "", value)));
  }
}

/** A percentile of the sorted times, computed as in the reports. */
function part(sorted, share) {
  if (!sorted.length) return "–";
  const time = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return time.toFixed(time < 100 ? 1 : 0);
}
