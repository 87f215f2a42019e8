"use strict";

const byId = (id) => document.getElementById(id);
const everyPiece = [...document.querySelectorAll("[data-tag]")];
const labels = new Map(everyPiece.map((piece) => [piece.dataset.tag, piece.textContent.trim()]));
const POLL_MS = 1000;
let pictureShown = 0;
let asked = 0;
let answered = 0;

function complain(text) {
  byId("trouble").textContent = text;
  byId("trouble").hidden = !text;
}

/** Ask, and show the answer unless a later question was answered already: what it tells is old by then. */
async function ask(path, order) {
  const number = ++asked;
  const options = order === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(order),
  };
  try {
    const answer = await fetch(`/sim/${path}`, { cache: "no-store", ...options });
    if (!answer.ok) {
      complain(`Refused (${answer.status}): ${path}`);
      return;
    }
    const state = await answer.json();
    if (number < answered) return;
    answered = number;
    complain("");
    show(state);
  } catch {
    complain("The companion does not answer.");
  }
}

async function order(button, path, what) {
  button.disabled = true;
  await ask(path, what);
  button.disabled = false;
  button.focus();
}

/** The reader that orders go to. */
const used = () => byId("reader").value;

function show({ readers, faults, panel, signal }) {
  showReader(readers[used()]);
  showFaults(faults);
  showPanel(panel);
  showSignal(signal);
}

function showSignal(signal) {
  if (!signal) return;
  const told = signal.aloud ? "Light and buzzer" : "Light alone";
  setText("signal-standing", `${told}: ${signal.mood} (${signal.number}).`);
}

function showFaults(faults) {
  for (const chance of document.querySelectorAll("[data-fault]")) {
    if (chance !== document.activeElement) chance.value = faults[chance.dataset.fault];
  }
}

function showReader(reader) {
  if (byId("protocol") !== document.activeElement) byId("protocol").value = reader.protocol;
  const plug = byId("plug");
  plug.dataset.reader = reader.plugged ? "unplug" : "plug";
  plug.textContent = reader.plugged ? "Unplug" : "Plug in";
  const lying = reader.placed.length === 0 ? "nothing lies on it" : `${reader.placed.length} on it`;
  setText("reader-standing", `${reader.plugged ? "Plugged in" : "Unplugged"}, ${lying}.`);
  for (const piece of everyPiece) {
    piece.setAttribute("aria-pressed", String(reader.placed.includes(piece.dataset.tag)));
  }
  showPlaced(reader.placed);
}

function showPlaced(placed) {
  const list = byId("placed");
  if (list.dataset.placed === placed.join("\n")) return;
  list.dataset.placed = placed.join("\n");
  list.replaceChildren(...placed.map((tag) => {
    const lift = document.createElement("button");
    lift.type = "button";
    lift.textContent = `Lift ${labels.get(tag) ?? tag}`;
    lift.addEventListener("click", () => order(lift, "lift", { tag, reader: used() }));
    const item = document.createElement("li");
    item.append(lift);
    return item;
  }));
}

function showPanel(panel) {
  const ghost = panel.ghost ? ", an earlier one shines through" : "";
  const state = panel.dead ? "dead" : panel.refreshing ? "refreshing…" : panel.picture ? `picture ${panel.picture}${ghost}` : "blank";
  setText("panel-standing", `${panel.model}, ${panel.size[0]} × ${panel.size[1]}: ${state}`);
  byId("dead").checked = panel.dead;
  byId("aged").checked = panel.ageing > 1;
  if (byId("speed") !== document.activeElement) byId("speed").value = panel.slowness.toFixed(1);
  document.querySelector(".frame").classList.toggle("refreshing", panel.refreshing);
  if (panel.picture !== pictureShown) {
    pictureShown = panel.picture;
    byId("picture").src = `/sim/panel.png?n=${panel.picture}`;
    byId("picture").hidden = false;
  }
}

function setText(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

function search() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const piece of everyPiece) piece.hidden = !words.every((word) => piece.dataset.find.includes(word));
  for (const kind of document.querySelectorAll("[data-kind]")) kind.hidden = !kind.querySelector("[data-tag]:not([hidden])");
  byId("nothing").hidden = everyPiece.some((piece) => !piece.hidden);
}

function pieceClicked(piece) {
  const tag = piece.dataset.tag;
  if (piece.getAttribute("aria-pressed") === "true") return order(piece, "lift", { tag, reader: used() });
  return order(piece, byId("leave").checked ? "place" : "tap", { tag, reader: used() });
}

for (const piece of everyPiece) piece.addEventListener("click", () => pieceClicked(piece));
for (const button of document.querySelectorAll("[data-press]")) {
  button.addEventListener("click", () =>
    order(button, "press", { button: button.dataset.press, long: "long" in button.dataset }));
}
for (const button of document.querySelectorAll("[data-reader]")) {
  button.addEventListener("click", () => order(button, "reader", { do: button.dataset.reader, reader: used() }));
}
byId("lift-all").addEventListener("click", (event) => order(event.currentTarget, "lift", { reader: used() }));
byId("dead").addEventListener("change", (event) => ask("panel", { dead: event.currentTarget.checked }));
byId("search").addEventListener("input", search);
byId("strange").addEventListener("submit", (event) => {
  event.preventDefault();
  ask("tap", { tag: byId("strange-tag").value, reader: used() });
});
byId("reader").addEventListener("change", () => ask("state"));
byId("protocol").addEventListener("change", (event) => ask("swap", { protocol: event.currentTarget.value, reader: used() }));
byId("aged").addEventListener("change", (event) => ask("panel", { ageing: event.currentTarget.checked ? 3 : 1 }));
byId("speed").addEventListener("change", (event) => ask("panel", { slowness: Number(event.currentTarget.value) }));
for (const chance of document.querySelectorAll("[data-fault]")) {
  chance.addEventListener("change", () => ask("fault", { fault: chance.dataset.fault, percent: Number(chance.value) }));
}
for (const button of document.querySelectorAll("[data-stuck]")) {
  button.addEventListener("change", () => ask("touch", { button: button.dataset.stuck, closed: button.checked }));
}

async function poll() {
  if (!document.hidden) await ask("state");
  setTimeout(poll, POLL_MS);
}
poll();
