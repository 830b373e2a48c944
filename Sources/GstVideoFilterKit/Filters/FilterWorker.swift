import GstElementSupport

/// A filter that changes frames on the streaming thread.
final class FilterWorker<Filter: VideoFilter>: ElementWorker<Filter>, @unchecked Sendable {
  private var backup = FrameBackup()

  override func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> Bool {
    let onError = element.onError
    if onError == .untouched { backup.keep(&frame) }
    do {
      try element.process(&frame)
    } catch {
      warn(error, bus)
      if error is FilterWarning { return true }
      switch onError {
      case .asIs: break
      case .untouched: backup.restore(&frame)
      case .black: frame.fillBlack()
      case .drop: return false
      }
    }
    return true
  }

  override var sendsUnusableFrames: Bool {
    switch element.onError {
    case .asIs, .untouched: true
    case .black, .drop: false
    }
  }
}

extension VideoFilter {
  static func makeFilterWorker(_ declaration: ElementDeclaration) -> Worker {
    FilterWorker<Self>(declaration)
  }
}
