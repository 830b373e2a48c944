/* The C class of all elements that are written in Swift. It registers GTypes derived from
 * GstVideoFilter, and takes their vfuncs from a table of functions. It has no properties and no
 * policy. */
#ifndef CGSTELEMENT_H
#define CGSTELEMENT_H

#include "../../CGStreamer/shim.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

/* The functions of a type. A function that is NULL is inherited from the base class, because
 * GstBaseTransform checks which vfuncs a class has.
 *
 * Threads: set_property, get_property, get_children_count, get_child_by_index, transform_caps and
 * src_event run on any thread. So do query, except for allocation queries, and sink_event for flush
 * events. change_state, start and stop run on the thread that changes the element's state. All
 * others run on the streaming thread. */
typedef struct
{
  /* Also calls transform_ip for buffers that pass through, which are not writable. */
  gboolean sees_passthrough;
  /* The type implements GstPreset, with GStreamer's own functions. */
  gboolean has_presets;

  /* The functions that all types share. `kind` is the argument with this name of
   * cgst_element_register. */

  /* Installs properties, pad templates and metadata. */
  void (*_Nullable class_init) (gpointer kind, GstElementClass *class);
  /* Creates the Swift object of an element. The element outlives the object. */
  gpointer _Nonnull (*_Nullable instance_init) (gpointer kind, GstVideoFilter *filter);
  /* Releases the object that instance_init returned. */
  void (*_Nullable finalize) (gpointer object);
  void (*_Nullable set_property) (GObject *element, guint id, const GValue *value, GParamSpec *spec);
  void (*_Nullable get_property) (GObject *element, guint id, GValue *value, GParamSpec *spec);

  /* The vfuncs of a type, as GStreamer declares them. */
  GstStateChangeReturn (*_Nullable change_state) (GstElement *element, GstStateChange transition);
  gboolean (*_Nullable start) (GstBaseTransform *element);
  gboolean (*_Nullable stop) (GstBaseTransform *element);
  GstCaps *_Nullable (*_Nullable transform_caps) (GstBaseTransform *element, GstPadDirection direction,
      GstCaps *caps, GstCaps *_Nullable filter);
  GstCaps *_Nullable (*_Nullable fixate_caps) (GstBaseTransform *element, GstPadDirection direction,
      GstCaps *caps, GstCaps *other);
  gboolean (*_Nullable set_caps) (GstBaseTransform *element, GstCaps *input, GstCaps *output);
  gboolean (*_Nullable set_info) (GstVideoFilter *element, GstCaps *input_caps, GstVideoInfo *input,
      GstCaps *output_caps, GstVideoInfo *output);
  gboolean (*_Nullable sink_event) (GstBaseTransform *element, GstEvent *event);
  gboolean (*_Nullable src_event) (GstBaseTransform *element, GstEvent *event);
  gboolean (*_Nullable query) (GstBaseTransform *element, GstPadDirection direction, GstQuery *query);
  GstFlowReturn (*_Nullable submit_input_buffer) (GstBaseTransform *element, gboolean is_discont,
      GstBuffer *input);
  GstFlowReturn (*_Nullable generate_output) (GstBaseTransform *element,
      GstBuffer *_Nullable *_Nonnull output);
  void (*_Nullable before_transform) (GstBaseTransform *element, GstBuffer *buffer);
  gboolean (*_Nullable transform_meta) (GstBaseTransform *element, GstBuffer *output, GstMeta *meta,
      GstBuffer *input);
  GstFlowReturn (*_Nullable transform) (GstBaseTransform *element, GstBuffer *input,
      GstBuffer *output);
  GstFlowReturn (*_Nullable transform_ip) (GstBaseTransform *element, GstBuffer *buffer);
  /* A type with these functions implements GstChildProxy. */
  guint (*_Nullable get_children_count) (GstChildProxy *element);
  /* The caller owns the result. NULL if the index is too large. */
  GObject *_Nullable (*_Nullable get_child_by_index) (GstChildProxy *element, guint index);
} CGstElementFunctions;

/* Registers a type under an unused name, with a copy of `functions`. Returns the type, or 0 if
 * GObject refuses it. Never free `kind`, because GObject never frees the type. */
GType cgst_element_register (const char *name, gpointer kind,
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
