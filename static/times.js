// `<time datetime data-relative>`: shows "now", "5m", "3h", and later the date. One timer updates all of them, and does
// nothing while the page is hidden. Other times show the date, with the time unless they have `data-day`. All are in the
// reader's time zone, and the title has the exact time.

import { eachArticle } from "./articles.js";
import { language, words } from "./words.js";

const TICK_MS = 15_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const lang = language === "en" ? "en-GB" : language; // the day comes first, as in the server's text
const dayAndMonth = new Intl.DateTimeFormat(lang, { day: "numeric", month: "short" });
const exact = new Intl.DateTimeFormat(lang, { dateStyle: "full", timeStyle: "long" }); // in the reader's time zone
const day = { day: "numeric", month: "short", year: "numeric" };
const fullDate = new Intl.DateTimeFormat(lang, day);
const minute = new Intl.DateTimeFormat(lang, { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export function attachTimes() {
  const refresh = () => {
    if (document.visibilityState === "visible") showTimes(document);
  };
  showTimes(document);
  document.querySelectorAll("time[datetime]:not([data-relative])").forEach(showDate);
  eachArticle(showTimes);
  setInterval(refresh, TICK_MS);
  document.addEventListener("visibilitychange", refresh);
  addEventListener("pageshow", refresh);
}

export function showTimes(root) {
  root.querySelectorAll("time[data-relative]").forEach(show);
}

function show(time) {
  showAs(time, (date) => relative(date, new Date()));
}

function showDate(time) {
  showAs(time, (date) => ("day" in time.dataset ? fullDate : minute).format(date));
}

function showAs(time, format) {
  const date = new Date(time.dateTime);
  if (Number.isNaN(date.getTime())) return;
  time.title ||= exact.format(date);
  const text = format(date);
  if (time.textContent !== text) time.textContent = text;
}

function relative(date, now) {
  const age = now - date; // negative when the clocks differ
  if (age < MINUTE_MS) return words("time.now");
  if (age < HOUR_MS) return words("time.minutes", Math.floor(age / MINUTE_MS));
  if (age < DAY_MS) return words("time.hours", Math.floor(age / HOUR_MS));
  return (date.getFullYear() === now.getFullYear() ? dayAndMonth : fullDate).format(date);
}
