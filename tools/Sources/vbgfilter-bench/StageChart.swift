import Matting
import Processor

/// A chart of the costs of frames.
///
/// Each configuration has a bar that is divided into stages, and below it a thin bar for its lower
/// bound. Each quality has a panel with its own scale, because the times of qualities differ
/// widely. The chart shows only the widest measured instruction set.
struct StageChart {
  var costs: [FrameCost]

  private static let width = 760.0
  private static let labels = 110.0
  private static let numbers = 120.0
  private static let row = 30.0
  private static let bar = 13.0
  private static let thinBar = 5.0
  private static let ink = "#24292f"
  private static let paper = "#ffffff"
  private static let grid = "#d0d7de"
  private static let inferenceColor = "#8c959f"
  private static let copyColor = "#24292f"

  private static func color(of stage: FrameCost.Stage) -> String {
    switch stage {
    case .prepare: "#54aeff"
    case .inference: inferenceColor
    case .matte: "#f0883e"
    case .composite: "#2da44e"
    }
  }

  /// The chart, as SVG.
  var svg: String {
    let widest = costs.map(\.subject.instructionSet).max(by: CostReport.isNarrower)
    let shown = costs.filter { $0.subject.instructionSet == widest }
    var body = ""
    var y = 34.0
    body += Self.legend(y: y)
    y += 22
    for quality in Quality.allCases {
      let panel = shown.filter { $0.subject.quality == quality }
      if panel.isEmpty { continue }
      body += Self.panel(panel, quality: quality, top: y)
      y += 34 + Double(panel.count) * Self.row + 26
    }
    let title =
      "Time of a frame by stages, \(widest?.rawValue ?? ""), and its lower bound (x: the ratio)"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \
      viewBox="0 0 \(Self.number(Self.width)) \(Self.number(y))" \
      font-family="sans-serif" font-size="12" fill="\(Self.ink)">
      <rect width="100%" height="100%" fill="\(Self.paper)"/>
      \(Self.text(title, x: 12, y: 20, extra: "font-size=\"14\" font-weight=\"bold\""))
      \(body)</svg>

      """
  }

  private static func legend(y: Double) -> String {
    var entries = FrameCost.Stage.allCases.map { ($0.rawValue, color(of: $0), bar) }
    entries.append(("below: inference alone", inferenceColor, thinBar))
    entries.append(("and a copy of the frame", copyColor, thinBar))
    var x = 12.0
    var body = ""
    for (name, color, height) in entries {
      body += rectangle(x: x, y: y + (bar - height) / 2, width: 13, height: height, color: color)
      body += text(name, x: x + 18, y: y + 11) + "\n"
      x += 34 + 6.6 * Double(name.count)
    }
    return body
  }

  private static func panel(_ costs: [FrameCost], quality: Quality, top: Double) -> String {
    let longest = costs.map { max($0.whole.median, $0.limit) }.max() ?? 1
    let step = tick(for: longest)
    let room = width - labels - numbers
    let scale = room / longest
    let bottom = top + 34 + Double(costs.count) * row
    var body =
      text(
        "quality=\(quality.rawValue)", x: 12, y: top + 22, extra: "font-weight=\"bold\"") + "\n"
    var mark = 0
    while Double(mark) * step <= longest {
      let x = labels + Double(mark) * step * scale
      body += """
        <line x1="\(number(x))" y1="\(number(top + 30))" x2="\(number(x))" y2="\(number(bottom))" \
        stroke="\(grid)"/>
        \(text(label(Double(mark) * step), x: x, y: bottom + 14, extra: "text-anchor=\"middle\""))

        """
      mark += 1
    }
    body += text("ms", x: labels + room + 8, y: bottom + 14) + "\n"
    for (index, cost) in costs.enumerated() {
      body += bars(cost, top: top + 34 + Double(index) * row, scale: scale)
    }
    return body
  }

  private static func bars(_ cost: FrameCost, top: Double, scale: Double) -> String {
    let name = "\(cost.subject.size.rawValue) \(cost.subject.effect.rawValue)"
    var body = text(name, x: labels - 8, y: top + 11, extra: "text-anchor=\"end\"") + "\n"
    var x = labels
    for stage in FrameCost.Stage.allCases {
      let length = (cost.stages[stage]?.median ?? 0) * scale
      body += rectangle(x: x, y: top, width: length, height: bar, color: color(of: stage))
      x += length
    }
    let words = "\(cost.whole.median.milliseconds) ms, x\(cost.ratio.written(digits: 2))"
    body += text(words, x: x + 6, y: top + 11) + "\n"
    let inference = cost.inference.median * scale
    body += rectangle(
      x: labels, y: top + bar + 2, width: inference, height: thinBar, color: inferenceColor)
    body += rectangle(
      x: labels + inference, y: top + bar + 2, width: cost.copy.median * scale, height: thinBar,
      color: copyColor)
    return body
  }

  /// Returns a round distance between the marks of a scale, so that the scale has three to eight
  /// marks.
  static func tick(for longest: Double) -> Double {
    var step = 0.001
    var grown = 0
    // 1, 2, 5, 10, 20, 50 and so on.
    while longest.isFinite, longest / step > 8 {
      step *= grown % 3 == 1 ? 2.5 : 2
      grown += 1
    }
    return step
  }

  private static func label(_ value: Double) -> String {
    value.written(
      digits: value == value.rounded() ? 0 : value * 10 == (value * 10).rounded() ? 1 : 3)
  }

  private static func rectangle(
    x: Double, y: Double, width: Double, height: Double, color: String
  ) -> String {
    "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" "
      + "height=\"\(number(height))\" fill=\"\(color)\"/>\n"
  }

  private static func text(_ text: String, x: Double, y: Double, extra: String = "") -> String {
    let escaped = text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      default: escaped.append(character)
      }
    }
    let attributes = extra.isEmpty ? "" : " " + extra
    return "<text x=\"\(number(x))\" y=\"\(number(y))\"\(attributes)>\(escaped)</text>"
  }

  private static func number(_ value: Double) -> String { value.written(digits: 1) }
}
