"""The process that lists the cameras, for ``find_cameras``."""

import json

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera.sinks import NODE


def main() -> None:
    """Prints each camera, except this command's own, as a line of JSON."""
    monitor = gstreamer.start().DeviceMonitor.new()
    monitor.add_filter("Video/Source", None)
    if not monitor.start():
        return
    for device in monitor.get_devices():
        properties = device.get_properties()
        texts = {
            name: properties.get_string(name) if properties else None
            for name in ("device.path", "api.v4l2.path", "node.name")
        }
        if texts["node.name"] == NODE:
            continue
        path = texts["device.path"] or texts["api.v4l2.path"] or ""
        source = "v4l2src device=" + gstreamer.quoted(path) if path else ""
        source = source or gstreamer.describe_element(device.create_element(None))
        print(json.dumps({"name": device.get_display_name(), "path": path, "source": source}))
    monitor.stop()


if __name__ == "__main__":
    main()
