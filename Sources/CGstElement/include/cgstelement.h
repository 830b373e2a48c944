/* The C class of all elements that are written in Swift: it registers GTypes derived from
 * GstVideoFilter, whose vfuncs are the functions of a table. It has no properties and no policy. */
#ifndef CGSTELEMENT_H
#define CGSTELEMENT_H

#include "../../CGStreamer/shim.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

/* The optional vfuncs that a type overrides. Where a bit is not set, the base class's vfunc stays:
 * GstBaseTransform works differently by which vfuncs a class has. Always installed are set_property,
 * get_property, start, stop and set_info. */
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
  /* transform_ip is also called for buffers that pass through, which are not writable. */
  CGST_VFUNC_TRANSFORM_IP_ON_PASSTHROUGH = 1 << 12,
  /* The type implements GstChildProxy. */
  CGST_VFUNC_CHILD_PROXY = 1 << 13,
  CGST_VFUNC_QUERY = 1 << 14,
  /* The type implements GstPreset, with GStreamer's own functions. */
  CGST_VFUNC_PRESET = 1 << 15,
} CGstVfunc;

/* The functions of all types, which Swift implements. `kind` is the argument of
 * cgst_element_register. */
typedef struct
{
  /* Installs properties, pad templates and metadata. */
  void (*_Nonnull class_init) (gpointer kind, GstElementClass *class);
  /* Makes the object behind an element, which outlives it. */
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
  /* The caller owns the result; NULL for an index that is too large. */
  GObject *_Nullable (*_Nonnull get_child_by_index) (GstChildProxy *element, guint index);
} CGstElementFunctions;

/* Registers a type under a name that is not in use; 0 when GObject refuses it. `kind` and `functions`
 * must never be freed, as the type is not. */
GType cgst_element_register (const char *name, gpointer kind, guint vfuncs,
    const CGstElementFunctions *functions);

/* The class that all types are derived from; NULL until one of them has a class. */
GstBaseTransformClass *cgst_element_parent_class (void);

/* The object that instance_init returned for an element of such a type; borrowed. */
gpointer cgst_element_get_object (gpointer element);

/* Whether the type of an element was registered by this copy of the code, not by another plugin's. */
gboolean cgst_element_is_ours (GstElement *element);

G_END_DECLS

#pragma clang assume_nonnull end

#endif
