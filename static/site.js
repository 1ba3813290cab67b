// Entry point of every page. Each module attaches its behaviour to elements with its `data-` attributes. All pages work
// without scripts: nothing here is needed to read, post or follow.

import { attachBadge } from "./badge.js";
import { attachCompose } from "./compose.js";
import { attachConfirm } from "./confirm.js";
import { attachKeyboard } from "./keyboard.js";
import { attachLikes } from "./likes.js";
import { attachLive } from "./live.js";
import { attachDeleteButtons } from "./delete-buttons.js";
import { attachReplies } from "./replies.js";
import { attachTimes } from "./times.js";

attachTimes();
attachBadge();
attachDeleteButtons();
attachLikes();
attachReplies();
attachKeyboard();
attachConfirm();
document.querySelectorAll("[data-compose]").forEach(attachCompose);
document.querySelectorAll("[data-live]").forEach(attachLive);
