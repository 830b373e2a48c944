#if canImport(Glibc)
  import Glibc
#endif

/// Standard error, to which a tool writes everything except its results.
public enum StandardError {
  /// Writes a line without buffering.
  public static func write(line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }

  /// Writes a line that begins with the program's name, and ends the process with status 1.
  public static func fail(_ sentence: String, in program: String) -> Never {
    write(line: "\(program): \(sentence)")
    exit(1)
  }
}
