/* Changes the background on key presses during playback, and prints the element's messages.
 *
 *   cc swap-backgrounds.c -o swap-backgrounds $(pkg-config --cflags --libs gstreamer-1.0)
 *   ./swap-backgrounds [--keys KEYS] INPUT BACKGROUND [BACKGROUND ...]
 *
 * INPUT is a video file, or "camera". Keys: 1 to 9 show a background, b blurs, c shows a colour,
 * o switches the effect off and on, q quits. On a terminal, press Return after a key. --keys
 * simulates key presses, one every half second.
 */
#include <glib-unix.h>
#include <gst/gst.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  GMainLoop *loop;
  GstElement *filter;
  gchar **backgrounds;
  const gchar *keys;            /* the remaining simulated keys */
  gboolean failed;
} App;

static void
press (App * app, gchar key)
{
  gboolean active;

  if (key >= '1' && key <= '9') {
    guint number = key - '1';

    if (number >= g_strv_length (app->backgrounds)) {
      g_print ("there is no background %c\n", key);
      return;
    }
    g_print ("background %s\n", app->backgrounds[number]);
    /* The background loads on a separate thread. The old effect stays until it is ready. */
    g_object_set (app->filter, "background-path", app->backgrounds[number], NULL);
    gst_util_set_object_arg (G_OBJECT (app->filter), "effect", "replace");
  } else if (key == 'b') {
    g_print ("blur\n");
    gst_util_set_object_arg (G_OBJECT (app->filter), "effect", "blur");
  } else if (key == 'c') {
    g_print ("a colour\n");
    gst_util_set_object_arg (G_OBJECT (app->filter), "effect", "color");
  } else if (key == 'o') {
    g_object_get (app->filter, "active", &active, NULL);
    g_print (active ? "off\n" : "on\n");
    g_object_set (app->filter, "active", !active, NULL);
  } else if (key == 'q') {
    g_main_loop_quit (app->loop);
  }
}

static gboolean
on_key (gint descriptor, GIOCondition condition, gpointer data)
{
  gchar key;

  (void) condition;
  if (read (descriptor, &key, 1) != 1)
    return G_SOURCE_REMOVE;     /* standard input is closed */
  press (data, key);
  return G_SOURCE_CONTINUE;
}

static gboolean
press_next (gpointer data)
{
  App *app = data;

  if (*app->keys == '\0')
    return G_SOURCE_REMOVE;
  press (app, *app->keys++);
  return G_SOURCE_CONTINUE;
}

static void
print_statistics (const GstStructure * stats)
{
  guint64 in = 0, out = 0, dropped = 0, time = 0;
  gdouble rate = 0, coverage = 0;
  gboolean present = FALSE;

  gst_structure_get (stats, "frames-in", G_TYPE_UINT64, &in,
      "frames-out", G_TYPE_UINT64, &out, "dropped", G_TYPE_UINT64, &dropped,
      "inference-time", G_TYPE_UINT64, &time, "inference-rate", G_TYPE_DOUBLE, &rate,
      "matte-coverage", G_TYPE_DOUBLE, &coverage,
      "person-present", G_TYPE_BOOLEAN, &present, NULL);
  g_print ("%" G_GUINT64_FORMAT " frames in, %" G_GUINT64_FORMAT " out, %"
      G_GUINT64_FORMAT " dropped; %s: %.1f inferences per second of %.1f ms; %s, %.0f %% of "
      "the picture\n", in, out, dropped, gst_structure_get_string (stats, "quality"),
      rate, (gdouble) time / GST_MSECOND, present ? "a person" : "no person", 100 * coverage);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  App *app = data;
  GError *error = NULL;

  (void) bus;
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      app->failed = TRUE;
      g_main_loop_quit (app->loop);
      break;
    case GST_MESSAGE_WARNING:
      /* The previous effect stays in use. */
      gst_message_parse_warning (message, &error, NULL);
      break;
    case GST_MESSAGE_EOS:
      g_main_loop_quit (app->loop);
      break;
    case GST_MESSAGE_ELEMENT:
      if (gst_message_has_name (message, "vbgfilter-stats"))
        print_statistics (gst_message_get_structure (message));
      break;
    default:
      break;
  }
  if (error != NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
  }
  return G_SOURCE_CONTINUE;
}

/* Creates the pipeline. On failure prints the reason and returns NULL. */
static GstElement *
make_pipeline (const gchar * input)
{
  const gchar *camera = "v4l2src name=source", *file = "filesrc name=source";
  gboolean is_camera = strcmp (input, "camera") == 0;
  gboolean has_display = g_getenv ("DISPLAY") || g_getenv ("WAYLAND_DISPLAY");
  gchar *description = g_strdup_printf ("%s ! decodebin ! videoconvert ! "
      "video/x-raw,format=NV12 ! vbgfilter name=filter stats-interval=1000 ! "
      "queue ! videoconvert ! %s", is_camera ? camera : file,
      has_display ? "autovideosink" : "fakesink sync=true");
  GError *error = NULL;
  /* Without this flag, the function would return a pipeline without the missing element. */
  GstElement *pipeline = gst_parse_launch_full (description, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);

  g_free (description);
  if (pipeline == NULL) {
    g_printerr ("%s: is GST_PLUGIN_PATH set?\n", error->message);
    g_error_free (error);
  } else if (!is_camera) {
    GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
    g_object_set (source, "location", input, NULL);
    gst_object_unref (source);
  }
  return pipeline;
}

int
main (int argc, char **argv)
{
  gchar *keys = NULL;
  gchar **arguments = NULL;
  const GOptionEntry entries[] = {
    {"keys", 0, 0, G_OPTION_ARG_STRING, &keys, "Keys to press automatically", "KEYS"},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments, NULL,
        "INPUT BACKGROUND [BACKGROUND ...]"},
    {NULL, 0, 0, 0, NULL, NULL, NULL}
  };
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;
  App app = { 0 };
  GstElement *pipeline;
  GstBus *bus;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    g_option_context_free (context);
    return 1;
  }
  g_option_context_free (context);
  if (arguments == NULL || g_strv_length (arguments) < 2) {
    g_printerr ("usage: %s [--keys KEYS] INPUT BACKGROUND [BACKGROUND ...]\n", argv[0]);
    g_strfreev (arguments);
    g_free (keys);
    return 1;
  }

  pipeline = make_pipeline (arguments[0]);
  if (pipeline == NULL) {
    g_strfreev (arguments);
    g_free (keys);
    return 1;
  }
  app.loop = g_main_loop_new (NULL, FALSE);
  app.filter = gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  app.backgrounds = arguments + 1;
  app.keys = keys != NULL ? keys : "";
  bus = gst_element_get_bus (pipeline);
  gst_bus_add_watch (bus, on_message, &app);
  g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP, on_key, &app);
  g_timeout_add (500, press_next, &app);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_main_loop_run (app.loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (app.filter);
  gst_object_unref (pipeline);
  g_main_loop_unref (app.loop);
  g_strfreev (arguments);
  g_free (keys);
  return app.failed ? 1 : 0;
}
