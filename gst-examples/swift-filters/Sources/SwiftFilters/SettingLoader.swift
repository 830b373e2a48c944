import Threads

/// Loads the product of a setting, off the streaming thread whenever the setting has changed.
///
/// The product in use stays with the caller until there is a new one.
struct SettingLoader<Setting: Equatable & Sendable, Product: Sendable> {
  typealias Make = @Sendable (Setting, Cancellation) throws -> Product

  private let make: Make
  private let thread = LoadingThread("filter-load")
  private let loader: Loader<Setting, Product, any Error>
  /// The setting whose product is in use.
  private(set) var current: Setting
  /// The setting that was followed last, with or without success.
  private var followed: Setting

  /// For a setting that is used from the beginning; `make` is called on other threads, too.
  init(_ setting: Setting, _ make: @escaping Make) {
    self.make = make
    loader = Loader(on: thread, make: make)
    current = setting
    followed = setting
  }

  /// Loads the first product, on the calling thread.
  func load() throws -> Product { try make(current, Cancellation()) }

  /// Follows a change; to be asked at each frame.
  ///
  /// - Returns: the product to use from now on; nil when nothing has changed, or not yet.
  /// - Throws: why the setting cannot be followed, once; the product in use stays.
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
