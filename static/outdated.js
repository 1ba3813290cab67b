// A page that was opened before its user logged in or out, in another tab, has an outdated token in its forms.

/** Whether the server refused a form for that. */
export async function isOutdated(answer) {
  if (answer?.status !== 403) return false;
  const problem = await answer.clone().json().catch(() => null);
  return problem?.outdated === true;
}
