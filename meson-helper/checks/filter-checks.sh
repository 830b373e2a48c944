# The checks of the filter kit and of the example package. `check` sources this file and provides the
# variables.

# The example package of filters: its tests, then its plugin in pipelines.
filters_pass_their_tests() {
  test_package "$root/gst-examples/swift-filters"
}

runs_filters() {
  local format size element folder=$logs/filters
  mkdir -p -- "$folder"
  SCRATCH=$deps/build "$root/gst-examples/swift-filters/build" "$folder/libgstswiftfilters.so" ||
    return 1
  # Load the filters together with vbgfilter. Each plugin includes a Swift runtime.
  local -x GST_PLUGIN_PATH=$folder:$GST_PLUGIN_PATH GST_REGISTRY=$folder/registry.bin
  # The networks are not in the folder of an installed plugin.
  local -x VBGFILTER_RUNTIME_DIR=$stage/lib/vbgfilter
  for format in NV12 I420 RGBA; do
    for size in 16x16 385x289 1x1 640x359; do
      for element in grayscale 'sepia strength=0.3' swiftfilter \
        'swiftfilter filter=grayscale,sepia sepia::strength=0.5' \
        'sepia active=false ! swiftfilter filter=sepia' \
        'facesticker ! attendance' 'swiftfilter filter=facesticker,attendance,sepia'; do
        # swiftfilter includes filters that do not support RGBA.
        [[ $format$element != RGBA*swiftfilter* ]] || continue
        gst-launch-1.0 -q videotestsrc num-buffers=3 ! \
          "video/x-raw,format=$format,width=${size%x*},height=${size#*x}" ! \
          $element ! fakesink || return 1
      done
    done
  done
  gst-launch-1.0 -q videotestsrc num-buffers=3 ! video/x-raw,format=NV12,width=320,height=240 ! \
    swiftfilter filter=sepia ! vbgfilter quality=fast ! grayscale ! fakesink || return 1
  for format in NV12 RGBA; do
    gst-launch-1.0 -m filesrc location="$deps/clip/person.mp4" ! decodebin ! videoconvert ! \
      "video/x-raw,format=$format" ! tee name=both ! queue ! facesticker scale=1.1 ! fakesink \
      both. ! queue ! attendance interval=500 ! fakesink sync=true >"$folder/attendance.log" ||
      return 1
    grep -q 'attendance, count=(int)1, faces=' "$folder/attendance.log" || return 1
  done
  gst-launch-1.0 -m videotestsrc pattern=black num-buffers=10 ! video/x-raw,format=I420 ! lightwatch ! \
    fakesink sync=true >"$folder/lightwatch.log" || return 1
  grep -q 'lightwatch, dark=(boolean)true' "$folder/lightwatch.log" || return 1
  # These must end with an error. If an error stops gst-launch-1.0 of GStreamer 1.22 while its sink prerolls,
  # it sometimes waits for ever, so the sinks do not preroll.
  fails_in_time 60 gst-launch-1.0 videotestsrc ! swiftfilter filter=sepla ! fakesink &&
    fails_in_time 60 gst-launch-1.0 videotestsrc ! facesticker image=/nowhere.png ! fakesink async=false
}

# Checks filters that hide the background. A frame without a person must show no part of the real background.
# Without a network, no frame may be output.
hides_the_room() {
  local format folder=$logs/rooms status=0
  rm -rf -- "$folder"
  mkdir -p -- "$folder"
  local -x GST_PLUGIN_PATH=$logs/filters:$GST_PLUGIN_PATH GST_REGISTRY=$logs/filters/registry.bin
  for format in NV12 I420; do
    VBGFILTER_RUNTIME_DIR=$stage/lib/vbgfilter gst-launch-1.0 -q videotestsrc num-buffers=5 ! \
      "video/x-raw,format=$format,width=385,height=289" ! \
      swiftfilter filter=replace-room,blur-room replace-room::background="$deps/sample/astronaut.png" \
      replace-room::quality=fast blur-room::quality=fast ! fakesink || return 1
    # All luma must be black.
    VBGFILTER_RUNTIME_DIR=$stage/lib/vbgfilter gst-launch-1.0 -q videotestsrc num-buffers=5 \
      pattern=solid-color foreground-color=0xff00ff00 ! \
      "video/x-raw,format=$format,width=320,height=240" ! \
      replace-room background-color=0 quality=fast ! videoconvert ! video/x-raw,format=GRAY8 ! \
      filesink location="$folder/$format.gray" || return 1
    [ "$(stat -c %s "$folder/$format.gray")" -eq $((5 * 320 * 240)) ] || return 1
    [ "$(tr -d '\020' <"$folder/$format.gray" | wc -c)" -eq 0 ] || return 1
  done
  VBGFILTER_RUNTIME_DIR=$folder gst-launch-1.0 -q filesrc location="$deps/clip/person.mp4" ! \
    decodebin ! videoconvert ! swiftfilter filter=blur-room ! filesink location="$folder/seen" async=false ||
    status=$?
  [ "$status" -ne 0 ] && [ ! -s "$folder/seen" ]
}

# Checks the application with simulated keys: it chooses filters by number, prints the results of an analyzer,
# and reports errors in one sentence.
picks_filters() {
  local picker=$deps/release-tests/release/filter-picker text=$logs/picker.txt
  picker() {
    VBGFILTER_RUNTIME_DIR=${runtime:-$stage/lib/vbgfilter} timeout -k 10 120 "$picker" --sink fakesink\ sync=true "$@"
  }
  picker --keys 12034 --with lightmeter --background "$deps/sample/astronaut.png" \
    "$deps/clip/person.mp4" >"$text" || return 1
  cat -- "$text"
  [ "$(grep '^filter: ' "$text" | tr '\n' ' ')" = \
    "filter: none filter: Grayscale filter: Sepia filter: none filter: Blurred room filter: Another room " ] ||
    return 1
  grep -q '^lightmeter: mean [0-9]' "$text" || return 1
  # The video shows the name of the filter in use. The first keys change nothing: if a filter cannot be set up
  # before the stream has started, the stream would end.
  runtime=$logs/rooms picker --keys 00003 "$deps/clip/person.mp4" >"$text" 2>&1 || return 1
  [ "$(grep '^filter: ' "$text" | tr '\n' ' ')" = \
    "filter: none filter: Blurred room filter: none " ] || return 1
  grep -q 'VBGFILTER_RUNTIME_DIR' "$text" || return 1
  picker --keys x1xq "$deps/clip/person.mp4" >"$text" || return 1
  [ "$(grep -c '^the keys are 1 to ' "$text")" -eq 1 ] || return 1
  ! picker "$logs/nowhere.mp4" 2>"$text" || return 1
  grep -q "^filter-picker: $logs/nowhere.mp4 cannot be read: No such file" "$text" || return 1
  ! picker --background "$logs/nowhere.png" "$deps/clip/person.mp4" 2>"$text" || return 1
  grep -q "^filter-picker: $logs/nowhere.png cannot be read: No such file" "$text" || return 1
  ! picker --with nothing "$deps/clip/person.mp4"
}

# Follows the README's steps for a new filter package. Its plugin runs together with the example's plugin,
# which contains the same code of the kit.
begins_with_filters() {
  local folder=$logs/myfilters
  rm -rf -- "$folder"
  "$helper/new-filters" "$folder" firsttry && SCRATCH=$deps/build "$folder/build" &&
    test_package "$folder" || return 1
  local -x GST_REGISTRY=$logs/filters/registry.bin
  local -x GST_PLUGIN_PATH=$folder/plugins:$logs/filters:$GST_PLUGIN_PATH
  gst-launch-1.0 -q videotestsrc num-buffers=3 ! video/x-raw,format=NV12 ! tint amount=-20 ! \
    swiftfilter filter=sepia ! tint ! fakesink
}

# Builds a package that depends on the kit by version, not by path. The version is a tag in a new repository
# with the files of this tree.
builds_by_version() {
  local work=$logs/by-version package=$logs/by-version/myfilters repository=$logs/by-version/vbgfilter
  local manifest=$package/Package.swift each
  rm -rf -- "$work"
  mkdir -p -- "$repository"
  git -C "$root" ls-files -z | while IFS= read -r -d '' each; do
    # Skip files that are deleted but not committed yet.
    [ ! -L "$root/$each" ] && [ ! -e "$root/$each" ] || printf '%s\0' "$each"
  done | tar -C "$root" --null --files-from - -c | tar -C "$repository" -x || return 1
  git -C "$repository" init -q && git -C "$repository" add --all &&
    git -C "$repository" -c user.name=check -c user.email=check@localhost commit -q -m release &&
    git -C "$repository" tag 1.0.0 || return 1
  "$helper/new-filters" "$package" byversion || return 1
  sed -i "s|\.package(name: \"vbgfilter\", path: .*)|.package(url: \"file://$repository\", from: \"1.0.0\")|" \
    "$manifest" && grep -q 'from: "1.0.0"' "$manifest" || return 1
  # Keep nothing in the user's caches: in the next run, the same tag may refer to other files.
  PKG_CONFIG_PATH=$deps/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} \
    swift build --package-path "$package" --scratch-path "$work/build" --cache-path "$work/cache" \
    --security-path "$work/security" || return 1
  rm -rf -- "$work"
}

# SwiftPM before 6.2 rejects unsafe flags in a dependency by version.
kit_has_no_unsafe_flags() {
  swift package --package-path "$root" dump-package >"$logs/manifest.json" || return 1
  "$python" - "$logs/manifest.json" <<'END'
import json
import sys
manifest = json.load(open(sys.argv[1]))
targets = {target["name"]: target for target in manifest["targets"]}
open_names = [name for product in manifest["products"] if product["name"] == "GstVideoFilterKit"
              for name in product["targets"]]
seen = set()
while open_names:
    name = open_names.pop()
    if name in seen:
        continue
    seen.add(name)
    flags = [setting for setting in targets[name]["settings"] if "unsafeFlags" in setting["kind"]]
    assert not flags, (name, flags)
    open_names += [next(iter(each.values()))[0] for each in targets[name]["dependencies"]]
print(sorted(seen))
assert len(seen) > 5
END
}

# Checks only that the kit's benchmark runs and reports all costs. On a busy machine, its numbers are
# meaningless.
kit_benchmark_runs() {
  build_product filterkit-bench "$tools" || return 1
  "$deps/build/release/filterkit-bench" | tee "$logs/filterkit-bench.txt" || return 1
  awk -F ': ' '$2 > 0 { count += 1 } END { exit count < 5 }' "$logs/filterkit-bench.txt"
}

# Runs all checks above. `check` starts this function in the background with `beside`.
filters_of_ones_own() {
  check_that "the tests of the example filters" filters_pass_their_tests || true
  check_that "the example filters in pipelines" runs_filters || true
  check_that "the example filters that hide the room" hides_the_room || true
  check_that "the picker of filters" picks_filters || true
  check_that "a new package of filters" begins_with_filters || true
  check_that "no unsafe flags in the kit" kit_has_no_unsafe_flags || true
  check_that "what the kit costs" kit_benchmark_runs || true
}
