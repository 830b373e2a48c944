/// Loads what a setting stands for, off the streaming thread whenever the setting has changed.
///
/// What is at work stays with whoever uses it until there is something else.
struct SettingLoader<Setting: Equatable & Sendable, Product> {
  private let make: @Sendable (Setting, _ isWanted: () -> Bool) throws -> Product
  /// The setting of which the product is at work.
  private(set) var current: Setting
  /// The setting that was followed last, with or without success.
  private var followed: Setting
  private var work: BesideStream<Product>?

  /// For a setting that is at work from the beginning; `make` is called on other threads, too.
  init(
    _ setting: Setting,
    _ make: @escaping @Sendable (Setting, _ isWanted: () -> Bool) throws -> Product
  ) {
    self.make = make
    current = setting
    followed = setting
  }

  /// Loads what is at work from the beginning, at once.
  func load() throws -> Product { try make(current) { true } }

  /// Follows a change; to be asked at each frame.
  ///
  /// - Returns: what is to be used from now on; nil when nothing has changed, or not yet.
  /// - Throws: why the setting cannot be followed, once; what was at work is to stay.
  mutating func next(_ wanted: Setting) throws -> Product? {
    if wanted != followed { work?.cancel() }
    if let outcome = work?.poll() {
      stop()
      if wanted == followed {
        let product = try outcome.get()
        current = wanted
        return product
      }
    }
    guard wanted != followed, work == nil else { return nil }
    followed = wanted
    if wanted != current {
      let make = make
      work = BesideStream { isWanted in try make(wanted, isWanted) }
    }
    return nil
  }

  /// Ends all loading.
  mutating func stop() {
    work?.cancel()
    work?.join()
    work = nil
  }
}
