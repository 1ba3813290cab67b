// `<div data-lab-report="/lab/runs/….json">`: shows the rounds of a finished run in the elements with
// `data-lab-round="<index of the round>"`, whose `data-lab-steps` has the acquisitions.

import { showRound } from "./lab-round.js";
import { words } from "./words.js";

document.querySelectorAll("[data-lab-report]").forEach(attachLabReport);

async function attachLabReport(report) {
  const answer = await fetch(report.dataset.labReport);
  if (!answer.ok) return; // the tables on the page have the same content
  const { rounds } = await answer.json();
  for (const place of report.querySelectorAll("[data-lab-round]")) {
    const { record, verdict } = rounds[place.dataset.labRound];
    const violations = verdict.violations.map((one, i) => ({ ...one, what: JSON.parse(place.dataset.labViolations)[i] ?? one.what }));
    showRound(place, { ...record, violations, acquisitions: JSON.parse(place.dataset.labSteps) }, { words });
  }
}
