// The original video next to the result. The browser shows its own camera or file.

// The maximum difference between the positions of original and result, in seconds.
const MAX_DRIFT = 0.3;

export class Original {
  #video;
  #note;
  #device;
  #size;
  #unseen;
  #address = null;

  constructor(find) {
    this.#video = find("original-video");
    this.#note = find("original-note");
    this.#device = find("device");
    this.#size = find("size");
    this.#unseen = find("unseen");
  }

  // Asks the user for the camera, shows it, and returns its track.
  async showCamera() {
    if (!navigator.mediaDevices) throw new DOMException("", "SecurityError");
    this.stop();
    const [width, height] = this.#size.value.split("x").map(Number);
    const video = { width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 30 } };
    if (this.#device.value) video.deviceId = { ideal: this.#device.value };
    const stream = await navigator.mediaDevices.getUserMedia({ video });
    const [track] = stream.getVideoTracks();
    track.contentHint = "motion";
    this.#video.srcObject = stream;
    this.#video.classList.add("plays");
    this.#note.textContent = track.label;
    await this.#listCameras(track);
    return track;
  }

  // Call this after the user has allowed a camera: only then browsers report the cameras' names.
  async #listCameras(track) {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const cameras = devices.filter(({ kind }) => kind === "videoinput");
    const used = track.getSettings().deviceId;
    this.#device.replaceChildren(...cameras.map(({ deviceId, label }) =>
      new Option(label || "Camera", deviceId, false, deviceId === used)));
    this.#device.hidden = cameras.length < 2;
  }

  showFile(file) {
    this.stop();
    this.#address = URL.createObjectURL(file);
    Object.assign(this.#video, { src: this.#address, loop: true });
    this.#video.classList.add("plays");
    this.#note.textContent = file.name;
  }

  // Shows only the name of a file on the server, because the server does not send the original.
  showNothing(name) {
    this.stop();
    this.#note.textContent = name;
    this.#unseen.hidden = false;
  }

  // Synchronizes the original with the result of a file, which is at `position` seconds.
  follow(position) {
    const { duration, currentTime } = this.#video;
    if (this.#address === null || position === null || !(duration > 0)) return;
    const apart = Math.abs(position - currentTime);
    if (Math.min(apart, duration - apart) > MAX_DRIFT) {
      this.#video.currentTime = position % duration;
    }
  }

  stop() {
    for (const track of this.#video.srcObject?.getTracks() ?? []) track.stop();
    this.#video.srcObject = null;
    this.#video.classList.remove("plays");
    if (this.#address) {
      URL.revokeObjectURL(this.#address);
      this.#address = null;
      this.#video.removeAttribute("src");
      this.#video.load();
    }
    this.#note.textContent = "";
    this.#unseen.hidden = true;
  }

  // Returns a message for an error of showCamera().
  explain(error) {
    const reasons = {
      NotAllowedError: "The browser may not use the camera: allow it in the address bar.",
      NotFoundError: "The browser finds no camera: plug one in, or open a video.",
      NotReadableError: "The camera is in use by another program: close that, or open a video.",
      SecurityError: "Browsers allow the camera only on this machine or over HTTPS: start " +
        "vbgfilter studio with --certificate and --key, or open a video.",
    };
    return reasons[error.name] ?? `The camera could not be started: ${error.message}`;
  }
}
