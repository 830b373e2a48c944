/* The part of a filter element that only C can say: the class of a GType, and GLib's macros. One C
 * class serves all elements; what tells them apart is their kind, a Swift object. Whatever decides
 * anything is written in Swift; the functions marked "in Swift" below are declared here and
 * implemented in GstVideoFilterKit. */
#ifndef VIDEOFILTERKIT_H
#define VIDEOFILTERKIT_H

#include <gst/gst.h>
#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

typedef struct _VFKElement VFKElement;
typedef struct _VFKElementClass VFKElementClass;

/* Registers a class of elements under a name that is not in use yet. `kind` is never given back, as
 * a GType is not either. With `sees_passthrough` frames that pass through unchanged are shown to
 * `vfk_object_transform` too; with `has_children` the elements are a GstChildProxy. */
GType vfk_type_register (const char *name, gpointer kind, gboolean sees_passthrough,
    gboolean has_children);

/* The Swift object behind an element whose class this copy of the code registered; NULL for any
 * other. */
gpointer _Nullable vfk_element_get_object (GstElement *element);

/* ---- in Swift ------------------------------------------------------------------------------ */

/* Installs properties, pad templates and description. */
void vfk_kind_set_up_class (gpointer kind, VFKElementClass *class);

/* The Swift object behind an element. Retained for the element by `new`, given back by `free`;
 * every other function borrows it. `element` outlives the object. */
gpointer vfk_object_new (gpointer kind, VFKElement *element);
void vfk_object_free (gpointer object);

void vfk_object_set_property (gpointer object, guint id, const GValue *value);
void vfk_object_get_property (gpointer object, guint id, GValue *value);

gboolean vfk_object_start (gpointer object);
void vfk_object_stop (gpointer object);
/* Ends the wait of the streaming thread, if there is one, and lets it wait no more until the next
 * start; on any thread. */
void vfk_object_interrupt (gpointer object);
/* The same, for as long as the stream is flushed. */
void vfk_object_set_flushing (gpointer object, gboolean is_flushing);
gboolean vfk_object_set_info (gpointer object, const GstVideoInfo *info);
/* Decides whether the buffer that comes next is passed through. */
void vfk_object_before_transform (gpointer object, GstBuffer *buffer);
/* Works on a buffer: writable, unless it is passed through. */
GstFlowReturn vfk_object_transform (gpointer object, GstBuffer *buffer);

guint vfk_object_child_count (gpointer object);
/* The child, which the object owns; NULL when there is none of that index. */
GstElement *_Nullable vfk_object_child (gpointer object, guint index);

/* ---- casts and macros for Swift ------------------------------------------------------------ */

static inline GstElement *
vfk_element (VFKElement *element)
{
  return (GstElement *) (gpointer) element;
}

static inline GstObject *
vfk_gst_object (VFKElement *element)
{
  return (GstObject *) (gpointer) element;
}

static inline GstBaseTransform *
vfk_base_transform (VFKElement *element)
{
  return (GstBaseTransform *) (gpointer) element;
}

static inline GObjectClass *
vfk_object_class (VFKElementClass *class)
{
  return (GObjectClass *) (gpointer) class;
}

static inline GstElementClass *
vfk_element_class (VFKElementClass *class)
{
  return (GstElementClass *) (gpointer) class;
}

/* Whether elements of any filter have a property of that name: `name` and `qos` for example. */
static inline gboolean
vfk_has_inherited_property (const char *name)
{
  GObjectClass *class = (GObjectClass *) g_type_class_ref (GST_TYPE_VIDEO_FILTER);
  gboolean found = g_object_class_find_property (class, name) != NULL;

  g_type_class_unref (class);
  return found;
}

/* Drops the frame, which is no error. */
static const GstFlowReturn VFK_FLOW_DROPPED = GST_FLOW_CUSTOM_SUCCESS;

static const GParamFlags VFK_PARAM_READABLE =
    (GParamFlags) (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
static const GParamFlags VFK_PARAM_PLAYING =
    (GParamFlags) (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING);
static const GParamFlags VFK_PARAM_NUMERIC =
    (GParamFlags) (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING
        | GST_PARAM_CONTROLLABLE);

/* Whether the debug log wants lines of a level. */
static inline gboolean
vfk_logs (GstDebugCategory *category, GstDebugLevel level)
{
  return level <= _gst_debug_min && level <= gst_debug_category_get_threshold (category);
}

/* A warning for whoever reads the program's output, where there is no element yet to post one. */
static inline void
vfk_warn (const char *text)
{
  g_log ("GstVideoFilterKit", G_LOG_LEVEL_WARNING, "%s", text);
}

static inline GType vfk_type_double (void) { return G_TYPE_DOUBLE; }
static inline GType vfk_type_int (void) { return G_TYPE_INT; }
static inline GType vfk_type_int64 (void) { return G_TYPE_INT64; }
static inline GType vfk_type_uint64 (void) { return G_TYPE_UINT64; }
static inline GType vfk_type_boolean (void) { return G_TYPE_BOOLEAN; }
static inline GType vfk_type_string (void) { return G_TYPE_STRING; }
static inline GType vfk_type_structure (void) { return GST_TYPE_STRUCTURE; }
static inline GType vfk_type_array (void) { return GST_TYPE_ARRAY; }

G_END_DECLS

#pragma clang assume_nonnull end

#endif
