import CGStreamer
import Threads

/// A GStreamer plugin: a list of filters and analyzers, each of which becomes an element.
///
/// ```swift
/// let plugin = Plugin(
///   name: "myfilters", summary: "Filters of mine", license: .mit,
///   filters: [Grayscale.self, Sepia.self])
///
/// @_cdecl("gst_plugin_myfilters_get_desc")
/// public func describePlugin() -> UnsafeRawPointer { unsafe plugin.descriptor }
/// ```
///
/// GStreamer finds the plugin by the name of the file, `libgstmyfilters.so`, and of the C function.
/// Both contain the plugin's name. A program that links the filters needs neither: it calls
/// `register()`.
@safe public final class Plugin: Sendable {
  /// Licences that GStreamer accepts for plugins.
  public enum License: String, Sendable {
    /// GNU Lesser General Public License.
    case lgpl = "LGPL"
    /// GNU General Public License.
    case gpl = "GPL"
    /// Mozilla Public License.
    case mpl = "MPL"
    /// MIT or X11 licence.
    case mit = "MIT/X11"
    /// A BSD licence.
    case bsd = "BSD"
    /// Zero-clause BSD.
    case zeroBSD = "0BSD"
    /// Any other licence.
    case proprietary = "Proprietary"
  }

  /// The plugin's name: a letter, then letters, digits and `_`.
  public let name: String
  let summary: String
  let version: String
  let license: License
  let author: String
  let filters: [any VideoElement.Type]
  let switcher: String?

  /// Creates the description of a plugin, without registering the plugin.
  ///
  /// All plugins of a process share the names of elements. If two elements have the same name, the
  /// second one is omitted, with a warning.
  ///
  /// - Parameters:
  ///   - name: a letter, then letters, digits and `_`.
  ///   - summary: a description for `gst-inspect-1.0`, or the name if empty.
  ///   - version: the plugin's version.
  ///   - license: the plugin's licence.
  ///   - author: the author of the elements, for `gst-inspect-1.0`.
  ///   - filters: filters and analyzers, one element each, named by their ids.
  ///   - switcher: the name of an element that switches between all of them, or nil to omit it.
  public init(
    name: String, summary: String, version: String = "1.0", license: License,
    author: String = "Unknown", filters: [any VideoElement.Type], switcher: String? = nil
  ) {
    (self.name, self.summary, self.license) = (name, summary, license)
    (self.filters, self.switcher) = (filters, switcher)
    self.author = author.isEmpty ? "Unknown" : author
    // GStreamer refuses plugins with an empty version.
    self.version = version.isEmpty ? "0" : version
  }

  /// Registers the elements in this process.
  ///
  /// Returns false if no element could be registered. Call it after `gst_init`. The plugin stays
  /// registered until the process ends.
  @discardableResult public func register() -> Bool {
    guard hasName else { return false }
    Self.loaded.withLock { $0[name] = self }
    return unsafe gst_plugin_register_static(
      GST_VERSION_MAJOR, GST_VERSION_MINOR, name, shownSummary, initializePlugin, version,
      license.rawValue, name, name, author) != 0
  }

  /// The GstPluginDesc that GStreamer reads when it loads the plugin.
  ///
  /// Each call creates one, which is never freed. Thread-safe.
  @unsafe public var descriptor: UnsafeRawPointer {
    Self.loaded.withLock { $0[name] = self }
    var description = unsafe GstPluginDesc()
    unsafe description.major_version = GST_VERSION_MAJOR
    unsafe description.minor_version = GST_VERSION_MINOR
    unsafe description.name = g_intern_string(name)
    unsafe description.description = g_intern_string(shownSummary)
    unsafe description.plugin_init = initializePlugin
    unsafe description.version = g_intern_string(version)
    unsafe description.license = g_intern_string(license.rawValue)
    unsafe description.source = description.name
    unsafe description.package = description.name
    unsafe description.origin = g_intern_string(author)
    let pointer = UnsafeMutablePointer<GstPluginDesc>.allocate(capacity: 1)
    unsafe pointer.initialize(to: description)
    return UnsafeRawPointer(pointer)
  }

  /// The plugins in use, by name: GStreamer passes only the name to `initializePlugin`.
  fileprivate static let loaded = Monitor<[String: Plugin]>([:])
  /// The kinds of elements, or nil until their types are registered.
  let kinds = Monitor<[ElementKind]?>(nil)

  /// Whether GStreamer accepts the plugin's name.
  ///
  /// Prints a warning if it does not.
  var hasName: Bool {
    let isName = ElementDeclaration.isName(name) && !name.contains("-")
    if !isName {
      warn("the name \"\(name)\" must be a letter followed by letters, digits or '_'")
    }
    return isName
  }

  /// The summary, or the name if the summary is empty: GStreamer requires a description.
  private var shownSummary: String { summary.isEmpty ? name : summary }
}

/// Registers the elements of a plugin, when GStreamer has read the plugin's descriptor.
private func initializePlugin(_ plugin: OpaquePointer?) -> gboolean {
  guard let plugin = unsafe plugin, let name = unsafe gst_plugin_get_name(plugin),
    case let known = unsafe String(cString: name),
    let described = Plugin.loaded.withLock({ $0[known] })
  else { return 0 }
  return unsafe described.registerElements(in: plugin) ? 1 : 0
}
