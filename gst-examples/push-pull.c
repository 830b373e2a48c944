/* Pushes frames into vbgfilter from an application and pulls the results.
 *
 *   cc push-pull.c -o push-pull $(pkg-config --cflags --libs gstreamer-app-1.0 gstreamer-video-1.0)
 *   ./push-pull [PICTURE-OF-A-PERSON]
 *
 * An application that has frames already (from a camera SDK or a renderer) needs no camera element.
 * It pushes its frames into an appsrc and pulls the results from an appsink. In this example all
 * frames are copies of one picture, or grey without a picture.
 */
#include <gst/app/app.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#define WIDTH 640
#define HEIGHT 360
#define FRAMES 30

/* Creates a pipeline from its description. On failure prints the reason and returns NULL. */
static GstElement *
parse (const gchar * description)
{
  GError *error = NULL;
  /* Without this flag, the function would return a pipeline without the missing element. */
  GstElement *pipeline = gst_parse_launch_full (description, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (pipeline == NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
  }
  return pipeline;
}

/* Returns the picture as an NV12 frame, or NULL if it cannot be decoded. */
static GstSample *
decode (const gchar * path)
{
  GstElement *pipeline, *sink;
  GstSample *sample = NULL;
  gchar *description = g_strdup_printf ("filesrc name=file ! decodebin ! "
      "videoconvert ! videoscale ! "
      "video/x-raw,format=NV12,width=%d,height=%d,framerate=0/1 ! "
      "appsink name=out", WIDTH, HEIGHT);

  pipeline = parse (description);
  g_free (description);
  if (pipeline == NULL)
    return NULL;
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "file");
  g_object_set (sink, "location", path, NULL);
  gst_object_unref (sink);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  if (gst_element_set_state (pipeline,
          GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
    sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink),
        10 * GST_SECOND);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return sample;
}

/* Returns whether the pipeline has posted an error, and prints that error. */
static gboolean
failed (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  gst_object_unref (bus);
  if (message != NULL) {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    gst_message_unref (message);
    return TRUE;
  }
  return FALSE;
}

int
main (int argc, char **argv)
{
  GstElement *pipeline, *source, *sink;
  GstSample *picture = NULL;
  GstCaps *caps;
  gint frame, received = 0;

  gst_init (&argc, &argv);
  if (argc > 1 && (picture = decode (argv[1])) == NULL) {
    g_printerr ("%s cannot be decoded\n", argv[1]);
    return 1;
  }

  pipeline = parse ("appsrc name=in format=time ! "
      "vbgfilter name=filter effect=color background-color=0xff204060 ! "
      "appsink name=out sync=false");
  if (pipeline == NULL) {
    if (picture != NULL)
      gst_sample_unref (picture);
    return 1;
  }
  source = gst_bin_get_by_name (GST_BIN (pipeline), "in");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "out");

  caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, "NV12",
      "width", G_TYPE_INT, WIDTH, "height", G_TYPE_INT, HEIGHT,
      "framerate", GST_TYPE_FRACTION, 30, 1, NULL);
  gst_app_src_set_caps (GST_APP_SRC (source), caps);
  gst_caps_unref (caps);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);

  for (frame = 0; frame < FRAMES; frame++) {
    GstBuffer *buffer;
    GstSample *sample;

    if (picture != NULL) {
      buffer = gst_buffer_copy_deep (gst_sample_get_buffer (picture));
    } else {
      buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT * 3 / 2, NULL);
      gst_buffer_memset (buffer, 0, 128, WIDTH * HEIGHT * 3 / 2);
    }
    GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (frame, GST_SECOND, 30);
    GST_BUFFER_DURATION (buffer) = gst_util_uint64_scale (1, GST_SECOND, 30);
    /* appsrc takes ownership of the buffer. */
    if (gst_app_src_push_buffer (GST_APP_SRC (source), buffer) != GST_FLOW_OK)
      break;

    sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), 10 * GST_SECOND);
    if (sample == NULL)
      break;
    received++;
    gst_sample_unref (sample);
  }
  gst_app_src_end_of_stream (GST_APP_SRC (source));
  g_print ("%d of %d frames came back\n", received, FRAMES);
  if (failed (pipeline))
    received = 0;

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (source);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  if (picture != NULL)
    gst_sample_unref (picture);
  return received == FRAMES ? 0 : 1;
}
