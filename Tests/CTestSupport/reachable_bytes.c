#include "reachable_bytes.h"

#include <gst/video/gstvideometa.h>
#include <gst/video/video.h>
#include <string.h>

typedef struct
{
  ReachFunc func;
  gpointer data;
  /* The path to the current value. */
  GString *place;
} Walk;

static void reach_value (Walk * walk, const char *name, const GValue * value);
static void reach_buffer_at (Walk * walk, const char *name, GstBuffer * buffer);

static gsize
enter (Walk * walk, const char *name)
{
  gsize length = walk->place->len;

  g_string_append_printf (walk->place, " > %s", name);
  return length;
}

static void
leave (Walk * walk, gsize length)
{
  g_string_truncate (walk->place, length);
}

static void
show (Walk * walk, const char *name, gconstpointer bytes, gsize size)
{
  gsize length = enter (walk, name);

  walk->func (walk->place->str, bytes, size, walk->data);
  leave (walk, length);
}

static void
reach_structure (Walk * walk, const char *name, const GstStructure * structure)
{
  gsize length = enter (walk, name);
  gint i, n = structure ? gst_structure_n_fields (structure) : 0;

  for (i = 0; i < n; i++) {
    const gchar *field = gst_structure_nth_field_name (structure, i);

    reach_value (walk, field, gst_structure_get_value (structure, field));
  }
  leave (walk, length);
}

static void
reach_caps (Walk * walk, const char *name, GstCaps * caps)
{
  guint i;

  for (i = 0; caps && i < gst_caps_get_size (caps); i++)
    reach_structure (walk, name, gst_caps_get_structure (caps, i));
}

static void
reach_tags (Walk * walk, const char *name, const GstTagList * tags)
{
  gsize length = enter (walk, name);
  gint i, n = tags ? gst_tag_list_n_tags (tags) : 0;

  for (i = 0; i < n; i++) {
    const gchar *tag = gst_tag_list_nth_tag_name (tags, i);
    guint j;

    for (j = 0; j < gst_tag_list_get_tag_size (tags, tag); j++)
      reach_value (walk, tag, gst_tag_list_get_value_index (tags, tag, j));
  }
  leave (walk, length);
}

static void
reach_toc_entries (Walk * walk, GList * entries)
{
  gsize length = enter (walk, "entry");

  for (; entries; entries = entries->next) {
    reach_tags (walk, "tags", gst_toc_entry_get_tags (entries->data));
    reach_toc_entries (walk, gst_toc_entry_get_sub_entries (entries->data));
  }
  leave (walk, length);
}

static void
reach_stream (Walk * walk, GstStream * stream)
{
  gsize length = enter (walk, "stream");
  GstCaps *caps = gst_stream_get_caps (stream);
  GstTagList *tags = gst_stream_get_tags (stream);

  reach_caps (walk, "caps", caps);
  reach_tags (walk, "tags", tags);
  gst_clear_caps (&caps);
  gst_clear_tag_list (&tags);
  leave (walk, length);
}

static void
reach_sample (Walk * walk, const char *name, GstSample * sample)
{
  gsize length = enter (walk, name);

  if (gst_sample_get_buffer (sample))
    reach_buffer_at (walk, "buffer", gst_sample_get_buffer (sample));
  reach_caps (walk, "caps", gst_sample_get_caps (sample));
  reach_structure (walk, "info", gst_sample_get_info (sample));
  leave (walk, length);
}

static void
reach_value (Walk * walk, const char *name, const GValue * value)
{
  gpointer content;
  guint i;

  if (G_VALUE_HOLDS_STRING (value)) {
    const gchar *text = g_value_get_string (value);

    if (text)
      show (walk, name, text, strlen (text));
  } else if (GST_VALUE_HOLDS_LIST (value)) {
    for (i = 0; i < gst_value_list_get_size (value); i++)
      reach_value (walk, name, gst_value_list_get_value (value, i));
  } else if (GST_VALUE_HOLDS_ARRAY (value)) {
    for (i = 0; i < gst_value_array_get_size (value); i++)
      reach_value (walk, name, gst_value_array_get_value (value, i));
  } else if (G_VALUE_HOLDS_BOXED (value)) {
    content = g_value_get_boxed (value);
    if (!content)
      return;
    if (GST_VALUE_HOLDS_BUFFER (value)) {
      reach_buffer_at (walk, name, content);
    } else if (GST_VALUE_HOLDS_SAMPLE (value)) {
      reach_sample (walk, name, content);
    } else if (G_VALUE_HOLDS (value, GST_TYPE_TAG_LIST)) {
      reach_tags (walk, name, content);
    } else if (GST_VALUE_HOLDS_STRUCTURE (value)) {
      reach_structure (walk, name, content);
    } else if (GST_VALUE_HOLDS_CAPS (value)) {
      reach_caps (walk, name, content);
    } else if (G_VALUE_HOLDS (value, GST_TYPE_BUFFER_LIST)) {
      for (i = 0; i < gst_buffer_list_length (content); i++)
        reach_buffer_at (walk, name, gst_buffer_list_get (content, i));
    } else if (G_VALUE_HOLDS (value, GST_TYPE_TOC)) {
      reach_tags (walk, name, gst_toc_get_tags (content));
      reach_toc_entries (walk, gst_toc_get_entries (content));
    } else if (G_VALUE_HOLDS (value, GST_TYPE_MESSAGE)) {
      reach_structure (walk, name, gst_message_get_structure (content));
    } else if (G_VALUE_HOLDS (value, G_TYPE_BYTES)) {
      gsize size;
      gconstpointer bytes = g_bytes_get_data (content, &size);

      show (walk, name, bytes, size);
    } else if (!G_VALUE_HOLDS (value, G_TYPE_ERROR) && !G_VALUE_HOLDS (value, GST_TYPE_SEGMENT)
        && !G_VALUE_HOLDS (value, GST_TYPE_DATE_TIME) && !G_VALUE_HOLDS (value, G_TYPE_DATE)
        && !G_VALUE_HOLDS (value, GST_TYPE_CAPS_FEATURES)) {
      show (walk, G_VALUE_TYPE_NAME (value), NULL, 0);
    }
  } else if (G_VALUE_HOLDS_OBJECT (value)) {
    content = g_value_get_object (value);
    if (GST_IS_STREAM (content)) {
      reach_stream (walk, content);
    } else if (GST_IS_STREAM_COLLECTION (content)) {
      for (i = 0; i < gst_stream_collection_get_size (content); i++)
        reach_stream (walk, gst_stream_collection_get_stream (content, i));
    } else if (content && !GST_IS_ELEMENT (content) && !GST_IS_PAD (content)
        && !GST_IS_CLOCK (content) && !GST_IS_TASK (content)) {
      show (walk, G_VALUE_TYPE_NAME (value), NULL, 0);
    }
  } else if (G_VALUE_HOLDS_POINTER (value) || G_VALUE_HOLDS_VARIANT (value)) {
    show (walk, G_VALUE_TYPE_NAME (value), NULL, 0);
  }
}

static void
reach_overlay (Walk * walk, GstVideoOverlayComposition * composition)
{
  guint i;

  for (i = 0; i < gst_video_overlay_composition_n_rectangles (composition); i++) {
    GstVideoOverlayRectangle *each =
        gst_video_overlay_composition_get_rectangle (composition, i);

    reach_buffer_at (walk, "rectangle",
        gst_video_overlay_rectangle_get_pixels_unscaled_raw (each,
            GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE));
  }
}

/* Metas that contain only numbers, and GstAnalyticsRelationMeta, of which the mask buffer is not visited. */
static gboolean
is_harmless (const char *name)
{
  return g_str_equal (name, "GstVideoMetaAPI") || g_str_equal (name, "GstVideoCropMetaAPI")
      || g_str_equal (name, "GstVideoTimeCodeMetaAPI") || g_str_equal (name, "GstVideoAFDMetaAPI")
      || g_str_equal (name, "GstVideoBarMetaAPI")
      || g_str_equal (name, "GstVideoAffineTransformationAPI")
      || g_str_equal (name, "GstAnalyticsRelationMetaAPI");
}

static void
reach_meta (Walk * walk, GstMeta * meta)
{
  const char *name = g_type_name (meta->info->api);
  gsize length = enter (walk, name);

  if (meta->info->api == GST_PARENT_BUFFER_META_API_TYPE) {
    reach_buffer_at (walk, "parent", ((GstParentBufferMeta *) meta)->buffer);
  } else if (gst_meta_info_is_custom (meta->info)) {
    reach_structure (walk, "structure",
        gst_custom_meta_get_structure ((GstCustomMeta *) meta));
  } else if (meta->info->api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE) {
    GList *each;

    for (each = ((GstVideoRegionOfInterestMeta *) meta)->params; each; each = each->next)
      reach_structure (walk, "parameter", each->data);
  } else if (meta->info->api == GST_REFERENCE_TIMESTAMP_META_API_TYPE) {
    reach_caps (walk, "reference", ((GstReferenceTimestampMeta *) meta)->reference);
  } else if (meta->info->api == GST_VIDEO_CAPTION_META_API_TYPE) {
    show (walk, "captions", ((GstVideoCaptionMeta *) meta)->data,
        ((GstVideoCaptionMeta *) meta)->size);
  } else if (meta->info->api == GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE) {
    reach_overlay (walk, ((GstVideoOverlayCompositionMeta *) meta)->overlay);
  } else if (g_str_equal (name, "GstVBGMatteMetaAPI")) {
    /* The first member after the GstMeta, see vbgmattemeta.h. */
    reach_buffer_at (walk, "alpha", *(GstBuffer **) (meta + 1));
  } else if (!is_harmless (name)) {
    show (walk, "content", NULL, 0);
  }
  leave (walk, length);
}

static void
reach_memory (Walk * walk, GstMemory * memory)
{
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, GST_MAP_READ)) {
    show (walk, "unmappable memory", NULL, 0);
    return;
  }
  show (walk, "memory", map.data - memory->offset, memory->maxsize);
  gst_memory_unmap (memory, &map);
}

static void
reach_buffer_at (Walk * walk, const char *name, GstBuffer * buffer)
{
  gsize length = enter (walk, name);
  gpointer state = NULL;
  GstMeta *meta;
  guint i;

  for (i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *each = gst_buffer_peek_memory (buffer, i);

    for (; each; each = each->parent)
      reach_memory (walk, each);
  }
  while ((meta = gst_buffer_iterate_meta (buffer, &state)))
    reach_meta (walk, meta);
  leave (walk, length);
}

#define WALK(name, call) \
  Walk walk = { func, data, g_string_new (name) }; \
  call; \
  g_string_free (walk.place, TRUE)

void
reach_buffer (GstBuffer * buffer, ReachFunc func, gpointer data)
{
  WALK ("frame", reach_buffer_at (&walk, "buffer", buffer));
}

void
reach_event (GstEvent * event, ReachFunc func, gpointer data)
{
  WALK (GST_EVENT_TYPE_NAME (event), reach_structure (&walk, "event",
          gst_event_get_structure (event)));
}

void
reach_message (GstMessage * message, ReachFunc func, gpointer data)
{
  WALK (GST_MESSAGE_TYPE_NAME (message), reach_structure (&walk, "message",
          gst_message_get_structure (message)));
}

static gboolean
reach_kept_event (GstPad * pad, GstEvent ** event, gpointer walk)
{
  (void) pad;
  reach_structure (walk, GST_EVENT_TYPE_NAME (*event), gst_event_get_structure (*event));
  return TRUE;
}

void
reach_pad (GstPad * pad, ReachFunc func, gpointer data)
{
  WALK ("kept by the pad", gst_pad_sticky_events_foreach (pad, reach_kept_event, &walk));
}
