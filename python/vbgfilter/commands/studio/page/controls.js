// The controls of the properties, generated from the element's descriptions.

import { fromHex, toHex } from "./color.js";

// The groups: title, properties, and whether the group is open. Properties that are not listed come
// last, in the group OTHER.
const GROUPS = [
  ["Effect", ["effect", "background-color", "blur-radius", "blur-shape", "framing", "max-zoom",
    "fit", "light-wrap", "match-light", "low-light", "despill"], true],
  ["Person", ["quality", "keep", "smoothing", "matte-grow", "matte-feather", "model", "subjects"],
    true],
  ["Pace", ["inference", "target-fps", "pacing", "adaptive", "cpu-budget",
    "threads", "device"], false],
];
const OTHER = "More";
// Properties with a larger range get no slider.
const MAX_SLIDER_RANGE = 100;

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  Object.assign(element, attributes);
  element.append(...children);
  return element;
};
const isSame = (one, other) => (one ?? "") === (other ?? "");

export class Controls {
  #entries = new Map();
  #set;

  #labels;

  // Calls `set` with the name and the new value when the user changes a property.
  constructor(form, state, descriptions, set, groups = GROUPS, labels = {}) {
    this.#set = set;
    this.#labels = labels;
    form.replaceChildren();
    form.addEventListener("submit", (event) => event.preventDefault());
    const byName = new Map(descriptions.map((each) => [each.name, each]));
    const named = new Set(groups.flatMap(([, names]) => names));
    const others = descriptions.filter(({ name, when, file }) =>
      !named.has(name) && when !== "never" && !file).map(({ name }) => name);
    for (const [title, names, open] of [...groups, [OTHER, others, false]]) {
      const group = make("details", { className: "group", open });
      group.append(make("summary", {}, title));
      for (const name of names.filter((each) => byName.has(each))) {
        group.append(this.#makeProperty(byName.get(name)));
      }
      form.append(group);
    }
    state.replaceChildren();
    for (const each of descriptions.filter(({ when }) => when === "never")) {
      const value = make("dd", {}, "–");
      state.append(make("dt", { title: each.blurb }, each.name), value);
      this.#entries.set(each.name, { description: each, value: each.value, show: (shown) => {
        value.textContent = shown === null || shown === "" ? "–" : String(shown);
      } });
    }
    for (const each of descriptions.filter(({ file }) => file)) {
      this.#entries.set(each.name, { description: each, value: each.value, show: () => {} });
    }
  }

  value(name) {
    return this.#entries.get(name)?.value;
  }

  // Shows a new value of a property.
  show(name, value) {
    const entry = this.#entries.get(name);
    if (!entry) return;
    entry.value = value;
    entry.show(value);
  }

  // Shows the last known values again, after the element has rejected a change.
  restore() {
    for (const { show, value } of this.#entries.values()) show(value);
  }

  // The descriptions of all settable properties with values other than the defaults.
  get changed() {
    return [...this.#entries.values()]
      .filter(({ description, value }) =>
        description.when !== "never" && !isSame(value, description.default))
      .map(({ description }) => description);
  }

  #makeProperty(description) {
    const { name, kind, blurb, when } = description;
    const id = `property-${name}`;
    const help = make("p", { className: "blurb", id: `${id}-help`, hidden: true }, blurb);
    if (when === "start") help.append(" It takes effect when the stream restarts.");
    const more = make("button", { type: "button", className: "small", textContent: "?" });
    more.setAttribute("aria-label", `Help for ${name}`);
    more.setAttribute("aria-expanded", "false");
    more.addEventListener("click", () => {
      help.hidden = !help.hidden;
      more.setAttribute("aria-expanded", String(!help.hidden));
    });
    const reset = make("button", { type: "button", className: "small", textContent: "↺" });
    reset.setAttribute("aria-label", `Reset ${name} to its default`);
    reset.addEventListener("click", () => this.#set(name, description.default ?? ""));
    const label = make("label", { htmlFor: id }, this.#labels[name] ?? name);
    const head = make("div", { className: "name" }, label, reset, more);
    const box = make("div", { className: `property ${kind}` }, head);

    const set = (value) => this.#set(name, value);
    const field = FIELDS[kind]?.(description, set) ?? textField(description, set);
    field.main.id = id;
    field.main.setAttribute("aria-describedby", help.id);
    if (kind === "boolean") head.append(field.main);
    else box.append(make("div", { className: "fields" }, ...field.elements));
    if (field.note) box.append(field.note);
    box.append(help);
    const show = (value) => {
      const changed = !isSame(value, description.default);
      box.classList.toggle("changed", changed);
      reset.hidden = !changed;
      field.show(value);
    };
    show(description.value);
    this.#entries.set(name, { description, value: description.value, show });
    return box;
  }
}

// The constructors of controls by the kind of property. Each returns the `elements` of the control,
// the `main` one among them, and a function `show` that displays a value.
const FIELDS = {
  enum({ choices }, set) {
    const main = make("select");
    for (const { nick } of choices) main.append(make("option", { value: nick }, nick));
    const note = make("p", { className: "choice" });
    main.addEventListener("change", () => set(main.value));
    const show = (value) => {
      main.value = value;
      note.textContent = choices.find(({ nick }) => nick === value)?.blurb ?? "";
    };
    return { elements: [main], main, note, show };
  },

  boolean(_description, set) {
    const main = make("input", { type: "checkbox", className: "switch" });
    main.setAttribute("role", "switch");
    main.addEventListener("change", () => set(main.checked));
    return { elements: [main], main, show: (value) => { main.checked = value; } };
  },

  color(_description, set) {
    const main = make("input", { type: "color" });
    main.addEventListener("input", () => set(fromHex(main.value)));
    return { elements: [main], main, show: (value) => { main.value = toHex(value); } };
  },

  double(description, set) {
    return numberField(description, set, "any");
  },

  uint(description, set) {
    return numberField(description, set, "1");
  },
};

function numberField({ name, minimum, maximum }, set, step) {
  const main = make("input", { type: "number", min: minimum, max: maximum, step });
  main.addEventListener("change", () => {
    if (main.checkValidity() && main.value !== "") set(Number(main.value));
    else main.reportValidity();
  });
  if (maximum - minimum > MAX_SLIDER_RANGE) {
    return { elements: [main], main, show: (value) => { main.value = value; } };
  }
  const fine = maximum - minimum > 2 ? 0.5 : 0.01;
  const slider = make("input", {
    type: "range", min: minimum, max: maximum, step: step === "1" ? 1 : fine,
  });
  slider.setAttribute("aria-label", name);
  slider.addEventListener("input", () => set(Number(slider.value)));
  const show = (value) => {
    // Do not overwrite the user's input while they type or drag.
    if (document.activeElement !== main) main.value = value;
    if (document.activeElement !== slider || !slider.matches(":active")) slider.value = value;
  };
  return { elements: [slider, main], main, show };
}

function textField({ name }, set) {
  const main = make("input", { type: "text", spellcheck: false });
  if (name === "model") main.placeholder = "chosen by quality";
  main.addEventListener("change", () => set(main.value));
  return { elements: [main], main, show: (value) => { main.value = value ?? ""; } };
}
