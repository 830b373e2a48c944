/* The part of the element that only C can say: the GType, its properties and the plugin descriptor,
 * which are macros and static tables. Whatever decides anything is written in Swift; the functions
 * marked "in Swift" below are declared here and implemented in GstVBGFilter. */
#ifndef VBGFILTER_H
#define VBGFILTER_H

#include "../../CGStreamer/shim.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

typedef struct _GstVBGFilter GstVBGFilter;

GType gst_vbg_filter_get_type (void);

/* Registers the plugin in a process that has it linked in. */
void gst_plugin_vbgfilter_register (void);

/* Values of the enum properties. */
typedef enum {
  VBG_EFFECT_AUTO, VBG_EFFECT_BLUR, VBG_EFFECT_REPLACE, VBG_EFFECT_COLOR,
  VBG_EFFECT_TRANSPARENT, VBG_EFFECT_MATTE, VBG_EFFECT_NONE,
} VBGEffect;

typedef enum {
  VBG_PACING_REUSE_MATTE, VBG_PACING_REPEAT_FRAME, VBG_PACING_DROP_FRAME,
} VBGPacing;

typedef enum {
  VBG_QUALITY_FAST, VBG_QUALITY_BALANCED, VBG_QUALITY_ACCURATE,
} VBGQuality;

typedef enum {
  VBG_FIT_COVER, VBG_FIT_CONTAIN, VBG_FIT_STRETCH,
} VBGFit;

typedef enum {
  VBG_KEEP_EVERYONE, VBG_KEEP_NEAREST, VBG_KEEP_TRACKED,
} VBGKeep;

typedef enum {
  VBG_ON_FAILURE_BLUR, VBG_ON_FAILURE_COLOR, VBG_ON_FAILURE_HOLD, VBG_ON_FAILURE_DROP,
  VBG_ON_FAILURE_ERROR,
} VBGOnFailure;

/* Identifiers of the properties. */
typedef enum {
  VBG_PROPERTY_EFFECT = 1, VBG_PROPERTY_BACKGROUND_PATH, VBG_PROPERTY_BACKGROUND_COLOR,
  VBG_PROPERTY_BLUR_RADIUS, VBG_PROPERTY_TARGET_FPS, VBG_PROPERTY_PACING, VBG_PROPERTY_SKIP_STILL,
  VBG_PROPERTY_ACTIVE,
  VBG_PROPERTY_QUALITY, VBG_PROPERTY_MODEL, VBG_PROPERTY_SUBJECTS, VBG_PROPERTY_FIT,
  VBG_PROPERTY_KEEP, VBG_PROPERTY_MATTE_GROW, VBG_PROPERTY_MATTE_FEATHER, VBG_PROPERTY_SMOOTHING,
  VBG_PROPERTY_DESPILL, VBG_PROPERTY_LIGHT_WRAP, VBG_PROPERTY_ON_FAILURE,
  VBG_PROPERTY_ADAPTIVE, VBG_PROPERTY_CPU_BUDGET, VBG_PROPERTY_ATTACH_MATTE, VBG_PROPERTY_DEVICE,
  VBG_PROPERTY_THREADS, VBG_PROPERTY_STATS_INTERVAL, VBG_PROPERTY_STATS,
} VBGProperty;

/* Ranges and defaults, for the parameter specifications and for Swift. */
#define VBG_INPUT_FORMATS "NV12, I420, NV21"
#define VBG_OUTPUT_FORMATS "NV12, I420, NV21, A420, AYUV, RGBA, BGRA, ARGB, ABGR, GRAY8"
#define VBG_MINIMUM_SIZE 16
#define VBG_MAXIMUM_SIZE 8192
#define VBG_DEFAULT_BACKGROUND_COLOR 0xff00ff00u
#define VBG_MAXIMUM_BLUR_RADIUS 100.0
#define VBG_DEFAULT_BLUR_RADIUS 10.0
#define VBG_MAXIMUM_TARGET_FPS 1000.0
#define VBG_MAXIMUM_MATTE_GROW 50.0
#define VBG_MAXIMUM_MATTE_FEATHER 50.0
#define VBG_DEFAULT_SMOOTHING 0.5
#define VBG_DEFAULT_SUBJECTS "person"
#define VBG_DEFAULT_DEVICE "CPU"
#define VBG_MAXIMUM_THREADS 256
#define VBG_MAXIMUM_CPU_BUDGET 256.0

/* ---- in Swift ------------------------------------------------------------------------------ */

/* The Swift object behind an element. Retained for the element by `new`, given back by `free`;
 * every other function borrows it. `filter` outlives the object. */
gpointer vbg_object_new (GstVBGFilter *filter);
void vbg_object_free (gpointer object);

void vbg_object_set_property (gpointer object, VBGProperty property, const GValue *value);
void vbg_object_get_property (gpointer object, VBGProperty property, GValue *value);

gboolean vbg_object_start (gpointer object);
void vbg_object_stop (gpointer object);
/* Wakes a streaming thread that waits for something to load, so that it can be stopped. */
void vbg_object_interrupt (gpointer object);
/* The caps of the other pad that frames of `caps` can come from or become; owned by the caller. */
GstCaps *_Nullable vbg_object_transform_caps (gpointer object, GstPadDirection direction, GstCaps *caps,
    GstCaps *_Nullable filter);
/* Chooses among `other`, which is taken over; the result is owned by the caller. */
GstCaps *_Nullable vbg_object_fixate_caps (gpointer object, GstPadDirection direction, GstCaps *caps,
    GstCaps *other);
gboolean vbg_object_set_info (gpointer object, const GstVideoInfo *input,
    const GstVideoInfo *output);
/* Whether frames go out in the format in which they come. */
gboolean vbg_object_is_in_place (gpointer object);
/* An event on the sink pad, before it takes effect, which is taken over. Returns the one that takes
 * effect in its place, often the same; owned by the caller. */
GstEvent *vbg_object_take_event (gpointer object, GstEvent *event);
/* An event on the source pad, on any thread. */
void vbg_object_see_upstream_event (gpointer object, GstEvent *event);
/* Decides whether the buffer that comes next is passed through. */
void vbg_object_before_transform (gpointer object, GstBuffer *buffer);
/* Whether the buffer, which no transform has seen yet, is to be left out. */
gboolean vbg_object_drops (gpointer object, GstBuffer *buffer);
/* What became of a buffer that was not late: GST_FLOW_OK if it goes out. */
void vbg_object_note_result (gpointer object, GstFlowReturn flow);
/* A buffer was dropped by the base class because it came too late. */
void vbg_object_note_late_drop (gpointer object);
/* Maps `buffer`, which is to go out, and `input` where that is another one in another format; returns
 * `buffer`, or another one to send out in its place when it cannot be used as it is, or NULL when
 * there is none. `buffer` is writable. The result, if another, is owned by the caller. */
GstBuffer *_Nullable vbg_object_prepare_buffer (gpointer object, GstBuffer *buffer,
    GstBuffer *input);
/* Whether a meta of a buffer goes on to one that is made in its place, in whatever format. */
gboolean vbg_object_carries_meta (gpointer object, GstBuffer *input, GstMeta *meta);
/* Hides the room in the buffer that was prepared last, from `input` if that is another one. */
GstFlowReturn vbg_object_transform (gpointer object, GstBuffer *buffer,
    GstBuffer *_Nullable input);

/* ---- in C, for Swift ----------------------------------------------------------------------- */

/* The Swift object behind an element of this type; NULL for any other. */
gpointer _Nullable vbg_filter_get_object (GstElement *element);

/* Debug messages of the category `vbgfilter`: what a variadic macro does in C. */
gboolean vbg_filter_logs (GstDebugLevel level);
void vbg_filter_log (GstVBGFilter *filter, GstDebugLevel level, const char *file, const char *function,
    int line, const char *message);

static inline GstElement *
vbg_filter_element (GstVBGFilter *filter)
{
  return (GstElement *) (gpointer) filter;
}

static inline GstBaseTransform *
vbg_filter_transform (GstVBGFilter *filter)
{
  return (GstBaseTransform *) (gpointer) filter;
}

/* Drops the frame, which is no error. */
static const GstFlowReturn VBG_FLOW_DROPPED = GST_FLOW_CUSTOM_SUCCESS;

/* Function-like macros that Swift does not import. */
static inline gboolean
vbg_buffer_has_flag (GstBuffer *buffer, GstBufferFlags flag)
{
  return GST_BUFFER_FLAG_IS_SET (buffer, flag);
}

static inline void
vbg_buffer_clear_gap (GstBuffer *buffer)
{
  GST_BUFFER_FLAG_UNSET (buffer, GST_BUFFER_FLAG_GAP);
}

static inline GstEventType
vbg_event_type (GstEvent *event)
{
  return GST_EVENT_TYPE (event);
}

/* Whether pads keep an event, which comes in line with the buffers. */
static inline gboolean
vbg_event_is_kept (GstEvent *event)
{
  return GST_EVENT_IS_STICKY (event) && GST_EVENT_IS_SERIALIZED (event);
}

/* Whether values of a type are numbers, names, text or times, and lead to nothing else. */
static inline gboolean
vbg_type_is_plain (GType type)
{
  switch (G_TYPE_FUNDAMENTAL (type)) {
    case G_TYPE_BOOLEAN:
    case G_TYPE_CHAR:
    case G_TYPE_UCHAR:
    case G_TYPE_INT:
    case G_TYPE_UINT:
    case G_TYPE_LONG:
    case G_TYPE_ULONG:
    case G_TYPE_INT64:
    case G_TYPE_UINT64:
    case G_TYPE_ENUM:
    case G_TYPE_FLAGS:
    case G_TYPE_FLOAT:
    case G_TYPE_DOUBLE:
    case G_TYPE_STRING:
      return TRUE;
  }
  return type == GST_TYPE_FRACTION || type == GST_TYPE_FRACTION_RANGE || type == GST_TYPE_INT_RANGE
      || type == GST_TYPE_INT64_RANGE || type == GST_TYPE_DOUBLE_RANGE || type == GST_TYPE_BITMASK
      || G_TYPE_FUNDAMENTAL (type) == GST_TYPE_FLAG_SET || type == GST_TYPE_DATE_TIME
      || type == GST_TYPE_SEGMENT || type == GST_TYPE_CAPS_FEATURES || type == G_TYPE_DATE
      || type == G_TYPE_DATE_TIME || type == G_TYPE_ERROR || type == G_TYPE_GTYPE;
}

/* A buffer with the memory of another and what describes it, the layout and the crop; owned by the
 * caller. */
static inline GstBuffer *
vbg_buffer_share_memory (GstBuffer *buffer)
{
  GstBuffer *copy = gst_buffer_new ();
  GstVideoMeta *layout = gst_buffer_get_video_meta (buffer);
  GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);

  gst_buffer_copy_into (copy, buffer, GST_BUFFER_COPY_MEMORY, 0, (gsize) -1);
  /* Keeps a buffer of a pool from going back to it while its memory is in use. */
  gst_buffer_add_parent_buffer_meta (copy, buffer);
  if (layout)
    gst_buffer_add_video_meta_full (copy, layout->flags, layout->format, layout->width,
        layout->height, layout->n_planes, layout->offset, layout->stride);
  if (crop) {
    GstVideoCropMeta *added = gst_buffer_add_video_crop_meta (copy);
    added->x = crop->x;
    added->y = crop->y;
    added->width = crop->width;
    added->height = crop->height;
  }
  return copy;
}

static inline void
vbg_structure_set_uint64 (GstStructure *structure, const char *name, guint64 value)
{
  gst_structure_set (structure, name, G_TYPE_UINT64, value, NULL);
}

static inline void
vbg_structure_set_double (GstStructure *structure, const char *name, double value)
{
  gst_structure_set (structure, name, G_TYPE_DOUBLE, value, NULL);
}

static inline void
vbg_structure_set_boolean (GstStructure *structure, const char *name, gboolean value)
{
  gst_structure_set (structure, name, G_TYPE_BOOLEAN, value, NULL);
}

static inline void
vbg_structure_set_string (GstStructure *structure, const char *name, const char *value)
{
  gst_structure_set (structure, name, G_TYPE_STRING, value, NULL);
}

G_END_DECLS

#pragma clang assume_nonnull end

#endif
