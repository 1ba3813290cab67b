// Adds a Delete button to the viewer's own posts, whose `data-author` equals the body's `data-viewer`. The server does
// not add it, because a post's markup is the same for everyone. The button submits the page's only form, `#act`.

import { eachArticle } from "./articles.js";
import { words } from "./words.js";

export function attachDeleteButtons() {
  const viewer = document.body.dataset.viewer;
  if (!viewer || !document.getElementById("act")) return;
  eachArticle((article) => {
    if (article.dataset.author === viewer) addDelete(article);
  });
}

function addDelete(article) {
  const action = `/posts/${encodeURIComponent(article.dataset.postId)}/delete`;
  if (document.querySelector(`button[formaction="${CSS.escape(action)}"]`)) return; // it has a button
  const button = document.createElement("button");
  button.className = "danger";
  button.setAttribute("form", "act");
  button.setAttribute("formaction", action);
  button.dataset.confirm = words("post.delete-confirm");
  button.textContent = words("post.delete");
  article.querySelector("footer")?.append(button);
}
