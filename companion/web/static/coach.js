// Asking the coach: only on a press, and only this phone sees the answer, for as long as the position stays the same.

const room = document.getElementById("region-coach");

let thinking = false;
let said = null; // an opinion about a position, or a sentence about the table as it was at a revision

const shown = () => Number(document.getElementById("regions").dataset.revision);
const place = () => document.getElementById("coach-answer");
const sentence = (text, revision = shown()) => ({ content: [text], revision });

async function ask(position) {
  const headers = { "Content-Type": "application/json", Accept: "text/html" };
  try {
    const answer = await fetch("/coach", { method: "POST", headers, body: JSON.stringify({ position }) });
    const text = await answer.text();
    if (answer.ok) return { content: [...new DOMParser().parseFromString(text, "text/html").body.childNodes], position };
    const { message, revision } = JSON.parse(text);
    return sentence(message, revision);
  } catch {
    return sentence(document.getElementById("main").dataset.unanswered);
  }
}

const fits = (answer) => (answer.position ? answer.position === place()?.dataset.position : shown() <= answer.revision);

// The room is made anew where the position changes: what is still true goes back into it.
function show() {
  const answer = place();
  if (said && !fits(said)) said = null;
  if (!answer) return;
  room.querySelector("[data-coach]").setAttribute("aria-disabled", String(thinking));
  answer.replaceChildren(...(thinking ? [answer.dataset.thinking] : (said?.content ?? [])));
}

document.addEventListener("click", async ({ target }) => {
  if (thinking || !target.closest?.("[data-coach]")) return;
  thinking = true;
  said = null;
  show();
  const answer = await ask(place().dataset.position);
  said = fits(answer) ? answer : sentence(place()?.dataset.movedOn ?? "");
  thinking = false;
  show();
});

if (room) new MutationObserver(show).observe(room, { childList: true });
