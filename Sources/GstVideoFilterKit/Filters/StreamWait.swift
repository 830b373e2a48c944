import Threads

/// For the files that wait and need nothing else of the target.
typealias StreamWait = Threads.StreamWait
