/// A filter at work.
final class FilterRunner<Filter: VideoFilter>: Runner {
  private var filter = Filter()
  // As many as were declared, should the type say something else by now.
  private let properties: [FilterProperty<Filter>]
  private var applied: [PropertyValue]
  private var backup = FrameBackup()

  init(_ type: Filter.Type, _ declaration: ElementDeclaration) {
    applied = declaration.properties.map(\.initial)
    properties = Array(Filter.properties.prefix(applied.count))
    super.init(declaration)
  }

  override func applyValues() {
    for (index, property) in properties.enumerated() where values[index] != applied[index] {
      property.write(&filter, values[index])
    }
    applied = values
  }

  override func prepare(for stream: VideoStream, _ bus: ElementBus, waiting: Bool) throws {
    do {
      try filter.setUp(for: stream)
    } catch {
      // It may have taken some of what it needs.
      filter.tearDown()
      throw error
    }
  }

  override func giveBack() {
    filter.tearDown()
    backup = FrameBackup()
  }

  override func startAnew() {
    filter = Filter()
    applied = declaration.properties.map(\.initial)
    applyValues()
  }

  override func run(_ frame: inout VideoFrame, _ bus: ElementBus) -> FrameFate {
    let onError = filter.onError
    if onError == .untouched { backup.keep(&frame) }
    do {
      try filter.process(&frame)
      return .goesOn
    } catch {
      // Whoever is told may stop the element on this very thread: nothing is held meanwhile.
      if let warning = warnings.admit(complaint(error)) { bus.postWarning(warning) }
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
    switch filter.onError {
    case .asIs, .untouched: .goesOn
    case .black, .drop: .isDropped
    }
  }
}
