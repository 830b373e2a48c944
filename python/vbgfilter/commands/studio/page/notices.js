// Parts of both pages: notices, the state, and files that are dropped onto the page.

export const find = (id) => document.getElementById(id);

// Shows a text until the user dismisses it. Shows each text only once.
export function notice(text, isBad = false) {
  const box = document.createElement("div");
  box.className = isBad ? "notice bad" : "notice";
  const line = document.createElement("p");
  line.textContent = text;
  const close = document.createElement("button");
  close.textContent = "✕";
  close.setAttribute("aria-label", "Dismiss");
  close.addEventListener("click", () => box.remove());
  box.append(line, close);
  for (const each of find("notices").children) {
    if (each.firstChild.textContent === text) each.remove();
  }
  find("notices").append(box);
}

// Shows the state of the connection, which is "open" or "closed".
export function showState(text, kind = "open") {
  if (find("connection").textContent !== text) find("connection").textContent = text;
  find("connection").className = kind;
}

// Calls `drop` with dropped files and their event. `over` is called with each event meanwhile.
export function acceptDrops(drop, over = () => {}) {
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    find("drop").hidden = false;
    over(event);
  });
  const end = () => {
    find("drop").hidden = true;
    over(null);
  };
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) end(); });
  addEventListener("drop", (event) => {
    end();
    if (!hasFiles(event)) return;
    event.preventDefault();
    drop([...event.dataTransfer.files], event);
  });
}
