// A page of the table: it listens to the bell, fetches its regions anew when it rings, and sends what is asked.
// The server renders everything; nothing here guesses what an order will do. What is half told on this phone are the
// steps it took: they go with each look at the table and are forgotten with it.

import { READ, shuffle, swap } from "./forms.js";
import { asked } from "./confirm.js";
import { clear, drawLots, scanned, tapped, unfinished } from "./naming.js";

const SILENCE = 25_000; // no beat for so long: the link is lost (the bell beats every 10 s)
const RETRY = [500, 1000, 2000, 4000];

const main = document.getElementById("main");
const status = document.getElementById("status");
const alertLine = document.getElementById("alert");
const linkLine = document.getElementById("link");
const live = main?.dataset.live;
const ANSWER = 8000; // an order that is not answered for so long is told to be

// -- the regions --------------------------------------------------------------------------------------------------

let fetching = false;
let wanted = false;
let steps = [];

const address = () => (steps.length ? `${live}?${new URLSearchParams(steps.map((step) => ["step", step]))}` : live);

async function refresh() {
  if (!live) return;
  wanted = true;
  if (fetching) return;
  fetching = true;
  try {
    while (wanted) {
      wanted = false;
      const told = steps;
      const answer = await promptly(address(), { cache: "no-cache", headers: { Accept: "text/html" } });
      if (answer.status === 403) return location.reload();
      const text = answer.ok ? await answer.text() : "";
      if (told !== steps) wanted = true; // meanwhile a finger told more
      else if (text) show(new DOMParser().parseFromString(text, "text/html"));
    }
  } catch {
    seek(); // the next bell fetches again
  } finally {
    fetching = false;
  }
}

// A fetch that does not hang for ever where the other side went to sleep.
async function promptly(target, options) {
  const end = new AbortController();
  const late = setTimeout(() => end.abort(), ANSWER);
  try {
    return await fetch(target, { ...options, signal: end.signal });
  } finally {
    clearTimeout(late);
  }
}

// Go on telling, or back: only this phone shows it.
async function tellSteps(next) {
  steps = next;
  await refresh();
  document.getElementById("region-controls")?.querySelector("button")?.focus({ preventScroll: true });
}

function show(fresh) {
  const next = fresh.getElementById("regions");
  if (steps.length && next.dataset.asking !== "yes") steps = [];
  const now = document.getElementById("regions");
  for (const region of next.querySelectorAll("[data-region]")) {
    const old = now.querySelector(`[data-region="${region.dataset.region}"]`);
    if (!old || old.dataset.rev === region.dataset.rev) continue;
    if (changed(old)) keep(old);
    else replace(old, region);
  }
  Object.assign(now.dataset, next.dataset);
  announce(next.dataset);
  takeIn(next.dataset);
}

// What was scanned since this page last looked, while no game goes on.
let looked = Number(document.getElementById("regions")?.dataset.revision);

function takeIn({ scanned: scans, revision }) {
  for (const [at, name] of JSON.parse(scans ?? "[]")) if (at > looked) scanned(name);
  looked = Number(revision);
}

function replace(old, region) {
  const focused = old.contains(document.activeElement) ? sign(document.activeElement) : null;
  const open = new Map([...old.querySelectorAll("details[id]")].map((part) => [part.id, part.open]));
  const scrolled = [...old.querySelectorAll("[tabindex='0']")].map((part) => part.scrollLeft);
  const picked = choices(old);
  old.replaceChildren(...region.childNodes);
  old.hidden = region.hidden;
  old.dataset.rev = region.dataset.rev;
  for (const part of old.querySelectorAll("details[id]")) part.open = open.get(part.id) ?? part.open;
  old.querySelectorAll("[tabindex='0']").forEach((part, at) => (part.scrollLeft = scrolled[at] ?? 0));
  for (const [choice, value] of picked) pick(old, choice, value);
  if (focused !== null) refocus(old, focused);
  hold();
}

// What was picked from lists and not sent yet, by the part that it is about: it outlives what others do meanwhile.
function choices(region) {
  const lists = [...region.querySelectorAll("select[data-part]")];
  const touched = lists.filter((list) => !list.options[list.selectedIndex]?.defaultSelected);
  return touched.map((list) => [`[data-part="${list.dataset.part}"][data-key="${list.dataset.key}"]`, list.value]);
}

function pick(region, choice, value) {
  const list = region.querySelector(`select${choice}`);
  if (list && [...list.options].some((option) => option.value === value)) list.value = value;
}

const sign = (element) => element.dataset.command ?? element.dataset.steps ?? element.name ?? element.id ?? "";

function refocus(region, focused) {
  const same = [...region.querySelectorAll("button, a, input, select, summary")].find((part) => sign(part) === focused);
  (same && !same.disabled ? same : region).focus({ preventScroll: true });
}

// A form that someone is filling in is never taken from under the fingers; it says that the table has moved on.
function changed(region) {
  return region.querySelector("form[data-touched]") !== null;
}

function keep(region) {
  const form = region.querySelector("form[data-touched]");
  if (form.querySelector(".moved-on")) return;
  const line = document.createElement("p");
  line.className = "notice moved-on";
  line.dataset.tone = "warning";
  line.textContent = main.dataset.movedOn;
  form.prepend(line);
}

function announce({ revision, told, awaited, alert, alertKey }) {
  if (!status.dataset.answer || status.dataset.answer !== revision) {
    delete status.dataset.answer;
    delete status.dataset.tone;
    tell(told, awaited);
  }
  if (alert && recall("alert") !== alertKey) {
    alertLine.textContent = alert;
    remember("alert", alertKey);
  } else if (!alert) alertLine.textContent = "";
}

// One status line: what happened is seen and heard, what is awaited only heard (it stands large below).
function tell(told, awaited) {
  const [seen, heard] = status.children;
  if (seen.textContent !== told) seen.textContent = told;
  if (heard.textContent !== awaited) heard.textContent = awaited;
}

// An answer stays until the table moves on from the revision it was given at.
function answerWith(message, tone, revision) {
  tell(message, "");
  status.dataset.answer = String(revision ?? document.getElementById("regions")?.dataset.revision);
  status.dataset.tone = tone;
}

function recall(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // storage is switched off: an alert may be read out again after a reload
  }
}

function remember(key, value) {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    return;
  }
}

// -- the bell -----------------------------------------------------------------------------------------------------

let bell = null;
let heard = Date.now();
let since = Date.now(); // when this stream was opened
let woken = Date.now();
let tries = 0;
let retry = 0;

function listen() {
  hangUp();
  since = Date.now();
  bell = new EventSource("/bell");
  bell.onmessage = ring;
  bell.addEventListener("beat", ring);
  bell.onerror = seek;
}

function hangUp() {
  clearTimeout(retry);
  bell?.close();
  bell = null;
}

function ring(event) {
  const { revision, build } = JSON.parse(event.data);
  heard = Date.now();
  tries = 0;
  mark("live");
  if (build !== main.dataset.build && !document.querySelector("form[data-touched]")) return location.reload();
  const shown = Number(document.getElementById("regions").dataset.revision);
  if (event.type === "message" || revision !== shown) refresh();
}

// Never gives up: it tries again for ever, at most every few seconds, while the page is seen.
function seek() {
  hangUp();
  if (document.hidden) return;
  if (linkLine.dataset.state === "live") mark("seeking");
  retry = setTimeout(listen, RETRY[Math.min(tries++, RETRY.length - 1)]);
}

function mark(state) {
  if (linkLine.dataset.state === state) return;
  linkLine.dataset.state = state;
  const time = new Date(heard).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  linkLine.firstElementChild.textContent = linkLine.dataset[state].replace("{time}", time);
  if (state === "live") document.querySelector(".said-here[role=alert]")?.remove(); // that it is away is over
  hold();
}

// No order can be sent by a page that does not see the table as it is.
function hold() {
  const away = linkLine && linkLine.dataset.state !== "live";
  for (const button of document.querySelectorAll("[data-command], [data-steps], form[data-order] [type=submit]")) {
    button.toggleAttribute("data-held", Boolean(away || sending));
    button.setAttribute("aria-disabled", String(Boolean(away || sending)));
  }
}

// A stream can look open and be dead: only what is heard counts.
function watch() {
  if (document.hidden || Date.now() - Math.max(heard, woken) < SILENCE) return;
  mark("lost");
  if (bell && Date.now() - since > SILENCE) seek();
}

function wake() {
  if (document.hidden) return hangUp();
  woken = Date.now();
  tries = 0;
  listen();
  refresh();
}

// -- orders -------------------------------------------------------------------------------------------------------

const BEGINS = new Set(["start", "reopen"]); // play goes on from here, on the page that plays

let sending = false;

const newId = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");

async function post(address, body) {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  for (let pause = 400; ; pause *= 3) {
    try {
      return await promptly(address, request); // the same id again plays nothing twice
    } catch (failure) {
      if (pause > 1200) throw failure;
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
}

async function order(body, button) {
  if (sending) return false;
  if (linkLine?.dataset.state !== "live") {
    sayAt(button, main.dataset.offline);
    return false;
  }
  sending = true;
  hold();
  try {
    const shown = Number(document.getElementById("regions").dataset.revision);
    const answer = await post("/commands", { command_id: newId(), expected_revision: shown, ...body });
    if (answer.ok) delete status.dataset.answer;
    else await refused(answer, button);
    steps = [];
    await refresh();
    if (answer.ok && BEGINS.has(body.kind)) location.assign("/host");
    return answer.ok;
  } catch {
    answerWith(main.dataset.unanswered, "danger");
    sayAt(button, main.dataset.unanswered);
    seek();
    return false;
  } finally {
    sending = false;
    hold();
  }
}

async function refused(answer, button) {
  if (answer.status === 403 && linkLine) return location.reload(); // struck off the list, or no host any more
  const { message, revision } = await answer.json();
  answerWith(message, answer.status === 409 ? "warning" : "danger", revision);
  sayAt(button, message);
}

// Where a finger just was is where the eye is: the answer stands there too, until the next look at the table.
function sayAt(button, message) {
  for (const old of document.querySelectorAll(".said-here")) old.remove();
  if (!button?.isConnected) return;
  const line = document.createElement("p");
  line.className = "notice said-here";
  line.dataset.tone = "danger";
  line.textContent = message;
  if (linkLine?.dataset.state !== "live") line.setAttribute("role", "alert"); // else the status line says it
  (button.closest(".board, .options, .tools, .send, li") ?? button).after(line);
}

async function pair(form) {
  try {
    const { pin, name } = form.elements;
    const answer = await post("/pair", { pin: pin.value.trim(), name: name.value.trim() });
    if (answer.ok) location.reload();
    else await refused(answer);
  } catch {
    answerWith(status.dataset.unanswered, "danger");
  }
}

// The QR code's address carries a ticket behind the #, which the browser keeps to itself: it lets this phone in.
async function useTicket() {
  const ticket = /^#[A-Z0-9]{8,}$/.exec(location.hash)?.[0].slice(1);
  if (!ticket) return;
  history.replaceState(null, "", location.pathname);
  try {
    if (document.body.dataset.acting === "yes") return;
    const answer = await post("/pair", { pin: ticket });
    if (answer.ok) location.replace("/host");
    else await refused(answer);
  } catch {
    answerWith(main.dataset.unanswered ?? status.dataset.unanswered, "danger");
  }
}

// -- forms --------------------------------------------------------------------------------------------------------

async function submit(form) {
  if (form.dataset.order === "pair") return pair(form);
  if (unfinished(form)) return;
  const body = READ[form.dataset.order](form);
  if (!body) return;
  const touched = form.dataset.touched;
  delete form.dataset.touched; // what comes back is shown in place of what was filled in
  const question = form.querySelector("[type=submit]")?.dataset.confirm;
  const done = (!question || (await asked(question))) && (await order(body, form.querySelector("[type=submit]")));
  if (!done && touched) form.dataset.touched = touched;
}

// -- what people do -----------------------------------------------------------------------------------------------

async function pressed(button) {
  if (button.hasAttribute("data-held")) {
    if (!sending) sayAt(button, main.dataset.offline);
    return;
  }
  if (button.dataset.steps) return tellSteps(JSON.parse(button.dataset.steps));
  const { command, confirm } = button.dataset;
  if (!confirm || (await asked(confirm))) order(JSON.parse(command), button);
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest("[data-command], [data-steps]");
  if (button) pressed(button);
  const mixer = target?.closest("[data-shuffle]");
  if (mixer) shuffle(mixer);
  const clearing = target?.closest("[data-clear]");
  if (clearing) clear(clearing.closest("fieldset"));
  for (const sheet of document.querySelectorAll(".drop[open]")) if (target && !sheet.contains(target)) sheet.open = false;
});

document.addEventListener("keydown", (event) => {
  const sheet = event.key === "Escape" && event.target.closest?.(".drop[open]");
  if (!sheet) return;
  sheet.open = false;
  sheet.querySelector("summary").focus();
});

document.addEventListener("submit", (event) => {
  if (event.target.method === "dialog") return;
  event.preventDefault();
  submit(event.target);
});

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-keep]");
  if (form) form.dataset.touched = "yes";
  if (event.target.matches(".seating select")) swap(event.target);
  if (event.target.matches(".naming input")) tapped(event.target);
  else if (form?.dataset.order === "start") drawLots(form, READ.start(form).setup);
});

document.addEventListener(
  "toggle",
  (event) => {
    const form = event.target.matches(".naming[open]") && event.target.closest("form");
    if (form) drawLots(form, READ.start(form).setup);
  },
  true,
);

document.addEventListener("reset", (event) => {
  delete event.target.dataset.touched;
  setTimeout(refresh);
});

useTicket();

if (live && linkLine) {
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", wake);
  window.addEventListener("pagehide", hangUp);
  window.addEventListener("online", wake);
  setInterval(watch, 1000);
}
