// `data-name-of` and `data-bio-of`, each with a user id: show what that user says about themselves.

export function showProfile({ user, name, bio_html: bio }) {
  for (const shown of document.querySelectorAll(`[data-name-of="${user}"]`)) shown.textContent = name;
  for (const shown of document.querySelectorAll(`[data-bio-of="${user}"]`)) shown.innerHTML = bio;
}
