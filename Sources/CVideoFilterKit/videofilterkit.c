#include "videofilterkit.h"

struct _VFKElement
{
  GstVideoFilter parent;
  gpointer object;              /* the Swift object, from instance_init to finalize */
};

struct _VFKElementClass
{
  GstVideoFilterClass parent;
  gpointer kind;                /* a Swift object that is never given back */
};

/* What class_init is told; never freed, as the class is not. */
typedef struct
{
  gpointer kind;
  gboolean sees_passthrough;
} VFKClassData;

/* All classes are derived from GstVideoFilter directly, so they share their parent. */
static GObjectClass *parent_class;

#define ELEMENT(instance) ((VFKElement *) (gpointer) (instance))

/* ---- GObject ------------------------------------------------------------------------------- */

static void
vfk_element_set_property (GObject * object, guint id, const GValue * value, GParamSpec * spec)
{
  (void) spec;
  vfk_object_set_property (ELEMENT (object)->object, id, value);
}

static void
vfk_element_get_property (GObject * object, guint id, GValue * value, GParamSpec * spec)
{
  (void) spec;
  vfk_object_get_property (ELEMENT (object)->object, id, value);
}

static void
vfk_element_finalize (GObject * object)
{
  vfk_object_free (ELEMENT (object)->object);
  parent_class->finalize (object);
}

/* ---- GstElement and GstBaseTransform ------------------------------------------------------- */

static GstStateChangeReturn
vfk_element_change_state (GstElement * element, GstStateChange transition)
{
  /* Before the parent takes the pads out of service, for which the streaming thread is waited for. */
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    vfk_object_interrupt (ELEMENT (element)->object);
  return GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
}

static gboolean
vfk_element_sink_event (GstBaseTransform * transform, GstEvent * event)
{
  GstEventType type = GST_EVENT_TYPE (event);

  if (type == GST_EVENT_FLUSH_START || type == GST_EVENT_FLUSH_STOP)
    vfk_object_set_flushing (ELEMENT (transform)->object, type == GST_EVENT_FLUSH_START);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (transform, event);
}

static gboolean
vfk_element_start (GstBaseTransform * transform)
{
  return vfk_object_start (ELEMENT (transform)->object);
}

static gboolean
vfk_element_stop (GstBaseTransform * transform)
{
  vfk_object_stop (ELEMENT (transform)->object);
  return TRUE;
}

static void
vfk_element_before_transform (GstBaseTransform * transform, GstBuffer * buffer)
{
  vfk_object_before_transform (ELEMENT (transform)->object, buffer);
}

static GstFlowReturn
vfk_element_transform_ip (GstBaseTransform * transform, GstBuffer * buffer)
{
  return vfk_object_transform (ELEMENT (transform)->object, buffer);
}

static gboolean
vfk_element_set_info (GstVideoFilter * filter, GstCaps * in_caps, GstVideoInfo * in_info,
    GstCaps * out_caps, GstVideoInfo * out_info)
{
  (void) in_caps;
  (void) out_caps;
  (void) out_info;
  return vfk_object_set_info (ELEMENT (filter)->object, in_info);
}

/* Never called. GstVideoFilter takes the presence of this function for the wish to see frames that
 * pass through, and sets transform_ip_on_passthrough by it whenever there are new caps. */
static GstFlowReturn
vfk_element_transform_frame_ip (GstVideoFilter * filter, GstVideoFrame * frame)
{
  (void) filter;
  (void) frame;
  return GST_FLOW_NOT_SUPPORTED;
}

/* ---- GstChildProxy ------------------------------------------------------------------------- */

static guint
vfk_element_get_children_count (GstChildProxy * proxy)
{
  return vfk_object_child_count (ELEMENT (proxy)->object);
}

static GObject *
vfk_element_get_child_by_index (GstChildProxy * proxy, guint index)
{
  GstElement *child = vfk_object_child (ELEMENT (proxy)->object, index);

  return child ? (GObject *) gst_object_ref (child) : NULL;
}

static void
vfk_child_proxy_init (gpointer interface, gpointer data)
{
  GstChildProxyInterface *proxy = (GstChildProxyInterface *) interface;

  (void) data;
  proxy->get_children_count = vfk_element_get_children_count;
  proxy->get_child_by_index = vfk_element_get_child_by_index;
}

/* ---- class and instance -------------------------------------------------------------------- */

static void
vfk_element_class_init (gpointer class, gpointer data)
{
  VFKClassData *class_data = (VFKClassData *) data;
  GObjectClass *object = G_OBJECT_CLASS (class);
  GstBaseTransformClass *transform = GST_BASE_TRANSFORM_CLASS (class);

  parent_class = (GObjectClass *) g_type_class_peek_parent (class);
  ((VFKElementClass *) class)->kind = class_data->kind;

  object->set_property = vfk_element_set_property;
  object->get_property = vfk_element_get_property;
  object->finalize = vfk_element_finalize;
  GST_ELEMENT_CLASS (class)->change_state = GST_DEBUG_FUNCPTR (vfk_element_change_state);

  /* Always in place. GstVideoFilter's own transform_ip says nothing of the frames that it cannot
   * map, so it is not used. */
  transform->transform = NULL;
  transform->transform_ip = GST_DEBUG_FUNCPTR (vfk_element_transform_ip);
  transform->transform_ip_on_passthrough = class_data->sees_passthrough;
  if (class_data->sees_passthrough)
    GST_VIDEO_FILTER_CLASS (class)->transform_frame_ip = vfk_element_transform_frame_ip;
  transform->passthrough_on_same_caps = FALSE;
  transform->start = GST_DEBUG_FUNCPTR (vfk_element_start);
  transform->stop = GST_DEBUG_FUNCPTR (vfk_element_stop);
  transform->sink_event = GST_DEBUG_FUNCPTR (vfk_element_sink_event);
  transform->before_transform = GST_DEBUG_FUNCPTR (vfk_element_before_transform);
  GST_VIDEO_FILTER_CLASS (class)->set_info = GST_DEBUG_FUNCPTR (vfk_element_set_info);

  vfk_kind_set_up_class (class_data->kind, (VFKElementClass *) class);
}

static void
vfk_element_init (GTypeInstance * instance, gpointer class)
{
  ELEMENT (instance)->object =
      vfk_object_new (((VFKElementClass *) class)->kind, ELEMENT (instance));
}

GType
vfk_type_register (const char *name, gpointer kind, gboolean sees_passthrough,
    gboolean has_children)
{
  static const GInterfaceInfo child_proxy = { vfk_child_proxy_init, NULL, NULL };
  GTypeInfo info = { 0 };
  VFKClassData *data = g_new0 (VFKClassData, 1);
  GType type;

  data->kind = kind;
  data->sees_passthrough = sees_passthrough;
  info.class_size = sizeof (VFKElementClass);
  info.class_init = vfk_element_class_init;
  info.class_data = data;
  info.instance_size = sizeof (VFKElement);
  info.instance_init = vfk_element_init;
  type = g_type_register_static (GST_TYPE_VIDEO_FILTER, name, &info, (GTypeFlags) 0);
  if (has_children)
    g_type_add_interface_static (type, GST_TYPE_CHILD_PROXY, &child_proxy);
  return type;
}

gpointer
vfk_element_get_object (GstElement * element)
{
  /* Another copy of this code, in another plugin, has another class_init. */
  if (((GObjectClass *) G_OBJECT_GET_CLASS (element))->finalize != vfk_element_finalize)
    return NULL;
  return ELEMENT (element)->object;
}
