// What a phone does for whoever looks: sifts the log, shows a notice once, sounds and vibrates where that is wished.

const regions = document.getElementById("regions");

// -- what this phone remembers, where it may --------------------------------------------------------------------------

function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is switched off: nothing is remembered from page to page
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

// -- the log, sifted ---------------------------------------------------------------------------------------------------

const wanted = new Map();

function sift() {
  for (const panel of document.querySelectorAll(".sift")) {
    for (const select of panel.querySelectorAll("select")) {
      const { sift: key } = select.dataset;
      if (!wanted.has(key)) continue;
      if (![...select.options].some((option) => option.value === wanted.get(key))) wanted.delete(key);
      select.value = wanted.get(key) ?? "";
    }
    const lines = [...panel.parentElement.querySelectorAll(".log > li")];
    for (const line of lines) line.hidden = ![...wanted].every(([key, value]) => line.dataset[key].split(" ").includes(value));
    panel.querySelector(".none").hidden = lines.some((line) => !line.hidden);
  }
}

document.addEventListener("change", ({ target }) => {
  if (!target.dataset?.sift) return;
  if (target.value) wanted.set(target.dataset.sift, target.value);
  else wanted.delete(target.dataset.sift);
  sift();
});

// -- a notice is shown once: a page that is opened later leaves out what this phone has shown already -------------------

const shownBefore = Number(recall("notice") ?? 0);

function showOnce() {
  for (const notice of document.querySelectorAll("[data-notice]")) {
    const revision = Number(notice.dataset.notice);
    notice.hidden = revision <= shownBefore;
    if (revision > Number(recall("notice") ?? 0)) remember("notice", String(revision));
  }
}

// -- sound and vibration -----------------------------------------------------------------------------------------------

// Pitch in hertz, length in seconds, one after another.
const TUNES = {
  plain: [[660, 0.07]],
  good: [[523, 0.14], [659, 0.14], [784, 0.3]],
  warning: [[494, 0.12], [440, 0.2]],
  danger: [[247, 0.25], [196, 0.5]],
};
const SHAKES = { plain: [40], good: [60, 60, 60, 60, 200], warning: [120, 80, 120], danger: [400] };

const senses = { sound: recall("sound") === "on", vibration: recall("vibration") === "on" };
let speaker = null;

function wakeSpeaker() {
  if (!senses.sound) return;
  speaker ??= new AudioContext();
  speaker.resume();
}

function give(cue) {
  if (document.hidden) return;
  if (senses.vibration) navigator.vibrate(SHAKES[cue]);
  if (senses.sound && speaker?.state === "running") play(TUNES[cue]);
}

function play(tune) {
  let at = speaker.currentTime;
  for (const [pitch, length] of tune) {
    const [voice, volume] = [speaker.createOscillator(), speaker.createGain()];
    voice.type = "triangle";
    voice.frequency.value = pitch;
    volume.gain.setValueAtTime(0.2, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    voice.connect(volume).connect(speaker.destination);
    voice.start(at);
    voice.stop(at + length);
    at += length;
  }
}

let heard = regions && { ...regions.dataset };

function listen() {
  const now = { ...regions.dataset };
  if (now.revision === heard.revision) return;
  if (now.results !== heard.results || (now.alert && now.alertKey !== heard.alertKey)) give(now.alert ? "danger" : now.cue);
  else if (now.told !== heard.told || now.awaited !== heard.awaited) give("plain");
  heard = now;
}

function showSenses() {
  for (const part of document.querySelectorAll(".senses")) part.hidden = false;
  for (const button of document.querySelectorAll("[data-sense]")) {
    button.hidden = button.dataset.sense === "vibration" && !navigator.vibrate;
    button.setAttribute("aria-pressed", String(senses[button.dataset.sense]));
  }
}

// -- what people do ----------------------------------------------------------------------------------------------------

document.addEventListener("pointerdown", wakeSpeaker); // a browser lets a page sound only after it was touched
document.addEventListener("keydown", wakeSpeaker);

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const sense = target?.closest("[data-sense]")?.dataset.sense;
  if (sense) switchSense(sense);
  const wish = target?.closest("a[data-wish]");
  if (wish) {
    event.preventDefault();
    fetch(wish.href, { redirect: "manual" }).finally(() => location.reload());
  }
  const post = target?.closest("[data-post]");
  if (post) send(post);
});

function switchSense(sense) {
  senses[sense] = !senses[sense];
  remember(sense, senses[sense] ? "on" : "off");
  showSenses();
  wakeSpeaker();
  if (senses[sense]) give("plain");
}

function send({ dataset }) {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: dataset.body };
  fetch(dataset.post, request).then(({ status }) => status === 403 && location.reload(), () => location.reload());
}

// -- whenever the page shows something new -----------------------------------------------------------------------------

function look() {
  sift();
  showOnce();
  if (regions) listen();
}

if (regions) new MutationObserver(look).observe(regions, { childList: true, subtree: true, attributeFilter: ["data-revision"] });
showSenses();
look();
