import CProcessor

/// The variables by which users tell this process what to do.
public enum Environment {
  /// The value of a variable; nil when it is not set or empty.
  ///
  /// A program that was started with rights which its user has not got, setuid for example, takes no
  /// advice from them: there every variable is nil.
  public static func value(of name: String) -> String? {
    guard let text = unsafe process_variable(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
  }
}
