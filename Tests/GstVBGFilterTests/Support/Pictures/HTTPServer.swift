import Glibc
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// A server on this machine that answers slowly or not at all.
///
/// A stalled response continues with one byte per second, so a client without a time limit waits
/// for ever. Use it only in exit tests, because it removes the proxies from the environment of the
/// process.
final class HTTPServer: Sendable {
  /// The server's answer to each request.
  enum Answer: Sendable {
    /// No response on an open connection.
    case never
    /// A file that stalls after `stallsAfter` bytes.
    ///
    /// After that, the server sends one byte per second. A client can read the file only from its
    /// start.
    case file([UInt8], stallsAfter: Int)
    /// Some bytes, followed by other bytes that are repeated endlessly.
    case endless([UInt8], then: [UInt8])
    /// A response without a body and with this status: a number and a text.
    case refusal(String)
  }

  private let listener: CInt
  private let port: UInt16
  private let state = Monitor(State())

  private struct State: Sendable {
    var requests = 0
    var bytesSent = 0
    var isEnding = false
  }

  /// The number of requests so far.
  var requests: Int { state.current.requests }

  /// The number of bytes of endless responses that were sent so far.
  var bytesSent: Int { state.current.bytesSent }

  /// Waits until there are more than `count` requests.
  func waitForRequest(after count: Int) throws {
    try Patience.wait("nobody asked the server", until: { requests > count })
  }

  /// An address on the server.
  var uri: String { "http://127.0.0.1:\(port)/background" }

  /// Returns the same address with a user, as `name:password`, and a query.
  func uri(user: String, query: String) -> String {
    "http://\(user)@127.0.0.1:\(port)/background?\(query)"
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
    case .never:
      let head = Array("HTTP/1.1 200 OK\r\nPatience: ".utf8)
      serve(head + [UInt8](repeating: 0x61, count: 4096), stallsAfter: head.count)
    case .file(let bytes, let count):
      let head = Self.head("200 OK", contentLength: bytes.count)
      serve(head + bytes, stallsAfter: head.count + count)
    case .endless(let start, let part):
      let head = Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8)
      serve(head + start, stallsAfter: head.count + start.count, endless: part)
    case .refusal(let status):
      let head = Self.head(status, contentLength: 0)
      serve(head, stallsAfter: head.count)
    }
  }

  deinit {
    state.change { $0.isEnding = true }
    // `accept` returns and its thread ends.
    shutdown(listener, CInt(SHUT_RDWR))
    close(listener)
  }

  private static func head(_ status: String, contentLength: Int) -> [UInt8] {
    Array(
      ("HTTP/1.1 \(status)\r\nAccept-Ranges: none\r\nConnection: close\r\n"
        + "Content-Length: \(contentLength)\r\n\r\n").utf8)
  }

  private func serve(_ bytes: [UInt8], stallsAfter count: Int, endless part: [UInt8] = []) {
    let (listener, state) = (listener, state)
    _ = HelperThread {
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        _ = HelperThread {
          defer { close(connection) }
          var request = [UInt8](repeating: 0, count: 4096)
          _ = unsafe recv(connection, &request, request.count, 0)
          state.change { $0.requests += 1 }
          guard Self.send(bytes[..<count], to: connection) else { return }
          while !part.isEmpty, !state.current.isEnding {
            guard Self.send(part[...], to: connection) else { return }
            state.change { $0.bytesSent += part.count }
          }
          for index in count..<bytes.count {
            let isEnding = state.wait(upTo: .seconds(1)) { $0.isEnding ? true : nil }
            if isEnding == true || !Self.send(bytes[index...index], to: connection) { return }
          }
        }
      }
    }
  }

  /// Sends all of the bytes and returns false if the client has closed the connection.
  private static func send(_ bytes: ArraySlice<UInt8>, to connection: CInt) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let sent = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(connection, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
      }
      if sent <= 0 { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
