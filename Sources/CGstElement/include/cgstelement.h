/* The C class of all elements that are written in Swift. It registers GTypes derived from
 * GstVideoFilter, and takes their vfuncs from a table of functions. It has no properties and no
 * policy. */
#ifndef CGSTELEMENT_H
#define CGSTELEMENT_H

#include "../../CGStreamer/shim.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

/* The optional vfuncs that a type overrides. If a bit is not set, the type inherits the base
 * class's vfunc, because GstBaseTransform checks which vfuncs a class has. Every type overrides
 * set_property, get_property, start, stop and set_info. */
typedef enum
{
  CGST_VFUNC_CHANGE_STATE = 1 << 0,
  CGST_VFUNC_TRANSFORM_CAPS = 1 << 1,
  CGST_VFUNC_FIXATE_CAPS = 1 << 2,
  CGST_VFUNC_SET_CAPS = 1 << 3,
  CGST_VFUNC_SINK_EVENT = 1 << 4,
  CGST_VFUNC_SRC_EVENT = 1 << 5,
  CGST_VFUNC_SUBMIT_INPUT_BUFFER = 1 << 6,
  CGST_VFUNC_GENERATE_OUTPUT = 1 << 7,
  CGST_VFUNC_BEFORE_TRANSFORM = 1 << 8,
  CGST_VFUNC_TRANSFORM_META = 1 << 9,
  CGST_VFUNC_TRANSFORM = 1 << 10,
  CGST_VFUNC_TRANSFORM_IP = 1 << 11,
  /* Also calls transform_ip for buffers that pass through, which are not writable. */
  CGST_VFUNC_TRANSFORM_IP_ON_PASSTHROUGH = 1 << 12,
  /* The type implements GstChildProxy. */
  CGST_VFUNC_CHILD_PROXY = 1 << 13,
  CGST_VFUNC_QUERY = 1 << 14,
  /* The type implements GstPreset, with GStreamer's own functions. */
  CGST_VFUNC_PRESET = 1 << 15,
} CGstVfunc;

/* The functions of all types, implemented in Swift. `kind` is the argument with this name of
 * cgst_element_register. */
typedef struct
{
  /* Installs properties, pad templates and metadata. */
  void (*_Nonnull class_init) (gpointer kind, GstElementClass *class);
  /* Creates the Swift object of an element. The element outlives the object. */
  gpointer _Nonnull (*_Nonnull instance_init) (gpointer kind, GstVideoFilter *filter);
  /* Releases the object that instance_init returned. */
  void (*_Nonnull finalize) (gpointer object);

  /* The vfuncs, as GStreamer declares them. */
  void (*_Nonnull set_property) (GObject *element, guint id, const GValue *value, GParamSpec *spec);
  void (*_Nonnull get_property) (GObject *element, guint id, GValue *value, GParamSpec *spec);
  GstStateChangeReturn (*_Nonnull change_state) (GstElement *element, GstStateChange transition);
  gboolean (*_Nonnull start) (GstBaseTransform *element);
  gboolean (*_Nonnull stop) (GstBaseTransform *element);
  GstCaps *_Nullable (*_Nonnull transform_caps) (GstBaseTransform *element, GstPadDirection direction,
      GstCaps *caps, GstCaps *_Nullable filter);
  GstCaps *_Nullable (*_Nonnull fixate_caps) (GstBaseTransform *element, GstPadDirection direction,
      GstCaps *caps, GstCaps *other);
  gboolean (*_Nonnull set_caps) (GstBaseTransform *element, GstCaps *input, GstCaps *output);
  gboolean (*_Nonnull set_info) (GstVideoFilter *element, GstCaps *input_caps, GstVideoInfo *input,
      GstCaps *output_caps, GstVideoInfo *output);
  gboolean (*_Nonnull sink_event) (GstBaseTransform *element, GstEvent *event);
  gboolean (*_Nonnull src_event) (GstBaseTransform *element, GstEvent *event);
  gboolean (*_Nonnull query) (GstBaseTransform *element, GstPadDirection direction, GstQuery *query);
  GstFlowReturn (*_Nonnull submit_input_buffer) (GstBaseTransform *element, gboolean is_discont,
      GstBuffer *input);
  GstFlowReturn (*_Nonnull generate_output) (GstBaseTransform *element,
      GstBuffer *_Nullable *_Nonnull output);
  void (*_Nonnull before_transform) (GstBaseTransform *element, GstBuffer *buffer);
  gboolean (*_Nonnull transform_meta) (GstBaseTransform *element, GstBuffer *output, GstMeta *meta,
      GstBuffer *input);
  GstFlowReturn (*_Nonnull transform) (GstBaseTransform *element, GstBuffer *input,
      GstBuffer *output);
  GstFlowReturn (*_Nonnull transform_ip) (GstBaseTransform *element, GstBuffer *buffer);
  guint (*_Nonnull get_children_count) (GstChildProxy *element);
  /* The caller owns the result. NULL if the index is too large. */
  GObject *_Nullable (*_Nonnull get_child_by_index) (GstChildProxy *element, guint index);
} CGstElementFunctions;

/* Registers a type under an unused name. Returns the type, or 0 if GObject refuses it. Never free
 * `kind` and `functions`, because GObject never frees the type. */
GType cgst_element_register (const char *name, gpointer kind, guint vfuncs,
    const CGstElementFunctions *functions);

/* Returns the class that all types derive from, or NULL before the class of the first type is
 * initialized. */
GstBaseTransformClass *cgst_element_parent_class (void);

/* Returns the object that instance_init returned for an element. The element keeps ownership.
 * cgst_element_register must have registered the type of the element. */
gpointer cgst_element_get_object (gpointer element);

/* Returns whether this copy of the code registered the type of an element. Another plugin may
 * contain another copy. */
gboolean cgst_element_is_ours (GstElement *element);

G_END_DECLS

#pragma clang assume_nonnull end

#endif
