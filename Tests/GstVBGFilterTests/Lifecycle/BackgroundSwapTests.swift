import CGStreamer
import CTestSupport
import TestSupport
import Testing

@testable import GstVBGFilter

/// Changes of background during playback: they happen between two frames and leak no resources.
@Suite struct BackgroundSwapTests {
  static let interval: UInt64 = 40_000_000

  /// Two videos and a picture with distinct lumas.
  private struct Files {
    let first: String
    let second: String
    let still: String
    static let (firstLumas, secondLumas): ([UInt8], [UInt8]) = ([70, 80, 90], [150, 160, 170])
    static let stillLuma: UInt8 = 126

    init(_ folder: TemporaryFolder) throws {
      first = try folder.write(StoredVideo(lumas: Self.firstLumas), name: "first")
      second = try folder.write(StoredVideo(lumas: Self.secondLumas), as: .mp4, name: "second")
      still = try folder.writePicture("gray.png", color: Room.gray)
    }

    /// Returns the index of the file that contains a luma, if any.
    static func index(_ luma: Int) -> Int? {
      [firstLumas, secondLumas, [stillLuma]].firstIndex { lumas in
        lumas.contains { abs(Int($0) - luma) <= 2 }
      }
    }
  }

  @Test func theOldBackgroundStaysUntilTheNewOneHasAPicture() throws {
    let folder = TemporaryFolder()
    let files = try Files(folder)
    let filter = try TestFilter(["background-path": files.first])
    var (time, shown) = (UInt64(0), 0)
    for (path, next) in [(files.second, 1), (files.still, 2), (files.first, 0), (files.second, 1)] {
      filter.set("background-path", path)
      try Patience.wait(until: {
        let output = try filter.process(time: time)
        #expect(Room.visiblePart(of: output) == 0)
        let index = try #require(Files.index(output.luma(0, 0)), "\(output.luma(0, 0))")
        #expect(index == shown || index == next)
        if index == next, next != shown {
          // A video starts with its first picture.
          let lumas = [Files.firstLumas, Files.secondLumas, [Files.stillLuma]][next]
          #expect(abs(output.luma(0, 0) - Int(lumas[0])) <= 2)
        }
        shown = index
        time += Self.interval
        return shown == next
      })
    }
    #expect(filter.messages().isEmpty)
  }

  @Test func aThousandChangesShowTheLastPathAndLeakNothing() async {
    await #expect(processExitsWith: .success) {
      // Otherwise malloc keeps freed memory per thread, and the test would count it.
      use_one_arena()
      let folder = TemporaryFolder()
      let files = try Files(folder)
      let paths = [files.first, files.second, files.still, "/nonexistent/background"]
      let filter = try TestFilter(["background-path": files.first])
      var time: UInt64 = 0
      func setPaths(_ count: Int) throws {
        for index in 0..<count {
          filter.set("background-path", paths[index * 7 / 3 % paths.count])
          if index % 5 == 0 {
            time += 33_000_000
            let output = try filter.process(time: time)
            #expect(Room.visiblePart(of: output) == 0)
          }
          // Sometimes give a background enough time to appear.
          if index % 50 == 0 { g_usleep(20_000) }
        }
        filter.set("background-path", files.second)
        try filter.process(until: {
          time += 33_000_000
          return Files.index(try filter.process(time: time).luma(0, 0)) == 1
        })
        _ = filter.messages()
      }
      try setPaths(300)
      // The threads of replaced backgrounds end without a join.
      g_usleep(500_000)
      let before = ProcessResources()
      try setPaths(1000)
      // GLib keeps idle threads in its own pools.
      let excess = before.excess(threads: 4, descriptors: 4, pages: 4000)
      #expect(excess == nil, "\(excess ?? "")")
    }
  }

  @Test func manyLoopsDoNotUseMoreMemory() async {
    await #expect(processExitsWith: .success) {
      use_one_arena()
      let folder = TemporaryFolder()
      let video = StoredVideo(lumas: [70, 90, 110], width: 640, height: 360)
      let filter = try TestFilter([
        "background-path": try folder.write(video, as: .webm), "light-wrap": "0.5",
      ])
      var time: UInt64 = 0
      func play(loops: Int) throws {
        for _ in 0..<3 * loops {
          try filter.wait(forLuma: video.luma(at: time), at: time, tolerance: 4)
          time += video.interval
        }
      }
      try play(loops: 30)
      let before = ProcessResources()
      try play(loops: 200)
      // A leaked picture per loop would add 17000 pages.
      let excess = before.excess(threads: 2, descriptors: 0, pages: 1000)
      #expect(excess == nil, "\(excess ?? "")")
    }
  }
}
