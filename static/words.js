// Texts in the language of the page, by key: those of templates/words that begin with `script.`. The site joins the
// modules of a script, and makes texts.js of the texts that they name.

import texts from "./texts.js";

const CHOICE = /\{(\d),choice,((?:[^{}]|\{\d\})*)\}/g;
const OPTION = /^(\d+)([#<])(.*)$/;

/** The page's language, for dates and numbers. */
export const language = document.documentElement.lang || "en";

/** A text with its values, as java.text.MessageFormat writes them: `{0}`, and `{0,choice,1#one post|1<{0} posts}`. */
export function words(key, ...values) {
  return texts[key]
    .replace(CHOICE, (all, place, options) => chosen(options.split("|"), values[place]))
    .replace(/\{(\d)\}/g, (all, place) => values[place]);
}

/** The last option whose limit the number reaches (`#`) or exceeds (`<`), else the first. */
function chosen(options, number) {
  const read = options.map((option) => OPTION.exec(option));
  const fitting = read.findLast(([, limit, sign]) => (sign === "#" ? number >= limit : number > limit));
  return (fitting ?? read[0])[3];
}
