import Glibc
import TestSupport
import Testing
import VirtualBackground

@testable import GstVBGFilter

/// A server on this machine that answers slowly or not at all.
///
/// For exit tests: a proxy that the environment names would be asked in its place, so it is forgotten.
final class HTTPServer: Sendable {
  /// What becomes of a request.
  enum Answer: Sendable {
    /// Nothing at all.
    case never
    /// So many bytes of a file, and no more for as long as the server lives; all of them if there are
    /// no more. The file cannot be read from any other place than its start.
    case file([UInt8], stallsAfter: Int)
    /// Nothing but the line that says so: a number and a sentence.
    case refusal(String)
  }

  private let listener: CInt
  private let port: UInt16
  private let isEnding = Monitor(false)

  /// An address at the server.
  var uri: String { "http://127.0.0.1:\(port)/background" }

  /// The same address with a user, as `name:password`, and what stands behind a question mark.
  func uri(user: String, query: String) -> String {
    "http://\(user)@127.0.0.1:\(port)/background?\(query)"
  }

  /// Whether somebody has turned to it, who was not answered.
  var isAsked: Bool {
    var descriptor = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&descriptor, 1, 0) > 0
  }

  init(_ answer: Answer) throws {
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] { unsafe unsetenv(name) }
    listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    try #require(isBound)
    port = UInt16(bigEndian: address.sin_port)
    switch answer {
    case .never: break
    case .file(let bytes, let count): serve("200 OK", bytes, stallsAfter: count)
    case .refusal(let status): serve(status, [], stallsAfter: 0)
    }
  }

  deinit {
    isEnding.change { $0 = true }
    // Ends the wait for another connection.
    shutdown(listener, CInt(SHUT_RDWR))
    close(listener)
  }

  private func serve(_ status: String, _ bytes: [UInt8], stallsAfter count: Int) {
    let (listener, isEnding) = (listener, isEnding)
    _ = HelperThread {
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        _ = HelperThread {
          let head =
            "HTTP/1.1 \(status)\r\nAccept-Ranges: none\r\nConnection: close\r\n"
            + "Content-Length: \(bytes.count)\r\n\r\n"
          var request = [UInt8](repeating: 0, count: 4096)
          _ = unsafe recv(connection, &request, request.count, 0)
          for piece in [Array(head.utf8), Array(bytes.prefix(count))] {
            var sent = 0
            while sent < piece.count {
              let result = unsafe piece.withUnsafeBytes { piece in
                unsafe send(
                  connection, piece.baseAddress.map { unsafe $0 + sent }, piece.count - sent,
                  CInt(MSG_NOSIGNAL))
              }
              if result <= 0 { break }
              sent += result
            }
          }
          if count < bytes.count { isEnding.wait { $0 ? () : nil } }
          close(connection)
        }
      }
    }
  }
}
