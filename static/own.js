// Gives the viewer's own posts (`data-author` equal to the body's `data-viewer`) a Delete button, since the markup of a
// post is the same for everyone. It submits the page's one form, `#act`.

import { eachArticle } from "./articles.js";
import { words } from "./words.js";

export function attachOwn() {
  const viewer = document.body.dataset.viewer;
  if (!viewer || !document.getElementById("act")) return;
  eachArticle((article) => {
    if (article.dataset.author === viewer) addDelete(article);
  });
}

function addDelete(article) {
  const action = `/posts/${encodeURIComponent(article.dataset.postId)}/delete`;
  if (document.querySelector(`button[formaction="${CSS.escape(action)}"]`)) return; // the page has one already
  const button = document.createElement("button");
  button.className = "danger";
  button.setAttribute("form", "act");
  button.setAttribute("formaction", action);
  button.dataset.confirm = words("post.delete-confirm");
  button.textContent = words("post.delete");
  article.querySelector("footer")?.append(button);
}
