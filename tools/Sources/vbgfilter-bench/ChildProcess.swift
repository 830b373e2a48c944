#if canImport(Glibc)
  import Glibc
#endif

/// A child process that exchanges lines of text with this process.
///
/// Not thread-safe.
@safe final class ChildProcess {
  /// A failure, described by a sentence for the user.
  struct Failure: Error {
    var sentence: String
  }

  private let name: String
  private let process: pid_t
  // This object owns both streams and closes them in `deinit`.
  private let input: UnsafeMutablePointer<FILE>
  private let output: UnsafeMutablePointer<FILE>
  private var status: Int32?

  /// Starts a program, which is looked up in PATH.
  ///
  /// The program inherits standard error from this process.
  ///
  /// - Throws: `Failure`, when the program cannot be started.
  init(_ arguments: [String]) throws(Failure) {
    name = arguments.first ?? ""
    // Writing to a child that has ended must not end this process.
    signal(SIGPIPE, SIG_IGN)
    guard let toChild = Self.pipe(), let fromChild = Self.pipe() else {
      throw Failure(sentence: "a pipe could not be created: \(Self.reason(errno))")
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, toChild.read, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, fromChild.write, STDOUT_FILENO)
    var words = unsafe arguments.map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(&process, name, &actions, nil, words, environ)
    close(toChild.read)
    close(fromChild.write)
    guard failure == 0, let input = unsafe fdopen(toChild.write, "w"),
      let output = unsafe fdopen(fromChild.read, "r")
    else {
      throw Failure(sentence: "\(name) cannot be started: \(Self.reason(failure))")
    }
    self.process = process
    unsafe self.input = input
    unsafe self.output = output
  }

  deinit {
    unsafe fclose(input)
    unsafe fclose(output)
    if status == nil { waitpid(process, nil, 0) }
  }

  /// Writes a line to the program's standard input.
  func write(line: String) {
    unsafe fputs(line + "\n", input)
    unsafe fflush(input)
  }

  /// Returns the program's next line without its newline, or nil at the end of its output.
  func readLine() -> String? {
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { unsafe free(line) }
    guard unsafe getline(&line, &capacity, output) > 0, let line = unsafe line else { return nil }
    let text = unsafe String(cString: line)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Waits until the program exits, and returns the remaining lines of its output.
  ///
  /// - Throws: `Failure`, when the exit status is not 0.
  func finish() throws(Failure) -> [String] {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
    self.status = status
    // A wait status of 0 means a normal exit with code 0.
    if status != 0 { throw Failure(sentence: "\(name) failed; see its messages above") }
    return lines
  }

  /// Runs a program until it exits, and returns the lines of its output.
  ///
  /// - Throws: `Failure`, when the program cannot be started or its exit status is not 0.
  static func run(_ arguments: [String]) throws(Failure) -> [String] {
    try ChildProcess(arguments).finish()
  }

  private static func reason(_ number: Int32) -> String {
    unsafe String(cString: strerror(number))
  }

  /// Creates a pipe with two close-on-exec ends, or returns nil.
  ///
  /// The child inherits only the duplicates that dup2 creates. If it also inherited the write end
  /// of its own input, it would never read the end of the input.
  private static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
