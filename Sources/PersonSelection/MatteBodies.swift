import Matting
import PixelTypes

/// The bodies of a matte: the components that are large enough for a person, or have a face.
///
/// Also counts how much the components overlap the bodies of the previous matte. Not thread-safe.
/// Allocates only in `init`.
struct MatteBodies {
  /// A component that may contain people.
  struct Body {
    /// Its number among the components.
    let component: Int
    /// The middle and the area, in samples.
    let middle: SIMD2<Double>, area: Double
  }

  /// The bodies, numbered in the order in which they were added.
  private(set) var all: [Body] = []
  /// The components of this matte.
  private(set) var components: ConnectedComponents
  private var formerComponents: ConnectedComponents
  /// The body of each component, in this matte and in the previous one.
  private var numbers: [Int?], formerNumbers: [Int?]
  /// Numbers of samples in which a component overlaps a former body.
  ///
  /// The index is `component * maxCount + former`.
  private var overlaps = Array(repeating: 0, count: ConnectedComponents.maxCount * maxCount)

  /// The maximum number of bodies.
  static let maxCount = 8

  init(grid: MatteGrid) {
    components = ConnectedComponents(width: grid.width, height: grid.height)
    formerComponents = ConnectedComponents(width: grid.width, height: grid.height)
    all.reserveCapacity(Self.maxCount)
    numbers = Array(repeating: nil, count: ConnectedComponents.maxCount)
    // Not a copy of `numbers`: the first write to it would allocate.
    formerNumbers = Array(repeating: nil, count: ConnectedComponents.maxCount)
  }

  mutating func reset() {
    components.begin()
    formerComponents.begin()
    all.removeAll(keepingCapacity: true)
  }

  /// Finds the components of the next matte, without bodies yet.
  ///
  /// Returns false, and forgets the components, if there are too many.
  mutating func find(in matte: Raster<UInt8>) -> Bool {
    swap(&components, &formerComponents)
    swap(&numbers, &formerNumbers)
    guard components.find(atLeast: ComponentFilter.threshold, in: matte) else {
      reset()
      return false
    }
    all.removeAll(keepingCapacity: true)
    for i in 0..<components.count { numbers[i] = nil }
    for i in overlaps.indices { overlaps[i] = 0 }
    components.forEachOverlap(with: formerComponents) { own, former, samples in
      guard let formerBody = formerNumbers[former] else { return }
      overlaps[own * Self.maxCount + formerBody] += samples
    }
    return true
  }

  /// Makes a component a body, if it is not one already and there are not too many.
  mutating func add(_ component: Int) {
    guard numbers[component] == nil, all.count < Self.maxCount else { return }
    let box = components[component]
    numbers[component] = all.count
    let middle = SIMD2(Double(box.left + box.right), Double(box.top + box.bottom)) / 2
    all.append(Body(component: component, middle: middle, area: Double(box.area)))
  }

  /// Adds the components with faces and those that are large enough, in order of their areas.
  mutating func addLargest(hasFace: (_ component: Int) -> Bool) {
    let largestArea = components.largestArea()
    while all.count < Self.maxCount {
      var largest: Int?
      for i in 0..<components.count
      where numbers[i] == nil && (hasFace(i) || components.isBody(i, largestArea: largestArea)) {
        if let other = largest, components[other].area >= components[i].area { continue }
        largest = i
      }
      guard let largest else { return }
      add(largest)
    }
  }

  /// The body of a component, or nil if it is not one.
  func number(ofComponent component: Int) -> Int? { numbers[component] }

  /// The number of samples in which a body overlaps a former one.
  func overlap(of body: Int, withFormer formerBody: Int) -> Int {
    overlaps[all[body].component * Self.maxCount + formerBody]
  }

  /// Returns the component with the largest overlap with a former body, or nil without an overlap.
  func successor(ofFormer formerBody: Int) -> Int? {
    func samples(_ i: Int) -> Int { overlaps[i * Self.maxCount + formerBody] }
    return (0..<components.count).max { samples($0) < samples($1) }
      .flatMap { samples($0) > 0 ? $0 : nil }
  }

  /// Whether the bounding boxes of two bodies overlap.
  func boxesOverlap(_ a: Int, _ b: Int) -> Bool {
    let (box, other) = (components[all[a].component], components[all[b].component])
    return box.left < other.right && other.left < box.right && box.top < other.bottom
      && other.top < box.bottom
  }
}
