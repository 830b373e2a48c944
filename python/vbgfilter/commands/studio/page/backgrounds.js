// The row of background tiles. Users can add pictures and videos.

import { toHex } from "./color.js";

export class Backgrounds {
  #row;
  #add;
  #color;
  #upload;
  #use;
  #tiles = new Map();

  // `upload` sends a file and returns its identifier. `use` sets the background to a file by its
  // identifier, or to blur by "". `color` sets it to a plain colour.
  constructor(row, input, { upload, use, color }) {
    this.#row = row;
    this.#upload = upload;
    this.#use = use;
    const blur = this.#tile("blur", "Blur", () => use(""));
    this.#color = this.#tile("color", "Colour", color);
    this.#add = this.#tile("add", "+ Add", () => input.click());
    this.#add.setAttribute("aria-label", "Add a picture or a video");
    this.#add.removeAttribute("aria-pressed");
    this.#tiles.set("blur", blur).set("color", this.#color);
    row.append(blur, this.#color, this.#add);
    input.addEventListener("change", async () => {
      await this.addFiles([...input.files]);
      input.value = "";
    });
  }

  // Uploads files, adds a tile for each, and uses the last one.
  async addFiles(files) {
    let last = null;
    for (const file of files) {
      const added = await this.#upload(file);
      if (!added) continue;
      last = added.background;
      this.offer(last, added.name, preview(URL.createObjectURL(file), file.type));
    }
    if (last) this.#use(last);
  }

  // Adds a tile for a file, or for another value of `use`, unless there is one.
  offer(identifier, name, view = "", kind = "file") {
    if (this.#tiles.has(identifier)) return;
    const tile = this.#tile(kind, "", () => this.#use(identifier));
    tile.setAttribute("aria-label", name);
    tile.append(view, view ? label(name) : name);
    this.#tiles.set(identifier, tile);
    this.#row.insertBefore(tile, this.#add);
  }

  // Marks the tile in use, and shows the colour 0xAARRGGBB on its tile. `background` is "blur",
  // "color", the identifier of a file, or null to mark no tile.
  mark(background, color) {
    this.#color.style.setProperty("--color", toHex(color));
    for (const [each, tile] of this.#tiles) {
      tile.setAttribute("aria-pressed", String(each === background));
    }
  }

  #tile(kind, text, chosen) {
    const tile = document.createElement("button");
    tile.type = "button";
    tile.className = `tile ${kind}`;
    tile.textContent = text;
    tile.setAttribute("aria-pressed", "false");
    tile.addEventListener("click", chosen);
    return tile;
  }
}

// Returns an element in which the browser shows a file. It removes itself if that fails.
export function preview(address, type) {
  const isVideo = type.startsWith("video/");
  const view = document.createElement(isVideo ? "video" : "img");
  view.addEventListener("error", () => view.remove());
  view.src = address;
  if (isVideo) Object.assign(view, { muted: true, autoplay: true, loop: true, playsInline: true });
  else view.alt = "";
  return view;
}

function label(name) {
  const text = document.createElement("span");
  text.textContent = name;
  return text;
}
