#include "vbgmatte.h"

#include <string.h>

/* The attached matte is valid for any picture with the same contents. It may be scaled, but not
 * cropped or turned. GStreamer's filters read these tags. A filter that changes neither size nor
 * orientation copies the matte. videoscale calls `transform_matte`. All other filters drop the
 * matte. */
static const gchar *tags[] = {
  GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR, NULL
};

/* The tolerance for changes of the aspect ratio. It must exceed the effect of rounding to
 * pixels. */
#define GREATEST_DISTORTION 0.01

static const GstMetaInfo *matte_info;

static gboolean
init_matte (GstMeta * meta, gpointer parameters, GstBuffer * buffer)
{
  (void) parameters;
  (void) buffer;
  ((GstVBGMatteMeta *) meta)->alpha = NULL;
  return TRUE;
}

static void
free_matte (GstMeta * meta, GstBuffer * buffer)
{
  (void) buffer;
  gst_clear_buffer (&((GstVBGMatteMeta *) meta)->alpha);
}

static gdouble
proportions (const GstVideoInfo * info)
{
  return (gdouble) GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_PAR_N (info)
      / ((gdouble) GST_VIDEO_INFO_HEIGHT (info) * GST_VIDEO_INFO_PAR_D (info));
}

/* Returns whether the new picture has exactly the contents of the old picture. A different aspect
 * ratio can mean distortion or added borders, and videoscale does not report which. */
static gboolean
keeps_picture (GQuark type, gpointer data)
{
  if (GST_META_TRANSFORM_IS_COPY (type))
    return !((GstMetaTransformCopy *) data)->region;
  if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type)) {
    GstVideoMetaTransform *scale = data;
    gdouble ratio = proportions (scale->out_info) / proportions (scale->in_info);

    return ratio > 1 - GREATEST_DISTORTION && ratio < 1 + GREATEST_DISTORTION;
  }
  return FALSE;
}

static gboolean
transform_matte (GstBuffer * to, GstMeta * meta, GstBuffer * from, GQuark type, gpointer data)
{
  (void) from;
  return keeps_picture (type, data)
      && vbg_buffer_attach_matte (to, (const GstVBGMatteMeta *) meta);
}

/* Copies nothing: `transform_matte` also attaches the custom meta. */
static gboolean
transform_custom (GstBuffer * to, GstCustomMeta * meta, GstBuffer * from, GQuark type, gpointer data,
    gpointer user_data)
{
  (void) to;
  (void) meta;
  (void) from;
  (void) type;
  (void) data;
  (void) user_data;
  return TRUE;
}

void
vbg_matte_meta_register (void)
{
  static gsize done;

  if (g_once_init_enter (&done)) {
    GType api = gst_meta_api_type_register (GST_VBG_MATTE_META_API_NAME, tags);

    matte_info = gst_meta_register (api, "GstVBGMatteMeta", sizeof (GstVBGMatteMeta), init_matte,
        free_matte, transform_matte);
    gst_meta_register_custom (GST_VBG_MATTE_CUSTOM_META_NAME, tags, transform_custom, NULL, NULL);
    g_once_init_leave (&done, 1);
  }
}

gboolean
vbg_buffer_attach_matte (GstBuffer * buffer, const GstVBGMatteMeta * matte)
{
  GstVBGMatteMeta *attached;
  GstCustomMeta *custom;
  GstMeta meta;

  if (!gst_buffer_is_writable (buffer))
    return FALSE;
  vbg_buffer_detach_matte (buffer);
  attached = (GstVBGMatteMeta *) gst_buffer_add_meta (buffer, matte_info, NULL);
  meta = attached->meta;
  *attached = *matte;
  attached->meta = meta;
  gst_buffer_ref (attached->alpha);
  custom = gst_buffer_add_custom_meta (buffer, GST_VBG_MATTE_CUSTOM_META_NAME);
  gst_structure_set (gst_custom_meta_get_structure (custom), "alpha", GST_TYPE_BUFFER, matte->alpha,
      "width", G_TYPE_UINT, matte->width, "height", G_TYPE_UINT, matte->height,
      "stride", G_TYPE_UINT, matte->stride, "frame-width", G_TYPE_UINT, matte->frame_width,
      "frame-height", G_TYPE_UINT, matte->frame_height, "step", G_TYPE_UINT, matte->step,
      "pts", G_TYPE_UINT64, matte->pts, "inferred", G_TYPE_BOOLEAN, matte->inferred, NULL);
  return TRUE;
}

void
vbg_buffer_detach_matte (GstBuffer * buffer)
{
  GstMeta *old;

  if (!gst_buffer_is_writable (buffer))
    return;
  while ((old = gst_buffer_get_meta (buffer, matte_info->api)) != NULL
      || (old = (GstMeta *) gst_buffer_get_custom_meta (buffer, GST_VBG_MATTE_CUSTOM_META_NAME)) != NULL)
    if (!gst_buffer_remove_meta (buffer, old))
      break;
}

GstBuffer *
vbg_gray_buffer_new (guint width, guint height)
{
  GstVideoInfo info;
  GstBuffer *buffer;
  GstMapInfo map;

  if (!gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, width, height))
    return NULL;
  buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  if (buffer == NULL)
    return NULL;
  /* Clear the padding, because it still contains old memory contents. */
  if (gst_buffer_map (buffer, &map, GST_MAP_WRITE)) {
    memset (map.data, 0, map.maxsize);
    gst_buffer_unmap (buffer, &map);
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8,
      width, height, 1, info.offset, info.stride);
  return buffer;
}

gboolean
vbg_buffer_is_unshared (GstBuffer * buffer)
{
  return GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) == 1 && gst_buffer_n_memory (buffer) == 1
      && GST_MINI_OBJECT_REFCOUNT_VALUE (gst_buffer_peek_memory (buffer, 0)) == 1;
}
