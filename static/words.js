// Texts in the language of the page (`<html lang>`). Modules write them in English, with {} for each value.

const ZH = {
  "{} too many": "超出 {} 个",
  "{} left": "还可输入 {} 个",
  "The post is longer than {} characters.": "帖子超过了 {} 个字符。",
  "Really delete?": "确定删除？",
  Delete: "删除",
  Live: "实时",
  Paused: "已暂停",
  Resting: "休息中",
  "Not live": "非实时",
  "Reconnecting…": "重新连接中…",
  Pause: "暂停",
  Resume: "继续",
  "1 new post": "1 条新帖子",
  "{} new posts": "{} 条新帖子",
  "Many new posts: reload": "新帖子很多：请刷新",
  "You are signed out.": "你已退出登录。",
  "This account does not exist any more.": "此账号已不存在。",
  "This account is gone.": "此账号已注销。",
  "Log in": "登录",
  "Some posts may be missing here.": "这里可能缺少一些帖子。",
  Reload: "刷新",
  "Reload for older posts": "刷新查看更早的帖子",
  "This page’s stream comes from {}.": "此页面的流来自 {}。",
  "This page has had no stream yet.": "此页面还没有过流。",
  "How a post travels": "帖子如何抵达",
  "No instance answers at the moment.": "暂时没有实例回应。",
  "Milliseconds from the log to the page": "从日志到页面的毫秒数",
  Half: "半数",
  "99 of 100": "百分之九十九",
  Slowest: "最慢",
  Here: "此处",
  now: "刚刚",
  "{}m": "{} 分钟",
  "{}h": "{} 小时",
};

/** The page's language, for dates and numbers. */
export const language = document.documentElement.lang || "en";

const known = { zh: ZH }[language] ?? {};

/** A text with its values; in English where the language lacks it. */
export function words(english, ...values) {
  return (known[english] ?? english).replaceAll("{}", () => values.shift());
}
