// What already lies at the table is named by tapping or scanning: numbered where the order matters, all of it or none.

const FIELD = "[data-kind='named']";

const inputs = (field) => [...field.querySelectorAll("input")];
const named = (field) => inputs(field).filter((input) => input.checked).sort((a, b) => number(a) - number(b));
const number = (input) => Number(input.dataset.number);
const isFull = (field) => named(field).length >= Number(field.dataset.most);

// The answer for the set-up: one name, or the names in order; nothing where chance decides.
export function names(field) {
  const values = named(field).map((input) => input.value);
  if ("single" in field.dataset) return values[0] ?? "";
  return values.length ? values : "";
}

// A tap: the lowest free number is the next one, so that what was taken back can be named anew in its place.
export function tapped(input) {
  const field = input.closest(FIELD);
  delete input.dataset.number;
  if (input.checked) {
    const taken = new Set(inputs(field).map(number));
    let next = 1;
    while (taken.has(next)) next++;
    input.dataset.number = next;
  }
  tell(field, input);
}

export function clear(field) {
  for (const input of inputs(field)) {
    input.checked = false;
    delete input.dataset.number;
  }
  tell(field);
}

// A scanned thing is named in the first open question that offers it and still wants names.
export function scanned(name) {
  for (const field of document.querySelectorAll(`details[open] ${FIELD}`)) {
    const input = inputs(field).find((one) => one.value === name);
    if (!input || isFull(field)) continue;
    if (!input.checked) input.click();
    return;
  }
}

// A question that is answered by half is shown with what it wants.
export function unfinished(form) {
  const partly = [...form.querySelectorAll(FIELD)].find((field) => {
    const { length } = named(field);
    return length > 0 && length < Number(field.dataset.least);
  });
  if (!partly) return false;
  partly.closest("details").open = true;
  const alert = partly.querySelector("[role='alert']");
  alert.hidden = false;
  alert.textContent = partly.dataset.partly;
  inputs(partly).find((input) => !input.checked).focus({ preventScroll: true });
  alert.scrollIntoView({ block: "center" });
  return true;
}

function tell(field, latest) {
  const { length } = named(field);
  const full = isFull(field);
  for (const input of inputs(field)) {
    input.disabled = full && !input.checked;
    if ("ordered" in field.dataset) input.nextElementSibling.firstElementChild.textContent = input.dataset.number ?? "";
  }
  const count = field.dataset.count.replace("{n}", length);
  const name = latest?.checked ? latest.nextElementSibling.lastChild.textContent.trim() : "";
  field.querySelector(".count").textContent = name ? `${count} · ${name}` : count;
  field.closest("details").querySelector("[data-total]").textContent = length ? count : "";
  field.querySelector("[role='alert']").hidden = true;
  place(field);
}

// -- the board, as far as it is named -------------------------------------------------------------------------------

// Draw the boards of the open questions for the form's other answers; one without a board shows none.
export async function drawLots(form, answers) {
  for (const field of form.querySelectorAll("details[open] [data-ordered]")) {
    const asked = new URLSearchParams({ game: form.dataset.game, key: field.dataset.key, setup: JSON.stringify(answers) });
    const lots = field.querySelector("[data-lots]");
    lots.dataset.asked = asked;
    const answer = await fetch(`/host/lots?${asked}`).catch(() => null); // a board that cannot be had is not shown
    if (lots.dataset.asked !== String(asked)) continue;
    lots.hidden = answer?.status !== 200;
    if (lots.hidden) continue;
    lots.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes);
    place(field);
  }
}

function place(field) {
  const names = new Map(named(field).map((input) => [number(input), input.dataset.short]));
  let next = null;
  for (const lot of field.querySelectorAll("[data-lots] .lot")) {
    const at = Number(lot.dataset.number);
    lot.textContent = names.get(at) ?? at;
    lot.classList.toggle("filled", names.has(at));
    if (!names.has(at) && (next === null || at < Number(next.dataset.number))) next = lot;
    lot.classList.remove("next");
  }
  next?.classList.add("next");
}
