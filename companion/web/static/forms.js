// What a filled-in form asks for, as the body of an order.

import { names } from "./naming.js";

function setup(form) {
  const chosen = {};
  for (const field of form.querySelectorAll("[data-key]")) {
    const value = reading(field);
    if (value !== "") chosen[field.dataset.key] = value;
  }
  return { kind: "start", game: form.dataset.game, setup: chosen };
}

function reading(field) {
  const checked = () => [...field.querySelectorAll("input:checked")].map((input) => input.value);
  if (field.dataset.kind === "seats") return [...field.querySelectorAll("select")].map((s) => s.value).filter(Boolean);
  if (field.dataset.kind === "several") return checked();
  if (field.dataset.kind === "named") return names(field);
  if (field.dataset.kind === "radio") return checked()[0] ?? "";
  return field.value.trim();
}

// Only what was changed is corrected; the table may have moved the rest on meanwhile.
function correction(form) {
  const command = { do: "correct" };
  for (const field of form.querySelectorAll("[data-part]")) {
    if (!isChanged(field)) continue;
    const { part, key } = field.dataset;
    if (key === undefined) command[part] = corrected(field);
    else command[part] = { ...command[part], [key]: corrected(field) };
  }
  return Object.keys(command).length > 1 ? { kind: "play", command } : null;
}

function isChanged(field) {
  if (field.dataset.kind === "many") {
    return [...field.querySelectorAll("input")].some((input) => input.value !== input.defaultValue || input.checked !== input.defaultChecked);
  }
  return ![...field.options].some((option) => option.selected && option.defaultSelected);
}

function corrected(field) {
  if (field.dataset.kind === "number") return Number(field.value);
  if (field.dataset.kind !== "many") return field.value;
  return [...field.querySelectorAll("input")].flatMap((input) => Array(held(input)).fill(input.dataset.option));
}

function held(input) {
  return input.type === "checkbox" ? Number(input.checked) : Number(input.value) || 0;
}

const binding = (form) => ({ kind: "bind", tag: form.elements.tag.value, thing: form.elements.thing.value });

const calling = (form) => ({ kind: "call", name: form.elements.name.value.trim() });

const naming = (form) => ({ kind: "enrol", game: form.elements.game.value, piece: form.elements.piece.value });

export const READ = { enrol: naming, start: setup, correct: correction, bind: binding, call: calling };

// Draw lots: the chosen number of seats gets different options at random.
export function shuffle(button) {
  const selects = [...button.closest("fieldset").querySelectorAll("select")];
  const options = [...selects[0].options].map((option) => option.value).filter(Boolean);
  for (let at = options.length - 1; at > 0; at--) {
    const other = crypto.getRandomValues(new Uint32Array(1))[0] % (at + 1);
    [options[at], options[other]] = [options[other], options[at]];
  }
  for (const select of selects) {
    if (select.value || select.required) select.value = options.pop();
    select.dataset.before = select.value;
  }
}

// Nobody sits twice: who is put on a seat leaves the other one to whoever sat here, be it nobody; a seat that must be
// taken then asks for someone before the start.
export function swap(select) {
  const selects = [...(select.closest("fieldset.seating")?.querySelectorAll("select") ?? [])];
  const before = select.dataset.before ?? [...select.options].find((option) => option.defaultSelected)?.value ?? "";
  const double = selects.find((other) => other !== select && other.value === select.value && select.value);
  if (double) double.value = before;
  for (const seat of selects) seat.dataset.before = seat.value;
}
