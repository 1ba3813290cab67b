// `data-name-of`, `data-bio-of` and `data-picture-of`, each with a user id: show what others see of that user. A picture
// covers the letter that is shown in its place. A `.name` stands beside the username, and is empty when it is the same.

/** `roots` are the document, and articles that are not in it yet. */
export function showProfile({ user, username, name, bio_html: bio, picture }, roots) {
  const each = (attribute, show) => {
    for (const root of roots) root.querySelectorAll(`[data-${attribute}-of="${user}"]`).forEach(show);
  };
  each("name", (shown) => (shown.textContent = shown.matches(".name") && name === username ? "" : name));
  each("bio", (shown) => (shown.innerHTML = bio));
  each("picture", (shown) => showPicture(shown, picture));
}

function showPicture(avatar, address) {
  const shown = avatar.querySelector("img");
  if (!address) shown?.remove();
  else if (shown) shown.src = address;
  else avatar.append(Object.assign(new Image(64, 64), { alt: "", src: address }));
}
