// Colours as the element has them, 0xAARRGGBB, and as the page has them, #rrggbb.

export const toHex = (color) => `#${(color & 0xffffff).toString(16).padStart(6, "0")}`;
export const fromHex = (text) => (0xff000000 | Number.parseInt(text.slice(1), 16)) >>> 0;
