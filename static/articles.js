// The parts of a post's markup that modules rely on (`article.post`, `data-post-id`, `data-author`), and how modules
// learn of posts that are added later. A module that inserts an article calls `added`. A module that handles articles
// uses `eachArticle`.

/** The event by which an added article tells of itself. */
export const ADDED = "post:added";

/** Calls back for every article on the page, both now and when it is added later. */
export function eachArticle(callback) {
  document.querySelectorAll("article.post").forEach(callback);
  document.addEventListener(ADDED, (event) => callback(event.target));
}

/** Tells the other modules that this article was added to the page. */
export function added(article) {
  article.dispatchEvent(new Event(ADDED, { bubbles: true }));
}

/** Parses the server's markup into an article; null when it contains none. */
export function parseArticle(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content.querySelector("article.post[data-post-id]");
}

/** Parts of the footer that show a count, by the count's name. */
const COUNTED = { replies: "a.reply", likes: "button.like", reposts: "button.repost" };

/** Shows how many replies, likes and reposts a post has. The stylesheet displays `data-count`. */
export function showCounts(article, counts) {
  for (const [name, selector] of Object.entries(COUNTED)) {
    const shown = article.querySelector(selector);
    if (counts[name] > 0) shown?.setAttribute("data-count", counts[name]);
    else if (name in counts) shown?.removeAttribute("data-count");
  }
}

/** Every article on the page that shows this post. */
export function articlesOf(id) {
  return document.querySelectorAll(`article.post[data-post-id="${CSS.escape(id)}"]`);
}

/** The id of the post that an article replies to; undefined for none. */
export function repliedTo(article) {
  return article.querySelector(".context a")?.getAttribute("href").split("/").at(-1);
}

/** Whether an article goes with this id: that of its post, of the repost that shows it, or of the user of one of them. */
export function goesWith(article, id) {
  const repost = article.querySelector(".reposted");
  const users = article.querySelectorAll("a.author, .reposted a");
  return (
    article.dataset.postId === id ||
    repost?.dataset.repostId === id ||
    [...users].some((user) => user.dataset.userId === id)
  );
}

/** Every article on the page that goes with this id. */
export function articlesGoingWith(id) {
  return [...document.querySelectorAll("article.post")].filter((article) => goesWith(article, id));
}
