import GstElementSupport
import Threads

/// Runs a filter.
final class FilterRunner<Filter: VideoFilter>: Runner {
  // Nil during a set-up, because the set-up's thread then owns the filter.
  private var filter: Filter? = Filter()
  private var setUp: FilterSetUp<Filter>?
  private var properties: AppliedProperties<Filter>
  private var backup = FrameBackup()

  init(_ type: Filter.Type, _ declaration: ElementDeclaration) {
    properties = AppliedProperties(declaration)
    super.init(declaration)
  }

  override func applyValues() {
    guard var changed = filter else { return }
    // Clear the property, so that `changed` is the only reference and a change copies nothing.
    filter = nil
    properties.apply(values, to: &changed)
    filter = changed
  }

  override func begin(for stream: VideoStream, _ bus: ElementBus, waking wait: StreamWait) {
    // If a set-up is running, `consumeSetUpResult` begins the next one after it.
    if setUp == nil { beginSetUp(for: stream, waking: wait) }
  }

  private func beginSetUp(for stream: VideoStream, waking wait: StreamWait) {
    guard let filter else { return }
    self.filter = nil
    setUp = FilterSetUp(filter, for: stream, waking: wait)
  }

  override var isSetUpOver: Bool { setUp?.isDone ?? true }

  override func consumeSetUpResult() -> Result<Void, any Error>? {
    guard let setUp, let (filter, failure) = setUp.take() else { return nil }
    self.setUp = nil
    self.filter = filter
    if let stream, stream != setUp.stream {
      // This set-up was for a stream that has ended.
      if failure == nil { self.filter?.tearDown() }
      takeSettings()
      applyValues()
      beginSetUp(for: stream, waking: setUp.wait)
      return nil
    }
    // Apply the properties that were set during the set-up.
    applyValues()
    return failure.map { .failure($0) } ?? .success(())
  }

  override func tearDown() {
    setUp?.abandon()
    setUp = nil
    tearDownForNext()
  }

  override func tearDownForNext() {
    filter?.tearDown()
    backup = FrameBackup()
  }

  override func recreate() {
    filter = Filter()
    properties.reset()
    applyValues()
  }

  override func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> FrameFate {
    let onError = onError
    if onError == .untouched { backup.keep(&frame) }
    do {
      try filter?.process(&frame)
      return .goesOn
    } catch {
      // No lock may be held here, because a handler of the message may stop the element.
      if let warning = warnings.admit(complaint(error)) { bus.postWarning(.stream(warning)) }
      if error is FilterWarning { return .goesOn }
      switch onError {
      case .asIs: break
      case .untouched: backup.restore(&frame)
      case .black: frame.fillBlack()
      case .drop: return .isDropped
      }
      return .goesOn
    }
  }

  override var fateOfUnusableFrame: FrameFate {
    switch onError {
    case .asIs, .untouched: .goesOn
    case .black, .drop: .isDropped
    }
  }

  private var onError: FailedFrame { filter?.onError ?? Filter.onError }
}
