#include "vbgfilter.h"
#include "vbgmatte.h"

#define PACKAGE "vbgfilter"
#define VERSION "0.1.0"

GST_DEBUG_CATEGORY_STATIC (vbgfilter_debug);
#define GST_CAT_DEFAULT vbgfilter_debug

struct _GstVBGFilter
{
  GstVideoFilter parent;
  gpointer object;              /* the Swift object, from instance_init to finalize */
};

typedef struct
{
  GstVideoFilterClass parent;
} GstVBGFilterClass;

G_DEFINE_TYPE (GstVBGFilter, gst_vbg_filter, GST_TYPE_VIDEO_FILTER)

#define VBG_FILTER(instance) ((GstVBGFilter *) (gpointer) (instance))

/* ---- enum types ---------------------------------------------------------------------------- */

#define VBG_DEFINE_ENUM(name, function, ...) \
static GType \
function (void) \
{ \
  static const GEnumValue values[] = { __VA_ARGS__, {0, NULL, NULL} }; \
  static gsize type; \
  if (g_once_init_enter (&type)) { \
    GType new_type = g_enum_register_static (name, values); \
    g_once_init_leave (&type, new_type); \
  } \
  return (GType) type; \
}

VBG_DEFINE_ENUM ("GstVBGFilterEffect", vbg_effect_get_type,
    {VBG_EFFECT_AUTO, "Replace when there is a background-path, else blur", "auto"},
    {VBG_EFFECT_BLUR, "Blur the room", "blur"},
    {VBG_EFFECT_REPLACE, "Put the image or video of background-path behind the person", "replace"},
    {VBG_EFFECT_COLOR, "Put background-color behind the person", "color"},
    {VBG_EFFECT_TRANSPARENT, "Show the person alone, with alpha for whoever composes the picture",
        "transparent"},
    {VBG_EFFECT_MATTE, "Show the matte: white person, black room", "matte"},
    {VBG_EFFECT_NONE, "Let the picture through as it is", "none"})

VBG_DEFINE_ENUM ("GstVBGFilterPacing", vbg_pacing_get_type,
    {VBG_PACING_REUSE_MATTE, "Blend each frame, with the last matte, which moves with the picture", "reuse-matte"},
    {VBG_PACING_REPEAT_FRAME, "Send the last result again", "repeat-frame"},
    {VBG_PACING_DROP_FRAME, "Send nothing", "drop-frame"})

VBG_DEFINE_ENUM ("GstVBGFilterQuality", vbg_quality_get_type,
    {VBG_QUALITY_FAST, "MediaPipe selfie segmentation: about 1 ms a frame", "fast"},
    {VBG_QUALITY_BALANCED, "Robust Video Matting at 144 lines, else as fast", "balanced"},
    {VBG_QUALITY_ACCURATE, "Robust Video Matting at 288 lines, else as balanced", "accurate"})

VBG_DEFINE_ENUM ("GstVBGFilterFit", vbg_fit_get_type,
    {VBG_FIT_COVER, "Fill the frame and cut off what is over", "cover"},
    {VBG_FIT_CONTAIN, "Show the whole image, with background-color around it", "contain"},
    {VBG_FIT_STRETCH, "Fill the frame, whatever becomes of the proportions", "stretch"})

VBG_DEFINE_ENUM ("GstVBGFilterKeep", vbg_keep_get_type,
    {VBG_KEEP_EVERYONE, "Everyone", "everyone"},
    {VBG_KEEP_NEAREST, "The largest person, until another is clearly larger for a while", "nearest"},
    {VBG_KEEP_TRACKED, "The person who was there first, followed until they leave", "tracked"})

VBG_DEFINE_ENUM ("GstVBGFilterOnFailure", vbg_on_failure_get_type,
    {VBG_ON_FAILURE_BLUR, "Blur all of it beyond recognition", "blur"},
    {VBG_ON_FAILURE_COLOR, "Show background-color alone", "color"},
    {VBG_ON_FAILURE_HOLD, "Show the last good frame again", "hold"},
    {VBG_ON_FAILURE_DROP, "Drop the frame", "drop"},
    {VBG_ON_FAILURE_ERROR, "End the stream with an error", "error"})

/* ---- GObject ------------------------------------------------------------------------------- */

static void
gst_vbg_filter_set_property (GObject * object, guint id, const GValue * value, GParamSpec * spec)
{
  if (id < VBG_PROPERTY_EFFECT || id >= VBG_PROPERTY_STATS)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  else
    vbg_object_set_property (VBG_FILTER (object)->object, (VBGProperty) id, value);
}

static void
gst_vbg_filter_get_property (GObject * object, guint id, GValue * value, GParamSpec * spec)
{
  if (id < VBG_PROPERTY_EFFECT || id > VBG_PROPERTY_STATS)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
  else
    vbg_object_get_property (VBG_FILTER (object)->object, (VBGProperty) id, value);
}

static void
gst_vbg_filter_finalize (GObject * object)
{
  vbg_object_free (VBG_FILTER (object)->object);
  G_OBJECT_CLASS (gst_vbg_filter_parent_class)->finalize (object);
}

/* ---- GstElement and GstBaseTransform ------------------------------------------------------- */

static GstStateChangeReturn
gst_vbg_filter_change_state (GstElement * element, GstStateChange transition)
{
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    vbg_object_interrupt (VBG_FILTER (element)->object);
  return GST_ELEMENT_CLASS (gst_vbg_filter_parent_class)->change_state (element, transition);
}

static gboolean
gst_vbg_filter_start (GstBaseTransform * transform)
{
  return vbg_object_start (VBG_FILTER (transform)->object);
}

static gboolean
gst_vbg_filter_stop (GstBaseTransform * transform)
{
  vbg_object_stop (VBG_FILTER (transform)->object);
  return TRUE;
}

static GstCaps *
gst_vbg_filter_transform_caps (GstBaseTransform * transform, GstPadDirection direction,
    GstCaps * caps, GstCaps * filter)
{
  return vbg_object_transform_caps (VBG_FILTER (transform)->object, direction, caps, filter);
}

static GstCaps *
gst_vbg_filter_fixate_caps (GstBaseTransform * transform, GstPadDirection direction,
    GstCaps * caps, GstCaps * other)
{
  return vbg_object_fixate_caps (VBG_FILTER (transform)->object, direction, caps, other);
}

static gboolean
gst_vbg_filter_set_caps (GstBaseTransform * transform, GstCaps * in_caps, GstCaps * out_caps)
{
  if (!GST_BASE_TRANSFORM_CLASS (gst_vbg_filter_parent_class)->set_caps (transform, in_caps,
          out_caps))
    return FALSE;
  /* Not in set_info: after that GstVideoFilter decides once more. */
  gst_base_transform_set_in_place (transform, vbg_object_is_in_place (VBG_FILTER (
              transform)->object));
  return TRUE;
}

static gboolean
gst_vbg_filter_sink_event (GstBaseTransform * transform, GstEvent * event)
{
  return GST_BASE_TRANSFORM_CLASS (gst_vbg_filter_parent_class)->sink_event (transform,
      vbg_object_take_event (VBG_FILTER (transform)->object, event));
}

static gboolean
gst_vbg_filter_src_event (GstBaseTransform * transform, GstEvent * event)
{
  vbg_object_see_upstream_event (VBG_FILTER (transform)->object, event);
  return GST_BASE_TRANSFORM_CLASS (gst_vbg_filter_parent_class)->src_event (transform, event);
}

static void
gst_vbg_filter_before_transform (GstBaseTransform * transform, GstBuffer * buffer)
{
  vbg_object_before_transform (VBG_FILTER (transform)->object, buffer);
}

static GstFlowReturn
gst_vbg_filter_submit_input_buffer (GstBaseTransform * transform, gboolean is_discont,
    GstBuffer * input)
{
  GstFlowReturn flow = GST_BASE_TRANSFORM_CLASS (gst_vbg_filter_parent_class)->submit_input_buffer
      (transform, is_discont, input);

  if (flow == VBG_FLOW_DROPPED)
    vbg_object_note_late_drop (VBG_FILTER (transform)->object);
  return flow;
}

static GstFlowReturn
gst_vbg_filter_generate_output (GstBaseTransform * transform, GstBuffer ** output)
{
  gpointer object = VBG_FILTER (transform)->object;
  GstFlowReturn flow;

  /* Asked once more after each frame. */
  if (transform->queued_buf == NULL)
    return GST_FLOW_OK;
  if (vbg_object_drops (object, transform->queued_buf)) {
    gst_clear_buffer (&transform->queued_buf);
    vbg_object_note_result (object, VBG_FLOW_DROPPED);
    /* Nobody misses it, so the next one is not marked as discontinuous, as it would be after
     * VBG_FLOW_DROPPED. */
    return GST_FLOW_OK;
  }
  flow = GST_BASE_TRANSFORM_CLASS (gst_vbg_filter_parent_class)->generate_output (transform,
      output);
  vbg_object_note_result (object, flow);
  return flow;
}

static GstFlowReturn
gst_vbg_filter_prepare_output_buffer (GstBaseTransform * transform, GstBuffer * input,
    GstBuffer ** output)
{
  GstBaseTransformClass *parent = GST_BASE_TRANSFORM_CLASS (gst_vbg_filter_parent_class);
  GstBuffer *prepared;
  GstFlowReturn flow = parent->prepare_output_buffer (transform, input, output);

  if (flow != GST_FLOW_OK || *output == NULL || gst_base_transform_is_passthrough (transform))
    return flow;
  prepared = vbg_object_prepare_buffer (VBG_FILTER (transform)->object, *output, input);
  if (prepared == *output)
    return GST_FLOW_OK;
  if (prepared)
    parent->copy_metadata (transform, *output, prepared);
  if (*output != input)
    gst_buffer_unref (*output);
  *output = prepared;
  return prepared ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static gboolean
gst_vbg_filter_transform_meta (GstBaseTransform * transform, GstBuffer * output, GstMeta * meta,
    GstBuffer * input)
{
  (void) output;
  return vbg_object_carries_meta (VBG_FILTER (transform)->object, input, meta);
}

static GstFlowReturn
gst_vbg_filter_transform_ip (GstBaseTransform * transform, GstBuffer * buffer)
{
  return vbg_object_transform (VBG_FILTER (transform)->object, buffer, NULL);
}

static GstFlowReturn
gst_vbg_filter_transform (GstBaseTransform * transform, GstBuffer * input, GstBuffer * output)
{
  return vbg_object_transform (VBG_FILTER (transform)->object, output, input);
}

static gboolean
gst_vbg_filter_set_info (GstVideoFilter * filter, GstCaps * in_caps, GstVideoInfo * in_info,
    GstCaps * out_caps, GstVideoInfo * out_info)
{
  (void) in_caps;
  (void) out_caps;
  return vbg_object_set_info (VBG_FILTER (filter)->object, in_info, out_info);
}

/* ---- class and instance -------------------------------------------------------------------- */

#define VBG_SIZE "[ " G_STRINGIFY (VBG_MINIMUM_SIZE) ", " G_STRINGIFY (VBG_MAXIMUM_SIZE) " ]"
#define VBG_CAPS(formats) "video/x-raw, format = (string) { " formats " }, width = (int) " \
    VBG_SIZE ", height = (int) " VBG_SIZE ", framerate = " GST_VIDEO_FPS_RANGE

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS (VBG_CAPS (VBG_INPUT_FORMATS)));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS (VBG_CAPS (VBG_OUTPUT_FORMATS)));

static void
install_properties (GObjectClass * class)
{
  const GParamFlags playing =
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;
  const GParamFlags numeric = playing | GST_PARAM_CONTROLLABLE;
  const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY;

  g_object_class_install_property (class, VBG_PROPERTY_EFFECT,
      g_param_spec_enum ("effect", "Effect",
          "What becomes of the room behind the person",
          vbg_effect_get_type (), VBG_EFFECT_AUTO, playing));
  g_object_class_install_property (class, VBG_PROPERTY_BACKGROUND_PATH,
      g_param_spec_string ("background-path", "Background path",
          "Image or video (path or URI) to put behind the person; loaded beside the stream, "
          "the old background stays until it is ready", NULL, playing));
  g_object_class_install_property (class, VBG_PROPERTY_BACKGROUND_COLOR,
      g_param_spec_uint ("background-color", "Background color",
          "Colour for effect=color, on-failure=color, effect=transparent without alpha, around a contained image and behind a "
          "transparent one, as 0xAARRGGBB; the alpha is ignored",
          0, G_MAXUINT32, VBG_DEFAULT_BACKGROUND_COLOR, numeric));
  g_object_class_install_property (class, VBG_PROPERTY_BLUR_RADIUS,
      g_param_spec_double ("blur-radius", "Blur radius",
          "Sigma of the blur in pixels of a 720-line frame, scaled with the height of the frame: "
          "the same look at any size; 0 is sharp and shows the room, what is above 0 counts as 4 at "
          "least, and on small frames as 4 of their pixels",
          0.0, VBG_MAXIMUM_BLUR_RADIUS, VBG_DEFAULT_BLUR_RADIUS, numeric));
  g_object_class_install_property (class, VBG_PROPERTY_TARGET_FPS,
      g_param_spec_double ("target-fps", "Target fps",
          "Look for the person at most so many times a second; 0 means in every frame",
          0.0, VBG_MAXIMUM_TARGET_FPS, 0.0, numeric));
  g_object_class_install_property (class, VBG_PROPERTY_PACING,
      g_param_spec_enum ("pacing", "Pacing",
          "What is done with the frames in which target-fps lets nobody look for the person",
          vbg_pacing_get_type (), VBG_PACING_REUSE_MATTE, playing));
  g_object_class_install_property (class, VBG_PROPERTY_SKIP_STILL,
      g_param_spec_boolean ("skip-still", "Skip still",
          "Look for the person once a second only while nothing moves in the picture", FALSE,
          playing));
  g_object_class_install_property (class, VBG_PROPERTY_ACTIVE,
      g_param_spec_boolean ("active", "Active",
          "Hide the room; false lets the picture through as it is, at no cost", TRUE, playing));
  g_object_class_install_property (class, VBG_PROPERTY_QUALITY,
      g_param_spec_enum ("quality", "Quality",
          "How well the person is found, and at what cost; a network that is not installed is "
          "replaced by the next cheaper one (see stats)",
          vbg_quality_get_type (), VBG_QUALITY_BALANCED, playing));
  g_object_class_install_property (class, VBG_PROPERTY_MODEL,
      g_param_spec_string ("model", "Model",
          "A network's file (ONNX, TFLite or OpenVINO IR) to use instead of the one that quality "
          "chooses: a path, or the name of an installed one, u2netp.onnx for example", NULL,
          playing));
  g_object_class_install_property (class, VBG_PROPERTY_SUBJECTS,
      g_param_spec_string ("subjects", "Subjects",
          "What is kept, for networks that know classes: names joined by commas, person,dog for "
          "example; other networks keep what they know", VBG_DEFAULT_SUBJECTS, playing));
  g_object_class_install_property (class, VBG_PROPERTY_FIT,
      g_param_spec_enum ("fit", "Fit",
          "How an image of other proportions is brought into the frame",
          vbg_fit_get_type (), VBG_FIT_COVER, playing));
  g_object_class_install_property (class, VBG_PROPERTY_KEEP,
      g_param_spec_enum ("keep", "Keep",
          "Which people are shown; all others are hidden with the room",
          vbg_keep_get_type (), VBG_KEEP_EVERYONE, playing));
  g_object_class_install_property (class, VBG_PROPERTY_MATTE_GROW,
      g_param_spec_double ("matte-grow", "Matte grow",
          "Moves the edge of what is kept outward, in pixels of a 720-line frame; negative moves "
          "it inward", -VBG_MAXIMUM_MATTE_GROW, VBG_MAXIMUM_MATTE_GROW, 0.0, numeric));
  g_object_class_install_property (class, VBG_PROPERTY_MATTE_FEATHER,
      g_param_spec_double ("matte-feather", "Matte feather",
          "Width of a ramp outside of the edge of what is kept, in pixels of a 720-line frame; "
          "negative puts it inside",
          -VBG_MAXIMUM_MATTE_FEATHER, VBG_MAXIMUM_MATTE_FEATHER, 0.0, numeric));
  g_object_class_install_property (class, VBG_PROPERTY_SMOOTHING,
      g_param_spec_double ("smoothing", "Smoothing",
          "Steadiness of the matte from frame to frame: 0 is none, 1 the strongest",
          0.0, 1.0, VBG_DEFAULT_SMOOTHING, numeric));
  g_object_class_install_property (class, VBG_PROPERTY_DESPILL,
      g_param_spec_boolean ("despill", "Despill",
          "Takes the colour of the room out of the edge of what is kept", TRUE, playing));
  g_object_class_install_property (class, VBG_PROPERTY_LIGHT_WRAP,
      g_param_spec_double ("light-wrap", "Light wrap",
          "How much light of an image or colour falls on the rim of what stands before it: 0 is "
          "none, 1 the most", 0.0, 1.0, 0.0, numeric));
  g_object_class_install_property (class, VBG_PROPERTY_ON_FAILURE,
      g_param_spec_enum ("on-failure", "On failure",
          "What goes out instead of a frame in which the room cannot be told from the person",
          vbg_on_failure_get_type (), VBG_ON_FAILURE_BLUR, playing));
  g_object_class_install_property (class, VBG_PROPERTY_ADAPTIVE,
      g_param_spec_boolean ("adaptive", "Adaptive",
          "When frames are late or cpu-budget is exceeded, look for the person less often, then "
          "with a cheaper network; go back when there is room. Each step is a QoS message",
          FALSE, playing));
  g_object_class_install_property (class, VBG_PROPERTY_CPU_BUDGET,
      g_param_spec_double ("cpu-budget", "CPU budget",
          "With adaptive=true, the share of one core's time that may be used: 0.5 is half a core; "
          "0 is no limit", 0.0, VBG_MAXIMUM_CPU_BUDGET, 0.0, numeric));
  g_object_class_install_property (class, VBG_PROPERTY_ATTACH_MATTE,
      g_param_spec_boolean ("attach-matte", "Attach matte",
          "Attaches the matte to each frame that was composed with one, for other elements and the "
          "application: see vbgfilter/vbgmattemeta.h", FALSE, playing));
  g_object_class_install_property (class, VBG_PROPERTY_DEVICE,
      g_param_spec_string ("device", "Device",
          "OpenVINO's name of the device that runs the network, CPU or GPU for example",
          VBG_DEFAULT_DEVICE, ready));
  g_object_class_install_property (class, VBG_PROPERTY_THREADS,
      g_param_spec_uint ("threads", "Threads",
          "Threads of an inference, and of the pixel work of large frames; 0 means as many as there "
          "are cores to use",
          0, VBG_MAXIMUM_THREADS, 0, ready));
  g_object_class_install_property (class, VBG_PROPERTY_STATS_INTERVAL,
      g_param_spec_uint ("stats-interval", "Statistics interval",
          "Post stats as an element message every so many milliseconds; 0 means never",
          0, G_MAXUINT, 0, playing));
  g_object_class_install_property (class, VBG_PROPERTY_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Since the element started: frames in, out, dropped and repeated, inferences, failures; "
          "nanoseconds of the last frame's stages; inferences a second; network, quality and "
          "instruction set in use; how much of the picture the matte covers, and whether anybody "
          "is in it",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  gst_type_mark_as_plugin_api (vbg_effect_get_type (), (GstPluginAPIFlags) 0);
  gst_type_mark_as_plugin_api (vbg_pacing_get_type (), (GstPluginAPIFlags) 0);
  gst_type_mark_as_plugin_api (vbg_quality_get_type (), (GstPluginAPIFlags) 0);
  gst_type_mark_as_plugin_api (vbg_fit_get_type (), (GstPluginAPIFlags) 0);
  gst_type_mark_as_plugin_api (vbg_keep_get_type (), (GstPluginAPIFlags) 0);
  gst_type_mark_as_plugin_api (vbg_on_failure_get_type (), (GstPluginAPIFlags) 0);
}

static void
gst_vbg_filter_class_init (GstVBGFilterClass * class)
{
  GObjectClass *object = G_OBJECT_CLASS (class);
  GstElementClass *element = GST_ELEMENT_CLASS (class);
  GstBaseTransformClass *transform = GST_BASE_TRANSFORM_CLASS (class);

  object->set_property = gst_vbg_filter_set_property;
  object->get_property = gst_vbg_filter_get_property;
  object->finalize = gst_vbg_filter_finalize;
  install_properties (object);

  element->change_state = GST_DEBUG_FUNCPTR (gst_vbg_filter_change_state);
  gst_element_class_add_static_pad_template (element, &sink_template);
  gst_element_class_add_static_pad_template (element, &src_template);
  gst_element_class_set_static_metadata (element, "Virtual background", "Filter/Effect/Video",
      "Hides the room behind a person: blurs it or puts an image, a video or a colour in its place",
      "The vbgfilter authors");

  /* In place where the formats are the same. GstVideoFilter's own functions send a frame on as it came
   * when they cannot map it, so they are not used. */
  transform->transform = GST_DEBUG_FUNCPTR (gst_vbg_filter_transform);
  transform->transform_ip = GST_DEBUG_FUNCPTR (gst_vbg_filter_transform_ip);
  transform->transform_ip_on_passthrough = FALSE;
  transform->passthrough_on_same_caps = FALSE;
  transform->start = GST_DEBUG_FUNCPTR (gst_vbg_filter_start);
  transform->stop = GST_DEBUG_FUNCPTR (gst_vbg_filter_stop);
  transform->transform_caps = GST_DEBUG_FUNCPTR (gst_vbg_filter_transform_caps);
  transform->fixate_caps = GST_DEBUG_FUNCPTR (gst_vbg_filter_fixate_caps);
  transform->set_caps = GST_DEBUG_FUNCPTR (gst_vbg_filter_set_caps);
  transform->sink_event = GST_DEBUG_FUNCPTR (gst_vbg_filter_sink_event);
  transform->src_event = GST_DEBUG_FUNCPTR (gst_vbg_filter_src_event);
  transform->submit_input_buffer = GST_DEBUG_FUNCPTR (gst_vbg_filter_submit_input_buffer);
  transform->generate_output = GST_DEBUG_FUNCPTR (gst_vbg_filter_generate_output);
  transform->before_transform = GST_DEBUG_FUNCPTR (gst_vbg_filter_before_transform);
  transform->transform_meta = GST_DEBUG_FUNCPTR (gst_vbg_filter_transform_meta);
  transform->prepare_output_buffer = GST_DEBUG_FUNCPTR (gst_vbg_filter_prepare_output_buffer);
  GST_VIDEO_FILTER_CLASS (class)->set_info = GST_DEBUG_FUNCPTR (gst_vbg_filter_set_info);
}

static void
gst_vbg_filter_init (GstVBGFilter * filter)
{
  filter->object = vbg_object_new (filter);
}

gpointer
vbg_filter_get_object (GstElement * element)
{
  if (!G_TYPE_CHECK_INSTANCE_TYPE (element, gst_vbg_filter_get_type ()))
    return NULL;
  return VBG_FILTER (element)->object;
}

/* ---- debug log ----------------------------------------------------------------------------- */

gboolean
vbg_filter_logs (GstDebugLevel level)
{
  return vbgfilter_debug && level <= _gst_debug_min
      && level <= gst_debug_category_get_threshold (vbgfilter_debug);
}

void
vbg_filter_log (GstVBGFilter * filter, GstDebugLevel level, const char *file, const char *function,
    int line, const char *message)
{
  gst_debug_log_literal (vbgfilter_debug, level, file, function, line, G_OBJECT (filter), message);
}

/* ---- plugin -------------------------------------------------------------------------------- */

static gboolean
plugin_init (GstPlugin * plugin)
{
  GST_DEBUG_CATEGORY_INIT (vbgfilter_debug, "vbgfilter", 0, "virtual background");
  vbg_matte_meta_register ();
  return gst_element_register (plugin, "vbgfilter", GST_RANK_NONE, gst_vbg_filter_get_type ());
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, vbgfilter,
    "Hides the room behind a person in live video", plugin_init, VERSION, "LGPL", PACKAGE,
    "Unknown package origin")
