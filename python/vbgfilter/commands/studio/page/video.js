// Sends video to the server and receives the result, with one peer connection for each direction.

// The maximum bitrate of the camera's video.
const MAX_BITS = 8_000_000;
const START_KILOBITS = 4_000;
// The time limit for establishing a connection.
const PATIENCE_MS = 10_000;

// Whether the browser connects from a network address to a loopback address. Firefox does not. For
// other browsers, the server binds the media to the loopback address.
export const reachesLoopback = !navigator.userAgent.includes("Firefox");

export class VideoLinks {
  #send;
  #peers = {};
  #video;
  #failed;

  // Shows the result in `video`. Calls `failed` if the connection fails.
  constructor(video, send, failed) {
    this.#video = video;
    this.#send = send;
    this.#failed = failed;
  }

  close() {
    for (const peer of Object.values(this.#peers)) peer.close();
    this.#peers = {};
    this.#video.srcObject = null;
  }

  // Starts to send the camera's track.
  async sendTrack(track) {
    const peer = this.#make("up");
    const transceiver = peer.addTransceiver(track, { direction: "sendonly" });
    const codecs = RTCRtpSender.getCapabilities("video").codecs;
    transceiver.setCodecPreferences(codecs.filter((codec) => codec.mimeType === "video/VP8"));
    await peer.setLocalDescription();
    this.#send({ type: "offer", sdp: peer.localDescription.sdp });
    const parameters = transceiver.sender.getParameters();
    parameters.degradationPreference = "maintain-resolution";
    for (const encoding of parameters.encodings ?? []) encoding.maxBitrate = MAX_BITS;
    await transceiver.sender.setParameters(parameters);
  }

  // Handles the server's message for a link: an offer, an answer or a candidate.
  async take(message) {
    if (message.type === "offer") {
      const peer = this.#make("down");
      peer.addEventListener("track", (event) => {
        // Show frames at once, without a jitter buffer: the network causes hardly any jitter.
        event.receiver.jitterBufferTarget = 0;
        this.#video.srcObject = new MediaStream([event.track]);
      });
      await peer.setRemoteDescription({ type: "offer", sdp: message.sdp });
      await peer.setLocalDescription();
      this.#send({ type: "answer", sdp: peer.localDescription.sdp });
      return;
    }
    const peer = this.#peers[message.link];
    if (!peer) return;
    if (message.type === "answer") {
      const sdp = withStartBitrate(message.sdp);
      await peer.setRemoteDescription({ type: "answer", sdp });
    } else {
      const { candidate, line } = message;
      await peer.addIceCandidate({ candidate, sdpMLineIndex: line });
    }
  }

  #make(name) {
    this.#peers[name]?.close();
    const peer = new RTCPeerConnection({ iceServers: [] });
    peer.addEventListener("connectionstatechange", () => {
      if (peer.connectionState === "failed") this.#failed();
    });
    // If a browser finds no usable address, it never reports a failure.
    setTimeout(() => {
      if (["new", "connecting"].includes(peer.connectionState)) this.#failed();
    }, PATIENCE_MS);
    this.#peers[name] = peer;
    return peer;
  }
}

// Adds a start bitrate for Chromium. Otherwise it starts at 300 kbit/s, and the video is blurred
// for seconds.
function withStartBitrate(sdp) {
  const type = sdp.match(/a=rtpmap:(\d+) VP8/)?.[1];
  if (!type) return sdp;
  const line = `a=fmtp:${type} x-google-start-bitrate=${START_KILOBITS}`;
  return sdp.replace(/(a=rtpmap:\d+ VP8[^\r\n]*)/, `$1\r\n${line}`);
}
