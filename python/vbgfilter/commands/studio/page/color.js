// Converts colours between the element's form, 0xAARRGGBB, and the page's form, #rrggbb.

export const toHex = (color) => `#${(color & 0xffffff).toString(16).padStart(6, "0")}`;
export const fromHex = (text) => (0xff000000 | Number.parseInt(text.slice(1), 16)) >>> 0;
