// Entry point of every page. Each module attaches its behaviour to elements with its `data-` attributes. All pages work
// without scripts: nothing here is needed to read, post or follow.

import { attachBadge } from "./badge.js";
import { attachCompose } from "./compose.js";
import { attachConfirm } from "./confirm.js";
import { attachDrafts } from "./drafts.js";
import { attachKeyboard, attachKeyboardChoice } from "./keyboard.js";
import { attachToggles } from "./toggles.js";
import { attachLive } from "./live.js";
import { attachDeleteButtons } from "./delete-buttons.js";
import { attachMentions } from "./mentions.js";
import { attachNotifications } from "./notifications.js";
import { attachReplies } from "./replies.js";
import { attachSubmitOnce } from "./submit-once.js";
import { attachSuggestions } from "./suggestions.js";
import { attachTimes } from "./times.js";
import { attachWaiting, moveLost } from "./waiting.js";

attachTimes();
attachDeleteButtons();
// A page with its Redis commands shows what a form did on the page after it, so there the browser sends the forms.
const leavesPage = document.querySelector("[data-xray]") !== null;
if (!leavesPage) {
  attachToggles();
  attachReplies();
}
attachKeyboard();
document.querySelectorAll("[data-keys]").forEach(attachKeyboardChoice);
attachConfirm();
attachSubmitOnce();
attachDrafts();
document.querySelectorAll("[data-compose]").forEach(attachCompose);
document.querySelectorAll("[data-live]").forEach(attachLive);
document.querySelectorAll("[data-notifications]").forEach(attachNotifications);
document.querySelectorAll("[data-mentions]").forEach(attachMentions);
attachBadge(); // after the streams, so that it knows of them
document.querySelectorAll("[data-suggestions]").forEach(attachSuggestions);
if (!leavesPage) attachWaiting();
moveLost();
