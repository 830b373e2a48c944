import GstElementSupport
import Threads

/// Runs a filter.
final class FilterRunner<Filter: VideoFilter>: Runner {
  // Nil during a set-up, which runs on a thread that owns the filter.
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
    // The only reference, so that changing it copies nothing.
    filter = nil
    properties.apply(values, to: &changed)
    filter = changed
  }

  override func begin(for stream: VideoStream, _ bus: ElementBus, waking wait: StreamWait) {
    // A set-up that is running ends first: `consumeSetUpResult` begins the next.
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
      // It belongs to a stream that has ended.
      if failure == nil { self.filter?.tearDown() }
      takeSettings()
      applyValues()
      beginSetUp(for: stream, waking: setUp.wait)
      return nil
    }
    // Properties may have been set meanwhile.
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
      // A handler of the message may stop the element on this thread: no lock is held here.
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
