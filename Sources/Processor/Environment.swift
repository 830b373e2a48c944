import CProcessor

/// The environment variables that configure this process.
public enum Environment {
  /// Returns the value of a variable, or nil if it is not set or empty.
  ///
  /// In a privileged program (setuid, for example), every variable reads as nil. The user must not
  /// control a program with more rights than the user has.
  public static func value(of name: String) -> String? {
    guard let text = unsafe process_variable(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
  }
}
