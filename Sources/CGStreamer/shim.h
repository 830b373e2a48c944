/* The GStreamer headers that the element and its tests use.
 *
 * Other C headers must include this one instead of GStreamer's own. If several Swift modules
 * declare the same C types, the compiler sometimes fails to find them. */
#ifndef CGSTREAMER_SHIM_H
#define CGSTREAMER_SHIM_H

#include <gst/gst.h>
#include <gst/app/app.h>
#include <gst/base/gstbasetransform.h>
#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>

/* Connects decodebin's signal autoplug-select, and checks the callback's type. The callback returns
 * a GstAutoplugSelectResult, which no installed header declares: 0 tries the factory, 1 exposes the
 * pad, 2 skips the factory. */
static inline void
vbgfilter_connect_autoplug_select (GstElement * decodebin,
    gint (*select) (GstElement *, GstPad *, GstCaps *, GstElementFactory *, gpointer),
    gpointer data)
{
  g_signal_connect (decodebin, "autoplug-select", G_CALLBACK (select), data);
}

/* Connects decodebin's signal autoplug-continue, and checks the callback's type. The callback
 * returns whether to decode a stream. */
static inline void
vbgfilter_connect_autoplug_continue (GstElement * decodebin,
    gboolean (*decodes) (GstElement *, GstPad *, GstCaps *, gpointer), gpointer data)
{
  g_signal_connect (decodebin, "autoplug-continue", G_CALLBACK (decodes), data);
}

/* Connects a bin's signal deep-element-added, and checks the callback's type. */
static inline void
vbgfilter_connect_deep_element_added (GstElement * bin,
    void (*added) (GstBin *, GstBin *, GstElement *, gpointer), gpointer data)
{
  g_signal_connect (bin, "deep-element-added", G_CALLBACK (added), data);
}

/* Seeks to the start of the stream, and returns whether that succeeded. With `flush` the seek takes
 * effect at once, otherwise after the queued data. The function is in C because Swift imports
 * GstSeekFlags as an enum and cannot combine its values. */
static inline gboolean
vbgfilter_seek_to_start (GstElement * pipeline, gboolean flush, gboolean segment)
{
  guint flags = flush ? (guint) GST_SEEK_FLAG_FLUSH : 0;
  if (segment)
    flags |= (guint) GST_SEEK_FLAG_SEGMENT;
  return gst_element_seek (pipeline, 1.0, GST_FORMAT_TIME, (GstSeekFlags) flags, GST_SEEK_TYPE_SET, 0,
      GST_SEEK_TYPE_NONE, 0);
}

/* Returns whether an object from appsink is a sample. Appsink also returns events. */
static inline gboolean
vbgfilter_is_sample (GstMiniObject * object)
{
  return GST_IS_SAMPLE (object);
}

/* Returns the type of an event from appsink, or GST_EVENT_UNKNOWN for another object. */
static inline GstEventType
vbgfilter_event_type (GstMiniObject * event)
{
  return GST_IS_EVENT (event) ? GST_EVENT_TYPE (event) : GST_EVENT_UNKNOWN;
}

/* Returns the format in a GstVideoInfo. */
static inline GstVideoFormat
vbgfilter_video_info_format (const GstVideoInfo * info)
{
  return GST_VIDEO_INFO_FORMAT (info);
}

/* Returns the crop rectangle of a buffer's picture, or NULL if the buffer has no crop meta. */
static inline GstVideoCropMeta *
vbgfilter_buffer_crop_meta (GstBuffer * buffer)
{
  return gst_buffer_get_video_crop_meta (buffer);
}

/* Maps a frame, and returns whether that succeeded. Takes no reference, so that the buffer stays
 * writable while it is mapped. The function is in C because Swift imports GstMapFlags as an enum
 * and cannot combine its values. */
static inline gboolean
vbgfilter_video_frame_map (GstVideoFrame * frame, const GstVideoInfo * info, GstBuffer * buffer,
    gboolean writable)
{
  guint flags = (guint) GST_MAP_READ | (guint) GST_VIDEO_FRAME_MAP_FLAG_NO_REF;
  if (writable)
    flags |= (guint) GST_MAP_WRITE;
  return gst_video_frame_map (frame, info, buffer, (GstMapFlags) flags);
}

/* Whether all planes of a mapped frame are inside the mapped memory. GStreamer checks that only for
 * buffers without GstVideoMeta. If a function of the memory's owner maps it, the bounds are unknown,
 * and it is trusted. */
static inline gboolean
vbgfilter_video_frame_is_whole (const GstVideoFrame * frame)
{
  const GstVideoFormatInfo *format = frame->info.finfo;
  guint c;

  for (c = 0; frame->meta != NULL && c < format->n_components; c++) {
    guint plane = format->plane[c];
    const GstMapInfo *map = &frame->map[plane];
    const guint8 *data = (const guint8 *) frame->data[plane];
    gint64 stride = frame->info.stride[plane];
    gint64 rows = GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (format, c, frame->info.height);
    gint64 columns = GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (format, c, frame->info.width);
    gint64 row = stride;
    gint64 needed;

    if (!(format->flags & (GST_VIDEO_FORMAT_FLAG_COMPLEX | GST_VIDEO_FORMAT_FLAG_TILED)))
      row = columns * format->pixel_stride[c];
    if (format->flags & GST_VIDEO_FORMAT_FLAG_TILED)
      needed = (gint64) GST_VIDEO_TILE_X_TILES (stride) * GST_VIDEO_TILE_Y_TILES (stride)
          * format->tile_info[plane].size;
    else
      needed = (rows - 1) * stride + row;
    if (data == NULL || stride < row)
      return FALSE;
    if (map->data != NULL
        && (data < map->data || needed > (gint64) map->size - (data - map->data)))
      return FALSE;
  }
  return TRUE;
}

/* ---- macros that Swift does not import ----------------------------------------------------- */

static inline guint8 *
vbgfilter_video_frame_data (const GstVideoFrame * frame, guint plane)
{
  return (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, plane);
}

static inline gint
vbgfilter_video_frame_stride (const GstVideoFrame * frame, guint plane)
{
  return GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane);
}

/* Returns the mapping of a plane. Without GstVideoMeta, all planes share the first. */
static inline GstMapInfo
vbgfilter_video_frame_plane_map (const GstVideoFrame * frame, guint plane)
{
  return frame->map[frame->meta != NULL ? plane : 0];
}

static inline GType cgst_type_double (void) { return G_TYPE_DOUBLE; }
static inline GType cgst_type_int (void) { return G_TYPE_INT; }
static inline GType cgst_type_int64 (void) { return G_TYPE_INT64; }
static inline GType cgst_type_uint64 (void) { return G_TYPE_UINT64; }
static inline GType cgst_type_boolean (void) { return G_TYPE_BOOLEAN; }
static inline GType cgst_type_string (void) { return G_TYPE_STRING; }
static inline GType cgst_type_structure (void) { return GST_TYPE_STRUCTURE; }
static inline GType cgst_type_array (void) { return GST_TYPE_ARRAY; }

static inline GstEventType
cgst_event_type (GstEvent * event)
{
  return GST_EVENT_TYPE (event);
}

static inline GstQueryType
cgst_query_type (GstQuery * query)
{
  return GST_QUERY_TYPE (query);
}

/* Returns whether an event is sticky and serialized with the buffers. */
static inline gboolean
cgst_event_is_kept (GstEvent * event)
{
  return GST_EVENT_IS_STICKY (event) && GST_EVENT_IS_SERIALIZED (event);
}

static inline gboolean
cgst_buffer_has_flag (GstBuffer * buffer, GstBufferFlags flag)
{
  return GST_BUFFER_FLAG_IS_SET (buffer, flag);
}

static inline void
cgst_buffer_clear_gap (GstBuffer * buffer)
{
  GST_BUFFER_FLAG_UNSET (buffer, GST_BUFFER_FLAG_GAP);
}

/* Writes a warning to the program's log, for use before an element exists to post one. */
static inline void
cgst_warn (const char * domain, const char * text)
{
  g_log (domain, G_LOG_LEVEL_WARNING, "%s", text);
}

/* Returns whether the debug log accepts messages of a level. */
static inline gboolean
cgst_logs (GstDebugCategory * category, GstDebugLevel level)
{
  return level <= _gst_debug_min && level <= gst_debug_category_get_threshold (category);
}

/* The flow return of GstBaseTransform that drops a buffer without an error. */
static const GstFlowReturn CGST_FLOW_DROPPED = GST_FLOW_CUSTOM_SUCCESS;

/* Newer versions of GLib mark these types as flags. Swift then imports their values under other
 * names. */
static const GUriFlags CGST_URI_RELAXED_ENCODED =
    (GUriFlags) (G_URI_FLAGS_PARSE_RELAXED | G_URI_FLAGS_ENCODED);
static const GUriHideFlags CGST_URI_HIDE_SECRETS =
    (GUriHideFlags) (G_URI_HIDE_USERINFO | G_URI_HIDE_QUERY | G_URI_HIDE_FRAGMENT);
static const GParamFlags CGST_PARAM_READABLE = G_PARAM_READABLE;
static const GParamFlags CGST_PARAM_WRITABLE = G_PARAM_WRITABLE;
static const GParamFlags CGST_PARAM_STATIC_STRINGS = (GParamFlags) G_PARAM_STATIC_STRINGS;
static const GParamFlags CGST_PARAM_MUTABLE_PLAYING = (GParamFlags) GST_PARAM_MUTABLE_PLAYING;
static const GParamFlags CGST_PARAM_MUTABLE_READY = (GParamFlags) GST_PARAM_MUTABLE_READY;
static const GParamFlags CGST_PARAM_CONTROLLABLE = (GParamFlags) GST_PARAM_CONTROLLABLE;
static const GParamFlags CGST_PARAM_DEPRECATED = G_PARAM_DEPRECATED;

#endif
