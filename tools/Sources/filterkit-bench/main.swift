import CGStreamer
import Glibc

guard gst_init_check(nil, nil, nil) != 0, plugin.register() else {
  print("GStreamer cannot be used")
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
    The first measures what elements cost a frame, the second what becomes of the frames of a live
    stream of 1080p at 30 frames a second. An element may have properties, "sepia strength=0.5"; those
    of plugins are found by GST_PLUGIN_PATH.
    """)
  exit(2)
}
exit(live.run() ? 0 : 1)
