import Threads

/// Loads the product of a setting off the streaming thread after each change.
///
/// The caller keeps the current product until there is a new one.
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
  /// `make` is also called on other threads.
  init(_ setting: Setting, _ make: @escaping Make) {
    self.make = make
    loader = Loader(on: thread, make: make)
    current = setting
    followed = setting
  }

  /// Loads the first product, on the calling thread.
  func load() throws -> Product { try make(current, Cancellation()) }

  /// Follows a change.
  ///
  /// Call this for each frame.
  ///
  /// - Returns: the new product, or nil if nothing has changed or loading is not finished.
  /// - Throws: once, if the setting cannot be followed. The current product stays.
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

  /// Ends all loading.
  func stop() {
    loader.end()
    thread.end()
  }
}
