// Entry point of every page. Each module attaches its behaviour to elements with its `data-` attributes. All pages work
// without scripts: nothing here is needed to read, post or follow.

import { attachCompose } from "./compose.js";
import { attachConfirm } from "./confirm.js";
import { attachLikes } from "./likes.js";
import { attachLive } from "./live.js";
import { attachDeleteButtons } from "./delete-buttons.js";
import { attachTimes } from "./times.js";

attachTimes();
attachDeleteButtons();
attachLikes();
attachConfirm();
document.querySelectorAll("[data-compose]").forEach(attachCompose);
document.querySelectorAll("[data-live]").forEach(attachLive);
