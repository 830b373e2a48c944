import Threads

/// For those who import the core, whose every user has a monitor.
package typealias Monitor = Threads.Monitor
