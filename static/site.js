// Entry point of every page. Each module attaches its behaviour to elements with its `data-` attributes. All pages work
// without scripts: nothing here is needed to read, post or follow.

import { attachBadge } from "./badge.js";
import { attachCompose } from "./compose.js";
import { attachConfirm } from "./confirm.js";
import { attachDrafts } from "./drafts.js";
import { attachKeyboard } from "./keyboard.js";
import { attachToggles } from "./toggles.js";
import { attachLive } from "./live.js";
import { attachDeleteButtons } from "./delete-buttons.js";
import { attachReplies } from "./replies.js";
import { attachSuggestions } from "./suggestions.js";
import { attachTimes } from "./times.js";

attachTimes();
attachDeleteButtons();
attachToggles();
attachReplies();
attachKeyboard();
attachConfirm();
attachDrafts();
document.querySelectorAll("[data-compose]").forEach(attachCompose);
document.querySelectorAll("[data-live]").forEach(attachLive);
attachBadge(); // after the streams, so that it knows of them
document.querySelectorAll("[data-suggestions]").forEach(attachSuggestions);
