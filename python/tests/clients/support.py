"""A desktop session without a screen, and browsers in it that show the camera."""

import asyncio
import base64
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import uuid
from collections.abc import Callable
from typing import Any

import aiohttp
import psutil
from camera.test_pipewire import Desktop

from vbgfilter.commands import gstreamer

PORTAL = pathlib.Path("/usr/libexec/xdg-desktop-portal")
NEEDED = ("pipewire", "wireplumber", "dbus-daemon", "Xvfb", "gdbus")
# The page counts frames and records the colours of their upper left corner.
PAGE = """<!doctype html><title>camera</title><video id="video" muted autoplay playsinline></video>
<script>
const seen = {}, canvas = new OffscreenCanvas(16, 16).getContext("2d", { willReadFrequently: true });
let frames = 0, last = "", track = null;
function look() {
  frames += 1;
  canvas.drawImage(video, 0, 0, 64, 64, 0, 0, 16, 16);
  const [r, g, b] = canvas.getImageData(4, 4, 1, 1).data;
  last = Math.max(r, g, b) < 40 ? "black" : b > 180 && r < 70 && g < 70 ? "blue"
    : g > 180 && r < 70 && b < 70 ? "green" : `other ${r} ${g} ${b}`;
  seen[last] = (seen[last] ?? 0) + 1;
  video.requestVideoFrameCallback(look);
}
async function start() {
  const any = await navigator.mediaDevices.getUserMedia({ video: true });
  any.getTracks().forEach((each) => each.stop());
  const cameras = (await navigator.mediaDevices.enumerateDevices())
    .filter(({ kind }) => kind === "videoinput");
  const camera = cameras.find(({ label }) => label.includes("vbgfilter"));
  if (!camera) throw new Error(`no vbgfilter among ${cameras.map(({ label }) => label)}`);
  const wanted = { deviceId: { exact: camera.deviceId }, width: 1280, height: 720 };
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: wanted });
  [track] = video.srcObject.getVideoTracks();
  video.requestVideoFrameCallback(look);
}
function report() { return JSON.stringify({ frames, seen, last, track: track?.readyState }); }
</script>"""


class Session(Desktop):
    """PipeWire, portals and a virtual screen. ``room`` is a second camera, which shows red."""

    def __init__(self, folder: pathlib.Path) -> None:
        bus = f"unix:path={folder}/bus"
        display = f":{70 + os.getpid() % 900}"
        for name, value in {
            "DBUS_SESSION_BUS_ADDRESS": bus, "DISPLAY": display, "XDG_CURRENT_DESKTOP": "GNOME",
            "HOME": str(folder), "XDG_DATA_HOME": str(folder),
        }.items():  # fmt: skip
            os.environ[name] = value
        (folder / "page.html").write_text(PAGE)
        self.page = (folder / "page.html").as_uri()
        self.folder = folder
        super().__init__(folder, size="1280x720")
        self.room = self.start_room()

    def start_service(self) -> None:
        bus = os.environ["DBUS_SESSION_BUS_ADDRESS"]
        for line, seconds in (
            (f"dbus-daemon --session --address={bus} --nofork", 0.5),
            (f"Xvfb {os.environ['DISPLAY']} -screen 0 1280x800x24", 0.5),
            ("pipewire", 1),
            ("wireplumber", 1),
            ("/usr/libexec/xdg-permission-store", 0),
            ("/usr/libexec/xdg-desktop-portal-gtk", 0),
            (str(PORTAL), 2),
        ):
            self._service.append(self._start(*line.split()))
            time.sleep(seconds)
        store = "org.freedesktop.impl.portal.PermissionStore"
        subprocess.run(
            ["gdbus", "call", "--session", "--dest", store, "--object-path",
             "/org/freedesktop/impl/portal/PermissionStore", "--method", f"{store}.SetPermission",
             "devices", "true", "camera", "", "['yes']"],
            env=self._environment, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def control(self, *words: str) -> None:
        line = [os.sys.executable, "-m", "vbgfilter", "control", *words]
        subprocess.run(line, env=self._environment, check=True, capture_output=True)

    def crash_filter(self) -> None:
        """Lets the process of the filter crash."""
        self._signal("worker", signal.SIGSEGV)

    def kill_holder(self) -> None:
        """Kills the process that holds the camera."""
        self._signal("holder", signal.SIGKILL)

    def _signal(self, module: str, number: signal.Signals) -> None:
        own = self._environment["XDG_RUNTIME_DIR"]
        for process in psutil.process_iter():
            try:
                is_meant = f"vbgfilter.commands.camera.{module}" in process.cmdline()
                if is_meant and process.environ().get("XDG_RUNTIME_DIR") == own:
                    process.send_signal(number)
            except psutil.Error:
                continue

    def close(self) -> None:
        self.room.terminate()
        super().close()


class Browser:
    """A browser that shows the page."""

    def evaluate(self, code: str) -> Any:
        """Returns the value of an expression, awaited."""
        raise NotImplementedError

    def start(self) -> None:
        """Shows the camera."""
        start = "start().then(() => '', (error) => String(error))"
        wait_for("a camera", lambda: self.evaluate(start) == "", 60)

    def report(self) -> dict[str, Any]:
        """Returns the number of frames, the last colour, and all colours since the start."""
        return json.loads(self.evaluate("report()"))


class Firefox(Browser):
    """Firefox, through WebDriver BiDi."""

    program = "firefox-esr"

    def __init__(self, session: Session) -> None:
        profile = session.folder / "firefox"
        profile.mkdir()
        (profile / "user.js").write_text(
            'user_pref("media.webrtc.camera.allow-pipewire", true);\n'
            'user_pref("media.navigator.permission.disabled", true);\n'
            # Contact no servers.
            'user_pref("app.normandy.enabled", false);\n'
            'user_pref("services.settings.server", "data:,");\n'
            'user_pref("network.captive-portal-service.enabled", false);\n'
        )
        self._loop = asyncio.new_event_loop()
        line = ["firefox-esr", "--headless", "--remote-debugging-port=0", "--profile", str(profile)]
        self._said = session.folder / "firefox.log"
        with self._said.open("w") as log:
            self._process = subprocess.Popen(line, env=session._environment, stderr=log)
        listening = re.compile(r"WebDriver BiDi listening on (\S+)")
        found = wait_for("Firefox", lambda: listening.search(self._said.read_text()))
        self._loop.run_until_complete(self._connect(found[1] + "/session"))
        context = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        self._target = {"context": context}
        where = {"context": context, "url": session.page, "wait": "complete"}
        self._ask("browsingContext.navigate", **where)

    async def _connect(self, address: str) -> None:
        self._client = aiohttp.ClientSession()
        self._socket = await self._client.ws_connect(address, max_msg_size=0)
        self._count = 0
        await self._send("session.new", capabilities={})

    async def _send(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        await self._socket.send_json({"id": self._count, "method": method, "params": params})
        reply: dict[str, Any] = {}
        while reply.get("id") != self._count:
            message = await self._socket.receive(60)
            # Otherwise, Firefox has ended.
            assert message.type == aiohttp.WSMsgType.TEXT, self._said.read_text()
            reply = json.loads(message.data)
        assert "result" in reply, reply
        return reply["result"]

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        return self._loop.run_until_complete(self._send(method, **params))

    def evaluate(self, code: str) -> Any:
        reply = self._ask(
            "script.evaluate", expression=code, target=self._target, awaitPromise=True
        )
        assert reply["type"] == "success" and "value" in reply["result"], (code, reply)
        return reply["result"].get("value")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(30)
        self._loop.run_until_complete(self._client.close())
        self._loop.close()


class Chromium(Browser):
    """Chromium, through Playwright."""

    program = "chromium"

    def __init__(self, session: Session) -> None:
        from playwright.sync_api import sync_playwright

        self._playwright = sync_playwright().start()
        options = ["--use-fake-ui-for-media-stream", "--enable-features=WebRtcPipeWireCamera"]
        self._browser = self._playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=options, env=session._environment
        )
        self._page = self._browser.new_page()
        self._page.goto(session.page)

    def evaluate(self, code: str) -> Any:
        return self._page.evaluate(code)

    def close(self) -> None:
        self._browser.close()
        self._playwright.stop()


class OBS:
    """OBS, through its WebSocket. The camera is a source in its scene."""

    program = "obs"

    def __init__(self, session: Session) -> None:
        folder = session.folder / "obs" / "obs-studio"
        socket = {"server_enabled": True, "server_port": 4466, "auth_required": False}
        camera = {"id": "pipewire-camera-source", "name": "camera", "uuid": str(uuid.uuid4()),
                  "settings": {"device_id": "vbgfilter"}}  # fmt: skip
        item = {"name": "camera", "source_uuid": camera["uuid"], "id": 1, "visible": True}
        scene = {"id": "scene", "name": "Scene", "settings": {"id_counter": 1, "items": [item]}}
        scenes = {"current_scene": "Scene", "name": "Untitled", "scene_order": [{"name": "Scene"}],
                  "sources": [camera, scene]}  # fmt: skip
        for name, text in {
            "plugin_config/obs-websocket/config.json": json.dumps(socket | {"first_load": False}),
            "global.ini": "[General]\nFirstRun=true\n",
            "basic/scenes/Untitled.json": json.dumps(scenes),
        }.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        options = ["--multi", "--disable-shutdown-check", "--disable-updater"]
        with (session.folder / "obs.log").open("w") as log:
            self._process = subprocess.Popen(
                ["obs", *options], stdout=log, stderr=log,
                env=session._environment | {"XDG_CONFIG_HOME": str(folder.parent)},
            )  # fmt: skip
        self._seen: dict[str, int] = {}
        self._loop = asyncio.new_event_loop()

    def start(self) -> None:
        self._loop.run_until_complete(self._connect())

    async def _connect(self) -> None:
        self._client = aiohttp.ClientSession()
        for _ in range(60):
            await asyncio.sleep(1)
            try:
                self._socket = await self._client.ws_connect(
                    "ws://127.0.0.1:4466", protocols=["obswebsocket.json"]
                )
                break
            except aiohttp.ClientError:
                continue
        await self._socket.receive_json()
        await self._socket.send_json({"op": 1, "d": {"rpcVersion": 1, "eventSubscriptions": 0}})
        await self._socket.receive_json()

    async def _picture(self) -> bytes:
        wanted = {"sourceName": "camera", "imageFormat": "png", "imageWidth": 64, "imageHeight": 36}
        request = {"requestType": "GetSourceScreenshot", "requestId": "1", "requestData": wanted}
        await self._socket.send_json({"op": 6, "d": request})
        reply = (await self._socket.receive_json())["d"].get("responseData") or {}
        return base64.b64decode(reply.get("imageData", "").partition(",")[2])

    def report(self) -> dict[str, Any]:
        """Returns the same as a browser's report."""
        png = self._loop.run_until_complete(self._picture())
        if png:
            color = _name(_corner(png))
            self._seen[color] = self._seen.get(color, 0) + 1
        frames = sum(self._seen.values())
        last = color if png else ""
        return {"frames": frames, "seen": self._seen, "last": last, "track": None}

    def close(self) -> None:
        self._process.kill()
        self._process.wait(30)
        self._loop.run_until_complete(self._client.close())
        self._loop.close()


class Snapshot:
    """GNOME's Snapshot. It shows the camera in the upper left of the screen."""

    program = "snapshot"

    def __init__(self, session: Session) -> None:
        self._environment = session._environment | {"GSK_RENDERER": "cairo"}
        with (session.folder / "snapshot.log").open("w") as log:
            self._process = subprocess.Popen(["snapshot"], stderr=log, env=self._environment)
        self._seen: dict[str, int] = {}

    def start(self) -> None:
        """Does nothing: it shows the camera by itself."""

    def report(self) -> dict[str, Any]:
        """Returns the same as a browser's report."""
        place = self._environment["DISPLAY"] + "+60,200"
        line = f"ffmpeg -v error -f x11grab -video_size 4x4 -i {place} -frames:v 1 -f rawvideo"
        pixel = subprocess.run(
            [*line.split(), "-pix_fmt", "rgb24", "-"], env=self._environment, check=True,
            stdout=subprocess.PIPE,
        ).stdout[:3]  # fmt: skip
        color = _name(pixel)
        self._seen[color] = self._seen.get(color, 0) + 1
        return {"frames": 0, "seen": self._seen, "last": color, "track": None}

    def close(self) -> None:
        self._process.kill()
        self._process.wait(30)


def _name(pixel: bytes) -> str:
    red, green, blue = pixel
    if max(pixel) < 40:
        return "black"
    if blue > 180 and max(red, green) < 90:
        return "blue"
    return "green" if green > 180 and max(red, blue) < 90 else f"other {red} {green} {blue}"


def _corner(png: bytes) -> bytes:
    """Returns red, green and blue of a pixel near the upper left corner."""
    gst = gstreamer.start()
    pipeline = gstreamer.parse(
        "appsrc name=in ! pngdec ! videoconvert ! video/x-raw,format=RGB ! appsink name=out"
    )
    pipeline.set_state(gst.State.PLAYING)
    pipeline.get_by_name("in").emit("push-buffer", gst.Buffer.new_wrapped(png))
    pipeline.get_by_name("in").emit("end-of-stream")
    sample = pipeline.get_by_name("out").emit("pull-sample")
    pixel = sample.get_buffer().extract_dup(3 * 4 * 65, 3)
    pipeline.set_state(gst.State.NULL)
    return pixel


def wait_for(what: str, condition: Callable[[], Any], seconds: float = 40) -> Any:
    """Returns the condition's value once it is true."""
    until = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < until, what
        time.sleep(0.2)
    return found
