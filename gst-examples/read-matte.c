/* Reads the mattes that vbgfilter attaches to its frames. The program is not linked with vbgfilter.
 *
 *   cc read-matte.c -o read-matte -I$PREFIX/include $(pkg-config --cflags --libs gstreamer-1.0)
 *   ./read-matte VIDEO-OF-A-PERSON
 *
 * Once per second of video, the program prints which part of the picture the person covers. It also
 * supports cameras: ./read-matte /dev/video0
 */
#include <gst/gst.h>
#include <vbgfilter/vbgmattemeta.h>

typedef struct
{
  GMainLoop *loop;
  guint mattes;
  gint64 last_second;
  gboolean failed;
} Reader;

/* Returns the mean of the matte: 0 without a person, 1 if the person fills the picture. */
static gdouble
coverage (const GstVBGMatteMeta * matte, const guint8 * samples)
{
  guint64 sum = 0;
  guint x, y;

  for (y = 0; y < matte->height; y++)
    for (x = 0; x < matte->width; x++)
      sum += samples[(gsize) y * matte->stride + x];
  return sum / (255.0 * matte->width * matte->height);
}

/* GStreamer calls this on the streaming thread. */
static void
read_matte (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  Reader *reader = data;
  GstVBGMatteMeta *matte = gst_buffer_get_vbg_matte_meta (buffer);
  gint64 second = (gint64) (GST_BUFFER_PTS (buffer) / GST_SECOND);
  GstMapInfo map;

  (void) sink;
  (void) pad;
  /* A frame without a matte, which vbgfilter has hidden completely, has no meta. */
  if (matte == NULL || !gst_vbg_matte_meta_map (matte, &map))
    return;
  reader->mattes++;
  if (second != reader->last_second) {
    reader->last_second = second;
    g_print ("%" G_GINT64_FORMAT " s: matte of %ux%u for a frame of %ux%u, %s, %.1f %% person\n",
        second, matte->width, matte->height, matte->frame_width, matte->frame_height,
        matte->inferred ? "its own" : "an earlier one's", 100 * coverage (matte, map.data));
  }
  gst_vbg_matte_meta_unmap (matte, &map);
}

static gboolean
see_message (GstBus * bus, GstMessage * message, gpointer data)
{
  Reader *reader = data;

  (void) bus;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    reader->failed = TRUE;
    g_main_loop_quit (reader->loop);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    g_main_loop_quit (reader->loop);
  }
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  Reader reader = { NULL, 0, -1, FALSE };
  GstElement *pipeline, *element;
  GError *error = NULL;
  GstBus *bus;
  gchar *description;
  gboolean is_camera;

  gst_init (&argc, &argv);
  if (argc != 2) {
    g_printerr ("usage: %s VIDEO-OF-A-PERSON | /dev/videoN\n", argv[0]);
    return 1;
  }
  is_camera = g_str_has_prefix (argv[1], "/dev/");
  /* videoconvert and videoscale keep the meta. */
  description = g_strdup_printf ("%s name=source ! decodebin ! videoconvert ! "
      "video/x-raw,format=NV12 ! vbgfilter attach-matte=true target-fps=15 ! "
      "queue ! videoconvert ! videoscale ! video/x-raw,format=I420,width=320 ! "
      "fakesink name=sink signal-handoffs=true sync=%s",
      is_camera ? "v4l2src" : "filesrc", is_camera ? "true" : "false");
  /* Without this flag, the function would return a pipeline without the missing element. */
  pipeline = gst_parse_launch_full (description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  g_free (description);
  if (pipeline == NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    return 1;
  }
  element = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_object_set (element, is_camera ? "device" : "location", argv[1], NULL);
  gst_object_unref (element);
  element = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_signal_connect (element, "handoff", G_CALLBACK (read_matte), &reader);
  gst_object_unref (element);

  reader.loop = g_main_loop_new (NULL, FALSE);
  bus = gst_element_get_bus (pipeline);
  gst_bus_add_watch (bus, see_message, &reader);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_main_loop_run (reader.loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  g_main_loop_unref (reader.loop);
  g_print ("%u frames had a matte\n", reader.mattes);
  return reader.failed || reader.mattes == 0 ? 1 : 0;
}
