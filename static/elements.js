// Creates elements.

export function element(name, className, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Tells below a post what did not work. The next try removes it. */
export function problem(text) {
  const alert = element("p", "alert problem", text);
  alert.setAttribute("role", "alert");
  return alert;
}
