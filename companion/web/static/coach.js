// Asking the coach: only on a press, and only this phone sees the answer, until the table moves on.

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-coach]");
  if (!button) return;
  const place = document.getElementById("coach-answer");
  button.disabled = true;
  place.textContent = place.dataset.thinking;
  try {
    const answer = await fetch("/coach", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/html" },
      body: "{}",
    });
    const text = await answer.text();
    if (answer.ok) place.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
    else place.textContent = JSON.parse(text).message;
  } catch {
    place.textContent = document.getElementById("main").dataset.unanswered;
  }
  button.disabled = false;
});
