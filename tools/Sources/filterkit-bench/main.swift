import CGStreamer
import Glibc

guard gst_init_check(nil, nil, nil) != 0, plugin.register() else {
  print("filterkit-bench: GStreamer or the filters could not be initialized")
  exit(1)
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.isEmpty {
  exit(FrameCosts().run() ? 0 : 1)
}
guard arguments.first == "--live", let live = LateFrames(arguments: arguments.dropFirst()) else {
  print(
    """
    usage: filterkit-bench
           filterkit-bench --live [--seconds N] [--source PIPELINE] [ELEMENT ...]
    The first form measures the time of elements per frame. The second measures the delays of frames in
    a live stream of 1080p at 30 frames per second. An element may have properties: "sepia strength=0.5".
    Set GST_PLUGIN_PATH for elements of plugins.
    """)
  exit(2)
}
exit(live.run() ? 0 : 1)
