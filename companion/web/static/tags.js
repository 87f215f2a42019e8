// The page of the tags: a file is read here and sent as a text; what is wrong with it comes back, fault by fault.

document.addEventListener(
  "submit",
  (event) => {
    if ("plain" in event.target.dataset) return event.stopPropagation(); // fetched as any address
    if (event.target.id !== "bring") return;
    event.preventDefault();
    event.stopPropagation();
    bring(event.target);
  },
  true,
);

let sending = false;

async function bring(form) {
  if (sending) return;
  sending = true;
  try {
    const file = await form.elements.file.files[0].text();
    const body = { command_id: crypto.getRandomValues(new Uint32Array(4)).join("-"), file, merging: form.elements.merging.value };
    const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch("/host/tags/import", request);
    const text = await answer.text();
    const json = answer.headers.get("Content-Type")?.startsWith("application/json");
    const { message, faults = [] } = json ? JSON.parse(text) : { message: text };
    say(form, answer.ok ? "good" : "danger", message, faults);
    if (answer.ok) form.reset();
  } catch {
    say(form, "danger", form.dataset.unanswered, []);
  } finally {
    sending = false;
  }
}

function say(form, tone, message, faults) {
  const line = document.createElement("p");
  line.className = "notice";
  line.dataset.tone = tone;
  line.textContent = message;
  const list = document.createElement("ul");
  for (const fault of faults) list.appendChild(document.createElement("li")).textContent = fault;
  form.querySelector(".brought").replaceChildren(line, ...(faults.length ? [list] : []));
}
