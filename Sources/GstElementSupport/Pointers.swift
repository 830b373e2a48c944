import CGStreamer

package typealias BufferPointer = UnsafeMutablePointer<GstBuffer>
package typealias CapsPointer = UnsafeMutablePointer<GstCaps>
package typealias EventPointer = UnsafeMutablePointer<GstEvent>
package typealias MetaPointer = UnsafeMutablePointer<GstMeta>
package typealias QueryPointer = UnsafeMutablePointer<GstQuery>
