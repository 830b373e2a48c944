// The video to the server and back: two peer connections, one for each direction.

// The server's encoder uses the same bitrate, so that original and result have equal quality.
const MOST_BITS = 8_000_000;
const START_KILOBITS = 4_000;
// The time limit of a connection in milliseconds. On one machine a connection takes a few.
const PATIENCE = 10_000;

// Firefox pairs no network address with a loopback address. Other browsers do, and for them the
// server binds the media to the loopback address.
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

  // Begins to send a camera's track.
  async sendTrack(track) {
    const peer = this.#make("up");
    const transceiver = peer.addTransceiver(track, { direction: "sendonly" });
    const codecs = RTCRtpSender.getCapabilities("video").codecs;
    transceiver.setCodecPreferences(codecs.filter((codec) => codec.mimeType === "video/VP8"));
    await peer.setLocalDescription();
    this.#send({ type: "offer", sdp: peer.localDescription.sdp });
    const parameters = transceiver.sender.getParameters();
    parameters.degradationPreference = "maintain-resolution";
    for (const encoding of parameters.encodings ?? []) encoding.maxBitrate = MOST_BITS;
    await transceiver.sender.setParameters(parameters);
  }

  // Takes a message of a link from the server.
  async take(message) {
    if (message.type === "offer") {
      const peer = this.#make("down");
      peer.addEventListener("track", (event) => {
        // Show frames at once, because the network causes hardly any delay.
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
    // Without any address a browser would wait forever.
    setTimeout(() => {
      if (["new", "connecting"].includes(peer.connectionState)) this.#failed();
    }, PATIENCE);
    this.#peers[name] = peer;
    return peer;
  }
}

// Otherwise Chromium starts at 300 kbit/s and needs seconds to become sharp.
function withStartBitrate(sdp) {
  const type = sdp.match(/a=rtpmap:(\d+) VP8/)?.[1];
  if (!type) return sdp;
  const line = `a=fmtp:${type} x-google-start-bitrate=${START_KILOBITS}`;
  return sdp.replace(/(a=rtpmap:\d+ VP8[^\r\n]*)/, `$1\r\n${line}`);
}
