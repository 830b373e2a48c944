// The app's page: shows the running camera, and sends the user's choices to it.

import { Backgrounds, preview } from "./backgrounds.js";
import { toHex } from "./color.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { acceptDrops, find, notice, showState } from "./notices.js";

const GROUPS = [
  ["Quality", ["quality"], true],
  ["Looks", ["blur-radius", "background-color", "match-light", "low-light", "framing"], true],
];
const LABELS = {
  quality: "Quality", "blur-radius": "Strength of the blur", "background-color": "Colour",
  "match-light": "Match your light to the picture", "low-light": "Brighten dark pictures",
  framing: "Framing", "blur-shape": "Shape of blurred lights",
};
const STATES = {
  on: "On", off: "Off: others see black", idle: "Ready", waiting: "Waiting for the camera",
  ended: "Not running: turn it on",
};
const PICTURE_MS = 66;
let controls = null;
let properties = [];
let status = {};
let isLooking = false;

const send = (type, values = {}) => connection.send({ type, ...values });
const set = (name, value) => send("set", { name, value });
const connection = new Connection(receive, (reason) => {
  showState("Not connected", "closed");
  notice(`${reason} Open the app again.`, true);
});
const backgrounds = new Backgrounds(find("backgrounds"), find("background-input"), {
  upload: (file) => connection.upload("background", file),
  use: (identifier) => send("background", { background: identifier || "blur" }),
  color: () => send("background", { background: toHex(controls.value("background-color")) }),
});
backgrounds.offer("lens", "Lens blur", "", "lens");

const HANDLERS = {
  hello({ properties: described, backgrounds: files, cameras, steps, login }) {
    properties = described;
    controls = new Controls(find("controls"), find("state"), described, set, GROUPS, LABELS);
    for (const { id, name } of files) {
      const type = /\.(mp4|m4v|webm|mov|mkv|ogv|avi)$/i.test(id) ? "video/" : "";
      backgrounds.offer(id, name, preview(connection.backgroundAddress(id), type));
    }
    find("camera").replaceChildren(new Option("The first one", ""),
      ...cameras.map((name) => new Option(name, name)));
    find("login").checked = login;
    find("missing").hidden = steps.length === 0;
    find("steps").replaceChildren(...steps.map(({ what, remedy }) => {
      const step = document.createElement("li");
      step.append(Object.assign(document.createElement("b"), { textContent: what }), ` ${remedy} `);
      if (what === "PipeWire's rule") step.append(ruleButton());
      return step;
    }));
    if (!isLooking) look();
    isLooking = true;
  },
  status(message) {
    status = message;
    const { state, programs, reason, settings = {}, device, "in-use": used = {} } = message;
    const isRunning = state !== "ended";
    const users = ["in use by no program", "in use by 1 program"][programs] ??
      `in use by ${programs} programs`;
    const parts = [STATES[state], isRunning && programs !== null && users, reason];
    showState(parts.filter(Boolean).join(" · "), isRunning ? "open" : "closed");
    find("note").textContent = used["current-quality"] ?? "";
    find("hidden").hidden = message.room !== "hidden" || state === "off";
    find("on").disabled = false;
    find("on").checked = isRunning && state !== "off";
    find("end").disabled = !isRunning;
    const cameras = [...find("camera").options].map(({ value }) => value);
    if (device && !cameras.includes(device)) find("camera").add(new Option(device, device));
    find("camera").value = device ?? "";
    if (isRunning) showSettings(settings, message.background);
    for (const [name, value] of Object.entries(used)) controls?.show(name, value);
  },
  picture({ data }) {
    const image = find("picture");
    URL.revokeObjectURL(image.src);
    if (data.size) image.src = URL.createObjectURL(data);
    else image.removeAttribute("src");
    setTimeout(look, PICTURE_MS);
  },
  refused({ text }) {
    notice(text, true);
    controls?.restore();
  },
};

function ruleButton() {
  const button = Object.assign(document.createElement("button"), { textContent: "Write the rule" });
  button.addEventListener("click", () => {
    send("rule");
    button.replaceWith("– written. Programs read it when they start.");
  });
  return button;
}

// While the page is not visible, it asks for no picture, and the real camera may be off.
function look() {
  if (!document.hidden) send("look");
  else document.addEventListener("visibilitychange", look, { once: true });
}

// Shows the settings, which arrive as texts. Absent ones have their defaults.
function showSettings(settings, file) {
  if (!controls) return;
  for (const { name, kind, default: value } of properties.filter(({ when }) => when !== "never")) {
    const text = settings[name] ?? value;
    const isNumber = ["double", "uint", "color"].includes(kind);
    controls.show(name, isNumber ? Number(text) : kind === "boolean" ? String(text) === "true" : text);
  }
  const { effect = "auto", "blur-shape": shape } = settings;
  const blur = shape === "lens" ? "lens" : "blur";
  const used = effect === "color" ? "color" : effect === "replace" ? file : blur;
  backgrounds.mark(used, controls.value("background-color"));
}

async function receive(message) {
  await HANDLERS[message.type]?.(message);
}

find("on").addEventListener("change", ({ target }) => {
  if (status.state === "ended") send("start");
  else send(target.checked ? "on" : "off");
});
find("camera").addEventListener("change", ({ target }) => send("camera", { name: target.value }));
find("login").addEventListener("change", ({ target }) => send("login", { on: target.checked }));
find("end").addEventListener("click", () => send("quit"));
acceptDrops((files) => backgrounds.addFiles(files));
