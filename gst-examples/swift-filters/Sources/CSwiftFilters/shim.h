/* GStreamer for FilterPicker. The functions below wrap macros and variadic functions, which Swift cannot
   call. */
#include <gst/app/app.h>
#include <gst/gst.h>
#include <gst/video/video.h>

/* Sets a string property of an element. */
static inline void
swiftfilters_set_text (GstElement *element, const gchar *property, const gchar *value)
{
  g_object_set (element, property, value, NULL);
}

/* Returns a string property of an element, or NULL. The caller frees it. */
static inline gchar *
swiftfilters_get_text (GstElement *element, const gchar *property)
{
  gchar *text = NULL;
  g_object_get (element, property, &text, NULL);
  return text;
}

/* Sets a string property of a child element. `property` has the form "child::property". */
static inline void
swiftfilters_set_child_text (GstElement *element, const gchar *property, const gchar *value)
{
  gst_child_proxy_set (GST_CHILD_PROXY (element), property, value, NULL);
}

/* Returns a structure property of an element, or NULL. The caller frees it. */
static inline GstStructure *
swiftfilters_get_structure (GstElement *element, const gchar *property)
{
  GstStructure *structure = NULL;
  g_object_get (element, property, &structure, NULL);
  return structure;
}

/* Returns the element of a pipeline with this name, or NULL. The caller unreferences it. */
static inline GstElement *
swiftfilters_find (GstElement *pipeline, const gchar *name)
{
  return GST_IS_BIN (pipeline) ? gst_bin_get_by_name (GST_BIN (pipeline), name) : NULL;
}

/* Swift does not import the enumerations of a header that two modules contain, and vbgfilter also has a
   module with GStreamer's headers. So the following functions use these enumerations in C. */

/* Creates a pipeline from its description. Returns NULL and sets `error` on failure. Without the flag,
   the function would return a pipeline without a missing element. */
static inline GstElement *
swiftfilters_parse (const gchar *description, GError **error)
{
  return gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
}

static inline void
swiftfilters_play (GstElement *pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
}

static inline void
swiftfilters_stop (GstElement *pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* The kind of a message. */
typedef enum
{
  SWIFTFILTERS_END,
  SWIFTFILTERS_ERROR,
  SWIFTFILTERS_WARNING,
  SWIFTFILTERS_RESULT,
  SWIFTFILTERS_OTHER
} SwiftFiltersMessage;

static inline SwiftFiltersMessage
swiftfilters_message (GstMessage *message)
{
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_EOS:
      return SWIFTFILTERS_END;
    case GST_MESSAGE_ERROR:
      return SWIFTFILTERS_ERROR;
    case GST_MESSAGE_WARNING:
      return SWIFTFILTERS_WARNING;
    case GST_MESSAGE_ELEMENT:
      return SWIFTFILTERS_RESULT;
    default:
      return SWIFTFILTERS_OTHER;
  }
}

/* Maps the frame of a sample for reading. Returns FALSE on failure. */
static inline gboolean
swiftfilters_map (GstVideoFrame *frame, GstSample *sample)
{
  GstVideoInfo info;
  GstCaps *caps = gst_sample_get_caps (sample);
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  return caps != NULL && buffer != NULL && gst_video_info_from_caps (&info, caps) &&
      gst_video_frame_map (frame, &info, buffer, GST_MAP_READ);
}

/* Returns the next sample of an appsink, or NULL if no sample arrives within `patience` nanoseconds. The
   caller unreferences it. */
static inline GstSample *
swiftfilters_pull (GstElement *sink, GstClockTime patience)
{
  return GST_IS_APP_SINK (sink) ? gst_app_sink_try_pull_sample (GST_APP_SINK (sink), patience) : NULL;
}

/* Appends a value to a text in readable form: doubles with two decimals, lists in brackets. */
static inline void
swiftfilters_write_value (GString *text, const GValue *value)
{
  if (G_VALUE_HOLDS_DOUBLE (value)) {
    g_string_append_printf (text, "%.2f", g_value_get_double (value));
  } else if (GST_VALUE_HOLDS_STRUCTURE (value)) {
    const GstStructure *structure = gst_value_get_structure (value);
    for (gint i = 0; structure != NULL && i < gst_structure_n_fields (structure); i++) {
      const gchar *name = gst_structure_nth_field_name (structure, (guint) i);
      g_string_append_printf (text, "%s%s ", i > 0 ? ", " : "", name);
      swiftfilters_write_value (text, gst_structure_get_value (structure, name));
    }
  } else if (GST_VALUE_HOLDS_LIST (value) || GST_VALUE_HOLDS_ARRAY (value)) {
    gboolean is_list = GST_VALUE_HOLDS_LIST (value);
    guint count = is_list ? gst_value_list_get_size (value) : gst_value_array_get_size (value);
    g_string_append_c (text, '[');
    for (guint i = 0; i < count; i++) {
      if (i > 0)
        g_string_append (text, "; ");
      swiftfilters_write_value (text,
          is_list ? gst_value_list_get_value (value, i) : gst_value_array_get_value (value, i));
    }
    g_string_append_c (text, ']');
  } else {
    gchar *plain = gst_value_serialize (value);
    g_string_append (text, plain != NULL ? plain : "?");
    g_free (plain);
  }
}

/* Returns a field of a structure in readable form. The caller frees the string. */
static inline gchar *
swiftfilters_describe (const GstStructure *structure, const gchar *field)
{
  GString *text = g_string_new (NULL);
  const GValue *value = gst_structure_get_value (structure, field);
  if (value != NULL)
    swiftfilters_write_value (text, value);
  return g_string_free (text, FALSE);
}
