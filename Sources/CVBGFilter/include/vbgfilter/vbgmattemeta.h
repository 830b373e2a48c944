/* The matte of a video frame, as the element vbgfilter attaches it with attach-matte=true.
 *
 * For applications. Only GStreamer itself needs to be linked, and you may copy this file. The
 * plugin registers the type when it is loaded. Before that, and on frames without a matte, the
 * functions below find nothing.
 *
 *   GstVBGMatteMeta *matte = gst_buffer_get_vbg_matte_meta (buffer);
 *   GstMapInfo map;
 *
 *   if (matte != NULL && gst_vbg_matte_meta_map (matte, &map)) {
 *     guint8 top_left = map.data[0], next_row = map.data[matte->stride];
 *     ...
 *     gst_vbg_matte_meta_unmap (matte, &map);
 *   }
 *
 * The meta lives as long as its buffer. To keep the matte longer, take a reference to `alpha`. Its
 * bytes do not change while any thread holds a reference. The element allocates a new buffer for
 * each matte that an application keeps.
 *
 * The meta is copied when a buffer is copied whole, converted to another format, or scaled. The
 * matte covers the whole picture at any size. The meta is dropped if the picture is cropped, or if
 * its aspect ratio changes, because borders may have been added. GStreamer's videoflip copies the
 * matte without turning it, so turn the picture before vbgfilter.
 *
 * Languages that cannot use C structs, for example Python, can use a GstCustomMeta instead. It is
 * attached under the same conditions. Its structure has the fields alpha (a GstBuffer), width,
 * height, stride, frame-width, frame-height, step (guint), pts (guint64) and inferred (gboolean):
 *
 *   matte = buffer.get_custom_meta("GstVBGMatte")
 *   alpha = matte.get_structure().get_value("alpha") if matte else None
 */
#ifndef VBGFILTER_VBGMATTEMETA_H
#define VBGFILTER_VBGMATTEMETA_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The name of the API in GStreamer. */
#define GST_VBG_MATTE_META_API_NAME "GstVBGMatteMetaAPI"

/* The name of the GstCustomMeta with the same contents. */
#define GST_VBG_MATTE_CUSTOM_META_NAME "GstVBGMatte"

/* New members are only added at the end. All members are read-only. */
typedef struct
{
  GstMeta meta;

  /* The matte, with one byte per sample: 255 for the person, 0 for the background, and values in
   * between at edges. The buffer also has a GstVideoMeta of GRAY8 and can be mapped as a video
   * frame. */
  GstBuffer *alpha;
  /* The samples per row, the number of rows, and the bytes from one row to the next. */
  guint width;
  guint height;
  guint stride;
  /* The size in pixels of the frame that the matte was made for, and the distance in pixels between
   * samples in both directions. The first sample covers the `step` by `step` pixels at the top
   * left. The samples at the right and bottom edges may extend beyond the frame. If a buffer was
   * scaled later, it shows the same picture at another size. */
  guint frame_width;
  guint frame_height;
  guint step;
  /* The timestamp of the frame that the inference used, or GST_CLOCK_TIME_NONE if it was unknown.
   * The buffer's own timestamp is later by the age of the matte. */
  GstClockTime pts;
  /* Whether the inference used this frame. */
  gboolean inferred;
} GstVBGMatteMeta;

/* Returns the matte of a buffer, borrowed from it, or NULL without a matte. */
static inline GstVBGMatteMeta *
gst_buffer_get_vbg_matte_meta (GstBuffer * buffer)
{
  GType api = g_type_from_name (GST_VBG_MATTE_META_API_NAME);
  GstMeta *meta = api != 0 ? gst_buffer_get_meta (buffer, api) : NULL;

  /* A plugin that is older than this header lacks the newest members. */
  if (meta == NULL || meta->info->size < sizeof (GstVBGMatteMeta))
    return NULL;
  return (GstVBGMatteMeta *) meta;
}

/* Maps the samples for reading, as `map->data`. Returns FALSE if that fails. */
static inline gboolean
gst_vbg_matte_meta_map (const GstVBGMatteMeta * matte, GstMapInfo * map)
{
  if (!gst_buffer_map (matte->alpha, map, GST_MAP_READ))
    return FALSE;
  if (matte->height > 0
      && map->size >= (gsize) matte->stride * (matte->height - 1) + matte->width)
    return TRUE;
  gst_buffer_unmap (matte->alpha, map);
  return FALSE;
}

/* Unmaps the samples that gst_vbg_matte_meta_map has mapped. */
static inline void
gst_vbg_matte_meta_unmap (const GstVBGMatteMeta * matte, GstMapInfo * map)
{
  gst_buffer_unmap (matte->alpha, map);
}

G_END_DECLS

#endif
