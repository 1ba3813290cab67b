// What a post's markup promises (`article.post`, `data-post-id`, `data-author`), and how modules learn of posts that
// come later: whoever inserts an article calls `added`, whoever cares uses `eachArticle`.

const ADDED = "post:added";

/** Calls back for every article on the page, now and later. */
export function eachArticle(callback) {
  document.querySelectorAll("article.post").forEach(callback);
  document.addEventListener(ADDED, (event) => callback(event.target));
}

/** Tells the other modules that this article has just been put on the page. */
export function added(article) {
  article.dispatchEvent(new Event(ADDED, { bubbles: true }));
}

/** The article in the server's markup, or null when there is none. */
export function parseArticle(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content.querySelector("article.post[data-post-id]");
}

/** Tells beside the link to reply how many have: the stylesheet shows `data-count`. */
export function showReplies(article, replies) {
  const link = article.querySelector("a.reply");
  if (replies > 0) link?.setAttribute("data-count", replies);
  else link?.removeAttribute("data-count");
}

/** Every article on the page that shows this post. */
export function articlesOf(id) {
  return document.querySelectorAll(`article.post[data-post-id="${CSS.escape(id)}"]`);
}

/** The user id of its author. */
export function authorOf(article) {
  return article.querySelector("a.author")?.dataset.userId;
}

/** Every article on the page by the user of that id. */
export function articlesBy(author) {
  return [...document.querySelectorAll("article.post")].filter((article) => authorOf(article) === author);
}
