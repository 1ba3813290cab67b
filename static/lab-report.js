// `<div data-lab-report="/lab/runs/….json">`: draws the lanes of a finished run into the elements with
// `data-lab-lanes="<index of the round>"`.

import { drawLanes } from "./lab-lanes.js";
import { words } from "./words.js";

document.querySelectorAll("[data-lab-report]").forEach(attachLabReport);

async function attachLabReport(report) {
  const answer = await fetch(report.dataset.labReport);
  if (!answer.ok) return; // the tables on the page have the same content
  const { rounds } = await answer.json();
  const draw = () => {
    for (const place of report.querySelectorAll("[data-lab-lanes]")) {
      const { record, verdict } = rounds[place.dataset.labLanes];
      drawLanes(place, { ...record, violations: verdict.violations }, { words });
    }
  };
  draw();
  addEventListener("resize", draw);
}
