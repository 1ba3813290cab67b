// The parts of a post's markup that modules rely on (`article.post`, `data-post-id`, `data-author`), and how modules
// learn of posts that are added later. A module that inserts an article calls `added`. A module that handles articles
// uses `eachArticle`.

import { element } from "./elements.js";
import { say } from "./status.js";
import { words } from "./words.js";

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

/** Parts that show who has written the post. */
const NAMES = [".name", ".avatar"];

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

function countsOf(article) {
  return Object.fromEntries(
    Object.entries(COUNTED).map(([name, selector]) => [name, Number(article.querySelector(selector)?.dataset.count ?? 0)]),
  );
}

/** Every article on the page that shows this post. */
export function articlesOf(id) {
  return document.querySelectorAll(`article.post[data-post-id="${CSS.escape(id)}"]`);
}

/** The id of the post that an article replies to; undefined for none. */
export function repliedTo(article) {
  return article.querySelector(".context a")?.getAttribute("href").split("/").at(-1);
}

/**
 * Articles that are shown because of a repost → the lines of further reposts of the same post, newest first. An article
 * has one such line, `.reposted`, which names the user who reposts.
 */
const furtherReposts = new WeakMap();

/** Articles that show a repost although the list has the post itself, too. They stay without any repost. */
const listedItself = new WeakSet();

function repostsOf(article) {
  const shown = article.querySelector(".reposted");
  return shown ? [shown, ...(furtherReposts.get(article) ?? [])] : [];
}

/**
 * Reads, and removes, the templates of a list that the server rendered. Each follows an article with a repost and has
 * the other reasons for which the post is in that list.
 */
export function readAlsoListed(list) {
  for (const template of list.querySelectorAll("template[data-also-listed]")) {
    const article = template.previousElementSibling;
    furtherReposts.set(article, [...template.content.querySelectorAll(".reposted")]);
    if (template.content.querySelector(".itself")) listedItself.add(article);
    template.remove();
  }
}

/**
 * The id of the entry by which an article is where it is in its list: its newest repost, or else the post itself. Lists
 * are in the order of their entries.
 */
export function entryOf(article) {
  return article.querySelector(".reposted")?.dataset.repostId ?? article.dataset.postId;
}

/** Remembers other entries of the list for a post whose article is on the page. The article shows the newest repost. */
export function addRepost(article, anew) {
  const [known, more] = [repostsOf(article), repostsOf(anew)];
  if (known.length === 0 || more.length === 0) listedItself.add(article);
  const each = new Map([...more, ...known].map((repost) => [repost.dataset.repostId, repost]));
  setReposts(article, [...each.values()].sort((one, other) => (one.dataset.repostId < other.dataset.repostId ? 1 : -1)));
}

/** Takes away the reposts that go with a post or a user, from an article that stays. */
export function removeReposts(article, gone) {
  const [shown, ...further] = repostsOf(article);
  if (shown) setReposts(article, [shown, ...further].filter((repost) => !repostGoesWith(repost, gone)));
}

/** Lets an article have the counts, names, picture and reposts that its newer copy from the server has. */
export function renew(article, anew) {
  if (article === anew) return;
  for (const part of NAMES) renewPart(article.querySelector(part), anew.querySelector(part));
  showCounts(article, countsOf(anew));
  setReposts(article, repostsOf(anew));
  if (listedItself.has(anew)) listedItself.add(article);
  else listedItself.delete(article);
}

function renewPart(shown, newest) {
  if (newest && !shown?.isEqualNode(newest)) shown?.replaceWith(newest);
}

function setReposts(article, [first, ...further]) {
  const shown = article.querySelector(".reposted");
  if (shown !== first) {
    shown?.remove();
    if (first) article.prepend(first);
  }
  furtherReposts.set(article, further);
}

/**
 * Whether an article goes: with its post, with its author, or because all its reposts go. `gone` has the id of a `post`
 * or of a `user`. These are told apart, because users and posts from another site may have the same id.
 */
export function goesWith(article, gone) {
  const reposts = repostsOf(article);
  return (
    is(gone, "post", article.dataset.postId) ||
    is(gone, "user", article.querySelector("a.author").dataset.userId) ||
    (reposts.length > 0 && !listedItself.has(article) && reposts.every((repost) => repostGoesWith(repost, gone)))
  );
}

/** Puts the focus on an article, where the keys for readers go on. */
export function focusArticle(article) {
  article.tabIndex = -1;
  article.focus({ preventScroll: true });
}

/**
 * Removes an article from the page. A reply that its reader is writing or sending below it stays: it moves before the
 * list. A notice says why it does, and where a post of a conversation was. A focus that would be lost goes to the
 * article beside it.
 */
export function removeArticle(article) {
  const focused = article.contains(document.activeElement) ? document.activeElement : null;
  const next = beside(article);
  const replies = article.querySelectorAll("form[data-reply-in-place], .outgoing");
  if (replies.length > 0 || article.matches(".thread article, .posts.focus article")) tellGone(article, replies);
  article.remove();
  if (focused?.isConnected) focused.focus({ preventScroll: true });
  else if (focused && next) focusArticle(next);
  else if (focused) focusTitle();
}

/** Puts the focus on the title of the list, or on the page, where nothing else is left that could have it. */
export function focusTitle() {
  const title = document.querySelector("[data-live-head] h2") ?? document.querySelector("#main");
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

function tellGone(article, replies) {
  const above = article.closest(".parent");
  const notice = element("p", above ? "gone parent" : "gone", words("post.gone"));
  (above ?? article.closest("[data-live-list]") ?? article).before(notice, ...replies);
  say(words("post.gone"));
}

/** The article after this one on the page, else the one before it; undefined when it is the only one. */
function beside(article) {
  const all = [...document.querySelectorAll("article.post")];
  const at = all.indexOf(article);
  return all[at + 1] ?? all[at - 1];
}

/** Removes from the page what goes with a post or a user. */
export function removeFromPage(gone) {
  for (const article of document.querySelectorAll("article.post")) {
    if (goesWith(article, gone)) removeArticle(article);
    else removeReposts(article, gone);
  }
}

/** Whether a repost goes: by itself, or with its user. */
function repostGoesWith(repost, gone) {
  return is(gone, "post", repost.dataset.repostId) || is(gone, "user", repost.querySelector("a").dataset.userId);
}

function is(gone, kind, id) {
  return kind in gone && gone[kind] === id;
}
