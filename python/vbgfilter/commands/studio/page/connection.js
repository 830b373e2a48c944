// The page's connection to the server: a WebSocket for messages, and separate uploads.

import { find, notice, showState } from "./notices.js";

const PROTOCOL = "vbgfilter-studio";

export class Connection {
  #socket;
  #session = null;

  // Calls `receive` with each message, after the call for the previous one has finished. Calls
  // `closed` with a reason when the connection ends.
  constructor(receive, closed) {
    const token = new URLSearchParams(location.hash.slice(1)).get("token");
    const address = new URL("socket", location.href.replace(/^http/, "ws"));
    address.hash = "";
    this.#socket = new WebSocket(address, token ? [PROTOCOL, token] : [PROTOCOL]);
    let last = Promise.resolve();
    this.#socket.addEventListener("message", (event) => {
      const isText = typeof event.data === "string";
      const message = isText ? JSON.parse(event.data) : { type: "picture", data: event.data };
      if (message.type === "hello") this.#session = message.session;
      last = last.then(() => receive(message)).catch((error) => console.error(error));
    });
    this.#socket.addEventListener("close", (event) => {
      const silent = this.#session
        ? "The server has closed the connection."
        : "The server does not respond, or requires the token in its address.";
      closed(event.reason || silent);
    });
  }

  send(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  // The address of a background that the server keeps.
  backgroundAddress(identifier) {
    return `sessions/${this.#session}/backgrounds/${encodeURIComponent(identifier)}`;
  }

  // Sends a file as a "background" or "video". Returns null, after a notice, if it is rejected.
  async upload(what, file) {
    const address = `sessions/${this.#session}/${what}?name=${encodeURIComponent(file.name)}`;
    const [before, sending] = [find("connection").textContent, `Sending ${file.name}…`];
    showState(sending);
    try {
      const answer = await fetch(address, { method: "POST", body: file });
      if (answer.ok) return await answer.json();
      notice(await answer.text(), true);
    } catch (error) {
      notice(error.message, true);
    } finally {
      if (find("connection").textContent === sending) showState(before);
    }
    return null;
  }
}
