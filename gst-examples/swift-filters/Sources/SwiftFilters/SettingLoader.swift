import Threads

/// Loads the product of a setting on another thread whenever the setting changes.
///
/// The caller keeps the current product until a new one is ready.
struct SettingLoader<Setting: Equatable & Sendable, Product: Sendable> {
  typealias Make = @Sendable (Setting, Cancellation) throws -> Product

  private let make: Make
  private let thread = LoadingThread("filter-load")
  private let loader: Loader<Setting, Product, any Error>
  /// The setting of the current product.
  private(set) var current: Setting
  /// The last setting that was tried, with or without success.
  private var followed: Setting

  /// Creates a loader for an initial setting.
  ///
  /// `make` is called on the thread that calls `load`, and on the loading thread.
  init(_ setting: Setting, _ make: @escaping Make) {
    self.make = make
    loader = Loader(on: thread, make: make)
    current = setting
    followed = setting
  }

  /// Loads the first product, on the calling thread.
  func load() throws -> Product { try make(current, Cancellation()) }

  /// Starts loading if the setting has changed, and returns a product when it is ready.
  ///
  /// Call this for each frame.
  ///
  /// - Returns: the new product, or nil if nothing has changed or loading has not finished.
  /// - Throws: once, if the product cannot be loaded. The current product then stays.
  mutating func next(_ wanted: Setting) throws -> Product? {
    if wanted != followed {
      followed = wanted
      if wanted == current { loader.withdraw() } else { loader.request(wanted) }
      return nil
    }
    guard let answer = loader.poll() else { return nil }
    let product = try answer.get()
    current = wanted
    return product
  }

  /// Cancels loading and ends the thread.
  func stop() {
    loader.end()
    thread.end()
  }
}
