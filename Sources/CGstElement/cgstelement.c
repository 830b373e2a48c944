#include "cgstelement.h"

typedef struct
{
  GstVideoFilter parent;
  gpointer object;              /* from instance_init to finalize */
} CGstElement;

/* What a type was registered with; never freed, as a type is not. */
typedef struct
{
  gpointer kind;
  guint vfuncs;
  const CGstElementFunctions *functions;
} CGstElementType;

typedef struct
{
  GstVideoFilterClass parent;
  const CGstElementType *type;
} CGstElementClass;

/* All types are derived from GstVideoFilter directly, so they share their parent. */
static GObjectClass *parent_class;

#define OBJECT(instance) (((CGstElement *) (gpointer) (instance))->object)
#define FUNCTIONS(instance) \
    (((CGstElementClass *) (gpointer) G_OBJECT_GET_CLASS (instance))->type->functions)

/* ---- GObject ------------------------------------------------------------------------------- */

static void
cgst_element_set_property (GObject * object, guint id, const GValue * value, GParamSpec * spec)
{
  (void) spec;
  FUNCTIONS (object)->set_property (OBJECT (object), id, value);
}

static void
cgst_element_get_property (GObject * object, guint id, GValue * value, GParamSpec * spec)
{
  (void) spec;
  FUNCTIONS (object)->get_property (OBJECT (object), id, value);
}

static void
cgst_element_finalize (GObject * object)
{
  FUNCTIONS (object)->finalize (OBJECT (object));
  parent_class->finalize (object);
}

/* ---- GstElement and GstBaseTransform ------------------------------------------------------- */

static GstStateChangeReturn
cgst_element_change_state (GstElement * element, GstStateChange transition)
{
  return FUNCTIONS (element)->change_state (OBJECT (element), transition);
}

static gboolean
cgst_element_start (GstBaseTransform * transform)
{
  return FUNCTIONS (transform)->start (OBJECT (transform));
}

static gboolean
cgst_element_stop (GstBaseTransform * transform)
{
  FUNCTIONS (transform)->stop (OBJECT (transform));
  return TRUE;
}

static GstCaps *
cgst_element_transform_caps (GstBaseTransform * transform, GstPadDirection direction,
    GstCaps * caps, GstCaps * filter)
{
  return FUNCTIONS (transform)->transform_caps (OBJECT (transform), direction, caps, filter);
}

static GstCaps *
cgst_element_fixate_caps (GstBaseTransform * transform, GstPadDirection direction,
    GstCaps * caps, GstCaps * other)
{
  return FUNCTIONS (transform)->fixate_caps (OBJECT (transform), direction, caps, other);
}

static gboolean
cgst_element_set_caps (GstBaseTransform * transform, GstCaps * input, GstCaps * output)
{
  return FUNCTIONS (transform)->set_caps (OBJECT (transform), input, output);
}

static gboolean
cgst_element_set_info (GstVideoFilter * filter, GstCaps * input_caps, GstVideoInfo * input,
    GstCaps * output_caps, GstVideoInfo * output)
{
  (void) input_caps;
  (void) output_caps;
  return FUNCTIONS (filter)->set_info (OBJECT (filter), input, output);
}

static gboolean
cgst_element_sink_event (GstBaseTransform * transform, GstEvent * event)
{
  return FUNCTIONS (transform)->sink_event (OBJECT (transform), event);
}

static gboolean
cgst_element_src_event (GstBaseTransform * transform, GstEvent * event)
{
  return FUNCTIONS (transform)->src_event (OBJECT (transform), event);
}

static GstFlowReturn
cgst_element_submit_input_buffer (GstBaseTransform * transform, gboolean is_discont,
    GstBuffer * input)
{
  return FUNCTIONS (transform)->submit_input_buffer (OBJECT (transform), is_discont, input);
}

static GstFlowReturn
cgst_element_generate_output (GstBaseTransform * transform, GstBuffer ** output)
{
  return FUNCTIONS (transform)->generate_output (OBJECT (transform), output);
}

static void
cgst_element_before_transform (GstBaseTransform * transform, GstBuffer * buffer)
{
  FUNCTIONS (transform)->before_transform (OBJECT (transform), buffer);
}

static GstFlowReturn
cgst_element_prepare_output_buffer (GstBaseTransform * transform, GstBuffer * input,
    GstBuffer ** output)
{
  return FUNCTIONS (transform)->prepare_output_buffer (OBJECT (transform), input, output);
}

static gboolean
cgst_element_transform_meta (GstBaseTransform * transform, GstBuffer * output, GstMeta * meta,
    GstBuffer * input)
{
  return FUNCTIONS (transform)->transform_meta (OBJECT (transform), output, meta, input);
}

static GstFlowReturn
cgst_element_transform (GstBaseTransform * transform, GstBuffer * input, GstBuffer * output)
{
  return FUNCTIONS (transform)->transform (OBJECT (transform), input, output);
}

static GstFlowReturn
cgst_element_transform_ip (GstBaseTransform * transform, GstBuffer * buffer)
{
  return FUNCTIONS (transform)->transform_ip (OBJECT (transform), buffer);
}

/* Never called. GstVideoFilter takes the presence of this function for the wish to see frames that
 * pass through, and sets transform_ip_on_passthrough by it whenever there are new caps. */
static GstFlowReturn
cgst_element_transform_frame_ip (GstVideoFilter * filter, GstVideoFrame * frame)
{
  (void) filter;
  (void) frame;
  return GST_FLOW_NOT_SUPPORTED;
}

/* ---- GstChildProxy ------------------------------------------------------------------------- */

static guint
cgst_element_get_children_count (GstChildProxy * proxy)
{
  return FUNCTIONS (proxy)->child_count (OBJECT (proxy));
}

static GObject *
cgst_element_get_child_by_index (GstChildProxy * proxy, guint index)
{
  GstElement *child = FUNCTIONS (proxy)->child (OBJECT (proxy), index);

  return child ? (GObject *) gst_object_ref (child) : NULL;
}

static void
cgst_child_proxy_init (gpointer interface, gpointer data)
{
  GstChildProxyInterface *proxy = (GstChildProxyInterface *) interface;

  (void) data;
  proxy->get_children_count = cgst_element_get_children_count;
  proxy->get_child_by_index = cgst_element_get_child_by_index;
}

/* ---- class and instance -------------------------------------------------------------------- */

static void
cgst_element_class_init (gpointer class, gpointer data)
{
  const CGstElementType *type = (const CGstElementType *) data;
  GObjectClass *object = G_OBJECT_CLASS (class);
  GstElementClass *element = GST_ELEMENT_CLASS (class);
  GstBaseTransformClass *transform = GST_BASE_TRANSFORM_CLASS (class);
  GstVideoFilterClass *filter = GST_VIDEO_FILTER_CLASS (class);

  parent_class = (GObjectClass *) g_type_class_peek_parent (class);
  ((CGstElementClass *) class)->type = type;

  object->set_property = cgst_element_set_property;
  object->get_property = cgst_element_get_property;
  object->finalize = cgst_element_finalize;

  transform->start = GST_DEBUG_FUNCPTR (cgst_element_start);
  transform->stop = GST_DEBUG_FUNCPTR (cgst_element_stop);
  transform->before_transform = GST_DEBUG_FUNCPTR (cgst_element_before_transform);
  filter->set_info = GST_DEBUG_FUNCPTR (cgst_element_set_info);
  transform->passthrough_on_same_caps = FALSE;
  /* GstVideoFilter's own send a frame on as it came when they cannot map it. */
  transform->transform = NULL;
  transform->transform_ip = NULL;

#define OVERRIDE(vfunc, base, member) \
  if (type->vfuncs & (vfunc)) \
    base->member = GST_DEBUG_FUNCPTR (cgst_element_##member)

  OVERRIDE (CGST_VFUNC_CHANGE_STATE, element, change_state);
  OVERRIDE (CGST_VFUNC_TRANSFORM_CAPS, transform, transform_caps);
  OVERRIDE (CGST_VFUNC_FIXATE_CAPS, transform, fixate_caps);
  OVERRIDE (CGST_VFUNC_SET_CAPS, transform, set_caps);
  OVERRIDE (CGST_VFUNC_SINK_EVENT, transform, sink_event);
  OVERRIDE (CGST_VFUNC_SRC_EVENT, transform, src_event);
  OVERRIDE (CGST_VFUNC_SUBMIT_INPUT_BUFFER, transform, submit_input_buffer);
  OVERRIDE (CGST_VFUNC_GENERATE_OUTPUT, transform, generate_output);
  OVERRIDE (CGST_VFUNC_PREPARE_OUTPUT_BUFFER, transform, prepare_output_buffer);
  OVERRIDE (CGST_VFUNC_TRANSFORM_META, transform, transform_meta);
  OVERRIDE (CGST_VFUNC_TRANSFORM, transform, transform);
  OVERRIDE (CGST_VFUNC_TRANSFORM_IP, transform, transform_ip);
  OVERRIDE (CGST_VFUNC_TRANSFORM_IP_ON_PASSTHROUGH, filter, transform_frame_ip);
  transform->transform_ip_on_passthrough =
      (type->vfuncs & CGST_VFUNC_TRANSFORM_IP_ON_PASSTHROUGH) != 0;

#undef OVERRIDE

  type->functions->class_init (type->kind, element);
}

static void
cgst_element_instance_init (GTypeInstance * instance, gpointer class)
{
  const CGstElementType *type = ((CGstElementClass *) class)->type;

  OBJECT (instance) = type->functions->instance_init (type->kind, (GstVideoFilter *) instance);
}

GType
cgst_element_register (const char *name, gpointer kind, guint vfuncs,
    const CGstElementFunctions * functions)
{
  static const GInterfaceInfo child_proxy = { cgst_child_proxy_init, NULL, NULL };
  GTypeInfo info = { 0 };
  CGstElementType *data = g_new0 (CGstElementType, 1);
  GType type;

  data->kind = kind;
  data->vfuncs = vfuncs;
  data->functions = functions;
  info.class_size = sizeof (CGstElementClass);
  info.class_init = cgst_element_class_init;
  info.class_data = data;
  info.instance_size = sizeof (CGstElement);
  info.instance_init = cgst_element_instance_init;
  type = g_type_register_static (GST_TYPE_VIDEO_FILTER, name, &info, (GTypeFlags) 0);
  if (type != 0 && (vfuncs & CGST_VFUNC_CHILD_PROXY))
    g_type_add_interface_static (type, GST_TYPE_CHILD_PROXY, &child_proxy);
  return type;
}

GstBaseTransformClass *
cgst_element_parent_class (void)
{
  return (GstBaseTransformClass *) (gpointer) parent_class;
}

gpointer
cgst_element_get_object (GstElement * element)
{
  /* Another copy of this code, in another plugin, has another finalize. */
  if (((GObjectClass *) G_OBJECT_GET_CLASS (element))->finalize != cgst_element_finalize)
    return NULL;
  return OBJECT (element);
}
