#include "cgstelement.h"

typedef struct
{
  GstVideoFilter parent;
  gpointer object;              /* from instance_init to finalize */
} CGstElement;

/* The arguments of cgst_element_register. Never freed, because GObject never frees the type. */
typedef struct
{
  gpointer kind;
  CGstElementFunctions functions;
} CGstElementType;

typedef struct
{
  GstVideoFilterClass parent;
  const CGstElementType *type;
} CGstElementClass;

/* All types derive directly from GstVideoFilter, so they share one parent class. */
static GObjectClass *parent_class;

static void
cgst_element_finalize (GObject * object)
{
  ((CGstElementClass *) (gpointer) G_OBJECT_GET_CLASS (object))->type->functions.finalize
      (cgst_element_get_object (object));
  parent_class->finalize (object);
}

/* Never called. On each caps change, GstVideoFilter sets transform_ip_on_passthrough if the class
 * has this function. */
static GstFlowReturn
cgst_element_transform_frame_ip (GstVideoFilter * filter, GstVideoFrame * frame)
{
  (void) filter;
  (void) frame;
  return GST_FLOW_NOT_SUPPORTED;
}

static void
cgst_child_proxy_init (gpointer interface, gpointer data)
{
  const CGstElementFunctions *functions = &((const CGstElementType *) data)->functions;
  GstChildProxyInterface *proxy = (GstChildProxyInterface *) interface;

  proxy->get_children_count = functions->get_children_count;
  proxy->get_child_by_index = functions->get_child_by_index;
}

static void
cgst_element_class_init (gpointer class, gpointer data)
{
  const CGstElementType *type = (const CGstElementType *) data;
  const CGstElementFunctions *functions = &type->functions;
  GObjectClass *object = G_OBJECT_CLASS (class);
  GstElementClass *element = GST_ELEMENT_CLASS (class);
  GstBaseTransformClass *transform = GST_BASE_TRANSFORM_CLASS (class);
  GstVideoFilterClass *filter = GST_VIDEO_FILTER_CLASS (class);

  parent_class = (GObjectClass *) g_type_class_peek_parent (class);
  ((CGstElementClass *) class)->type = type;

  object->set_property = functions->set_property;
  object->get_property = functions->get_property;
  object->finalize = cgst_element_finalize;
  transform->passthrough_on_same_caps = FALSE;
  /* GstVideoFilter's functions pass a frame on unchanged if they cannot map it. */
  transform->transform = NULL;
  transform->transform_ip = NULL;

#define OVERRIDE(base, member) \
  if (functions->member) \
    base->member = functions->member

  OVERRIDE (element, change_state);
  OVERRIDE (transform, start);
  OVERRIDE (transform, stop);
  OVERRIDE (transform, transform_caps);
  OVERRIDE (transform, fixate_caps);
  OVERRIDE (transform, set_caps);
  OVERRIDE (filter, set_info);
  OVERRIDE (transform, sink_event);
  OVERRIDE (transform, src_event);
  OVERRIDE (transform, query);
  OVERRIDE (transform, submit_input_buffer);
  OVERRIDE (transform, generate_output);
  OVERRIDE (transform, before_transform);
  OVERRIDE (transform, transform_meta);
  OVERRIDE (transform, transform);
  OVERRIDE (transform, transform_ip);
#undef OVERRIDE

  transform->transform_ip_on_passthrough = functions->sees_passthrough;
  if (functions->sees_passthrough)
    filter->transform_frame_ip = cgst_element_transform_frame_ip;
  functions->class_init (type->kind, element);
}

static void
cgst_element_instance_init (GTypeInstance * instance, gpointer class)
{
  const CGstElementType *type = ((CGstElementClass *) class)->type;

  ((CGstElement *) (gpointer) instance)->object =
      type->functions.instance_init (type->kind, (GstVideoFilter *) instance);
}

GType
cgst_element_register (const char *name, gpointer kind,
    const CGstElementFunctions * functions)
{
  GTypeInfo info = { 0 };
  GInterfaceInfo child_proxy = { cgst_child_proxy_init, NULL, NULL };
  const GInterfaceInfo preset = { NULL, NULL, NULL };
  CGstElementType *data = g_new0 (CGstElementType, 1);
  GType type;

  data->kind = kind;
  data->functions = *functions;
  info.class_size = sizeof (CGstElementClass);
  info.class_init = cgst_element_class_init;
  info.class_data = child_proxy.interface_data = data;
  info.instance_size = sizeof (CGstElement);
  info.instance_init = cgst_element_instance_init;
  type = g_type_register_static (GST_TYPE_VIDEO_FILTER, name, &info, (GTypeFlags) 0);
  if (type != 0 && functions->get_children_count)
    g_type_add_interface_static (type, GST_TYPE_CHILD_PROXY, &child_proxy);
  if (type != 0 && functions->has_presets)
    g_type_add_interface_static (type, GST_TYPE_PRESET, &preset);
  return type;
}

GstBaseTransformClass *
cgst_element_parent_class (void)
{
  return (GstBaseTransformClass *) (gpointer) parent_class;
}

gpointer
cgst_element_get_object (gpointer element)
{
  return ((CGstElement *) element)->object;
}

gboolean
cgst_element_is_ours (GstElement * element)
{
  /* Other plugins with a copy of this code have their own finalize function. */
  return ((GObjectClass *) G_OBJECT_GET_CLASS (element))->finalize == cgst_element_finalize;
}
