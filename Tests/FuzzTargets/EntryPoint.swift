// The names are libFuzzer's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Glibc

/// The target that this process fuzzes, from the name of the program.
nonisolated(unsafe) private var target = FuzzTarget.pictures

/// Called by libFuzzer first.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
  let path = unsafe String(cString: arguments.pointee[0])
  let name = path.split(separator: "/").last.map(String.init) ?? ""
  guard let named = FuzzTarget(rawValue: name) else {
    end("unknown target \"\(name)\": call the program by the name of a target")
  }
  // Before libFuzzer starts any thread.
  unsafe target = named
  return 0
}

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do throws(Finding) {
    try unsafe target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    unsafe end("\(target.rawValue): \(error)")
  }
  return 0
}

/// Ends the process so that libFuzzer keeps the input.
private func end(_ reason: String) -> Never {
  let text = Array("finding: \(reason)\n".utf8)
  unsafe write(STDERR_FILENO, text, text.count)
  abort()
}
