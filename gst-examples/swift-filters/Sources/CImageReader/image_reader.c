#include "image_reader.h"

#include <gst/gst.h>
#include <gst/app/app.h>

/* The most pixels on a side that are taken. */
#define LARGEST_SIDE 4096

struct ImageReader
{
  GstElement *pipeline;
  GstElement *sink;
  ImageReaderState state;
  char *reason;
  /* Mapped once it is done. */
  GstSample *sample;
  GstMapInfo map;
  int width;
  int height;
};

static ImageReaderState
fail (ImageReader * reader, const char *reason)
{
  reader->state = IMAGE_READER_FAILED;
  reader->reason = g_strdup (reason);
  return reader->state;
}

ImageReader *
image_reader_new (const char *path)
{
  ImageReader *reader = g_new0 (ImageReader, 1);
  GError *error = NULL;
  GstElement *source;

  if (!gst_init_check (NULL, NULL, &error)) {
    fail (reader, error != NULL ? error->message : "GStreamer does not start");
    g_clear_error (&error);
    return reader;
  }
  reader->pipeline = gst_parse_launch_full ("filesrc name=source ! pngdec ! videoconvert "
      "! video/x-raw,format=RGBA ! appsink name=sink sync=false max-buffers=1", NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (reader->pipeline == NULL) {
    fail (reader, error != NULL ? error->message : "elements are missing");
    g_clear_error (&error);
    return reader;
  }
  reader->sink = gst_bin_get_by_name (GST_BIN (reader->pipeline), "sink");
  source = gst_bin_get_by_name (GST_BIN (reader->pipeline), "source");
  g_object_set (source, "location", path, NULL);
  gst_object_unref (source);
  /* When it fails, the bus says why. */
  gst_element_set_state (reader->pipeline, GST_STATE_PLAYING);
  return reader;
}

void
image_reader_free (ImageReader * reader)
{
  if (reader->map.memory != NULL)
    gst_buffer_unmap (gst_sample_get_buffer (reader->sample), &reader->map);
  g_clear_pointer (&reader->sample, gst_sample_unref);
  if (reader->pipeline != NULL)
    gst_element_set_state (reader->pipeline, GST_STATE_NULL);
  gst_clear_object (&reader->sink);
  gst_clear_object (&reader->pipeline);
  g_free (reader->reason);
  g_free (reader);
}

/* Looks at what the appsink has got. */
static ImageReaderState
take (ImageReader * reader)
{
  GstCaps *caps = gst_sample_get_caps (reader->sample);
  GstBuffer *buffer = gst_sample_get_buffer (reader->sample);
  GstStructure *structure = caps != NULL ? gst_caps_get_structure (caps, 0) : NULL;

  if (buffer == NULL || structure == NULL
      || !gst_structure_get_int (structure, "width", &reader->width)
      || !gst_structure_get_int (structure, "height", &reader->height))
    return fail (reader, "it decodes to nothing");
  if (reader->width < 1 || reader->height < 1 || reader->width > LARGEST_SIDE
      || reader->height > LARGEST_SIDE)
    return fail (reader, "it has more than 4096 pixels on a side");
  if (!gst_buffer_map (buffer, &reader->map, GST_MAP_READ)) {
    reader->map.memory = NULL;
    return fail (reader, "its pixels cannot be read");
  }
  if (reader->map.size < (gsize) 4 * reader->width * reader->height)
    return fail (reader, "it decodes to less than a picture");
  reader->state = IMAGE_READER_DONE;
  return reader->state;
}

ImageReaderState
image_reader_poll (ImageReader * reader, uint64_t nanoseconds)
{
  GstBus *bus;
  GstMessage *message;
  GError *error = NULL;

  if (reader->state != IMAGE_READER_WORKING)
    return reader->state;
  reader->sample = gst_app_sink_try_pull_sample (GST_APP_SINK (reader->sink), nanoseconds);
  if (reader->sample != NULL)
    return take (reader);
  bus = gst_element_get_bus (reader->pipeline);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  gst_object_unref (bus);
  if (message != NULL) {
    gst_message_parse_error (message, &error, NULL);
    fail (reader, error != NULL ? error->message : "it cannot be decoded");
    g_clear_error (&error);
    gst_message_unref (message);
  } else if (gst_app_sink_is_eos (GST_APP_SINK (reader->sink))) {
    fail (reader, "it holds no picture");
  }
  return reader->state;
}

const char *
image_reader_reason (const ImageReader * reader)
{
  return reader->reason != NULL ? reader->reason : "it takes too long";
}

const uint8_t *
image_reader_pixels (const ImageReader * reader, int *width, int *height)
{
  *width = reader->width;
  *height = reader->height;
  return reader->state == IMAGE_READER_DONE ? reader->map.data : NULL;
}
