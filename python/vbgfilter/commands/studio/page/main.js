// The page: sends the user's actions to the server, and shows the server's messages.

import { Backgrounds } from "./backgrounds.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { acceptDrops, find, notice, showState } from "./notices.js";
import { Original } from "./original.js";
import { Plot } from "./plot.js";
import { reachesLoopback, VideoLinks } from "./video.js";

const resultVideo = find("result-video");
const stages = new Plot(find("stages"), find("stages-legend"), [
  { name: "prepare", style: 1, digits: 1 },
  { name: "inference", style: 2, digits: 1 },
  { name: "matte", style: 3, digits: 1 },
  { name: "composite", style: 4, digits: 1 },
], { stacked: true });
const rates = new Plot(find("rates"), find("rates-legend"), [
  { name: "frames", style: 1, digits: 0 },
  { name: "inferences", style: 2, digits: 0 },
]);
const original = new Original(find);
let controls = null;
let run = 0; // the number of the current stream. Messages of earlier streams are ignored.
let kind = null; // the kind of the stream's source: "camera", "file", "given"
let background = ""; // the chosen background
let counts = []; // the frame counts that were received in the last second, with their times

const connection = new Connection(receive, (reason) => {
  links.close();
  original.stop();
  showRunning(null);
  showState("Not connected", "closed");
  notice(`${reason} Reload the page to begin again.`, true);
});
const links = new VideoLinks(resultVideo, (message) => connection.send({ ...message, run }), () => {
  notice("The browser and the server could not connect for the video. On a machine without a " +
    "network, start Chromium with --allow-loopback-in-peer-connection.", true);
});
const backgrounds = new Backgrounds(find("backgrounds"), find("background-input"), {
  upload: (file) => connection.upload("background", file),
  use: useBackground,
  color: () => set("effect", "color"),
});

function set(name, value) {
  // The change may resolve earlier warnings.
  for (const each of find("notices").querySelectorAll(".notice:not(.bad)")) each.remove();
  connection.send({ type: "set", name, value });
}

function useBackground(identifier) {
  background = identifier;
  if (identifier) connection.send({ type: "background", background: identifier });
  set("effect", identifier ? "replace" : "blur");
}

function showRunning(source) {
  kind = source;
  for (const id of ["camera", "file", "stop", "restart"]) find(id).hidden = !source;
  find("begin").hidden = Boolean(source);
  find("waiting").hidden = Boolean(source);
  resultVideo.classList.toggle("plays", Boolean(source));
  if (source) return;
  find("result-note").textContent = "";
  stages.clear();
  rates.clear();
}

function start(source) {
  find("notices").replaceChildren();
  links.close();
  stages.clear();
  rates.clear();
  counts = [];
  showRunning(source);
  run += 1;
  connection.send({ type: "start", run, source, loopback: reachesLoopback });
}

async function startCamera() {
  try {
    const track = await original.showCamera();
    start("camera");
    await links.sendTrack(track);
  } catch (error) {
    notice(original.explain(error), true);
  }
}

async function startFile(file) {
  if (!(await connection.upload("video", file))) return;
  original.showFile(file);
  start("file");
}

function startGiven(name) {
  original.showNothing(name);
  start("given");
}

function stop() {
  connection.send({ type: "stop" });
  links.close();
  original.stop();
  showRunning(null);
}

function restart() {
  if (kind === "camera") startCamera();
  else start(kind);
}

const HANDLERS = {
  hello({ properties, given }) {
    showState("Connected");
    controls = new Controls(find("controls"), find("state"), properties, set);
    showLook();
    find("given").hidden = !given;
    if (!given) return;
    find("given").textContent = given;
    find("given").addEventListener("click", () => startGiven(given));
    startGiven(given);
  },
  value({ name, value }) {
    controls.show(name, value);
    showLook();
  },
  line({ line }) {
    find("line").textContent = line;
    const isNear = /(location|background-path)=(?!"?\/)/.test(line);
    find("line-note").hidden = !isNear;
    find("line-note").textContent = "Run it in the folder of the files that it names.";
  },
  statistics: showStatistics,
  offer: (message) => links.take(message),
  answer: (message) => links.take(message),
  candidate: (message) => links.take(message),
  warning: ({ text }) => notice(text),
  refused({ text }) {
    notice(text, true);
    controls.restore();
  },
  failed({ text }) {
    links.close();
    original.stop();
    showRunning(null);
    notice(text, true);
  },
  ended() {
    stop();
    notice("The file has ended.");
  },
};

async function receive(message) {
  if ("run" in message && (message.run !== run || !kind)) return;
  await HANDLERS[message.type]?.(message);
}

// Updates the parts of the page that depend on several properties.
function showLook() {
  const effect = controls.value("effect");
  const hasBackground = Boolean(controls.value("background-path"));
  const blurs = effect === "blur" || (effect === "auto" && !hasBackground);
  const shows = controls.value("active") === false || effect === "none" ||
    (blurs && controls.value("blur-radius") === 0);
  find("exposed").hidden = !shows;
  const isReplaced = effect === "replace" || (effect === "auto" && hasBackground);
  const used = blurs ? "blur" : effect === "color" ? "color" : isReplaced ? background : null;
  backgrounds.mark(used, controls.value("background-color"));
  find("reset").disabled = controls.changed.length === 0;
}

function showStatistics({ time: now, stats, state, position }) {
  for (const [name, value] of Object.entries(state)) controls.show(name, value);
  original.follow(position);
  const times = ["prepare-time", "inference-time", "matte-time", "composite-time"]
    .map((name) => stats[name] / 1e6);
  if (stats["frames-out"] === 0) return;
  counts = counts.filter(({ time }) => now - time < 1.1);
  counts.push({ time: now, count: stats["frames-out"] });
  const [{ time, count }] = counts;
  const rate = now > time ? (stats["frames-out"] - count) / (now - time) : 0;
  stages.add(times);
  rates.add([rate, stats["inference-rate"]]);
  const total = times.reduce((sum, each) => sum + each, 0).toFixed(1);
  const { videoWidth, videoHeight } = resultVideo;
  const size = videoWidth ? `${videoWidth} × ${videoHeight} · ` : "";
  find("result-note").textContent = `${size}${total} ms · ${stats.quality}`;
}

function listen(id, event, handler) {
  find(id).addEventListener(event, handler);
}
for (const id of ["camera", "begin-camera"]) listen(id, "click", startCamera);
for (const id of ["device", "size"]) {
  listen(id, "change", () => { if (kind === "camera") startCamera(); });
}
for (const id of ["file", "begin-file"]) listen(id, "click", () => find("file-input").click());
listen("file-input", "change", ({ target }) => {
  if (target.files[0]) startFile(target.files[0]);
  target.value = "";
});
listen("stop", "click", stop);
listen("restart", "click", restart);
listen("reset", "click", () => {
  for (const { name, file, default: value } of controls.changed) {
    if (file) connection.send({ type: "background", background: "" });
    else set(name, value ?? "");
  }
  background = "";
});
listen("copy", "click", async () => {
  const button = find("copy");
  try {
    await navigator.clipboard.writeText(find("line").textContent);
    button.textContent = "Copied";
  } catch {
    // Pages of other machines cannot copy without HTTPS. Select the text instead.
    getSelection().selectAllChildren(find("line"));
    button.textContent = "Press Ctrl-C";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
});

const isOverOriginal = (event) => find("original").contains(event?.target ?? null);
acceptDrops((files, event) => {
  if (isOverOriginal(event)) startFile(files[0]);
  else backgrounds.addFiles(files);
}, (event) => find("original").classList.toggle("over", Boolean(event) && isOverOriginal(event)));
