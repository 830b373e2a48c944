/* The matte of a video frame, as the element vbgfilter attaches it with attach-matte=true.
 *
 * For applications: nothing needs to be linked but GStreamer itself, and the file may be copied. The
 * plugin registers the type when it is loaded; before that, and on frames without a matte, there is
 * simply none to be found.
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
 * The meta lives as long as the buffer that it was found on. To keep the matte longer take a
 * reference to `alpha`; its bytes stay as they are for as long as somebody holds one, on whatever
 * thread. Whoever holds very many makes the element allocate that many.
 *
 * It goes along when a buffer is copied whole, converted to another format or scaled: the matte
 * covers the picture, whatever its size. It does not go along with a part of a picture, or with one
 * whose proportions change, as it may then have got borders. GStreamer's videoflip hands it on without
 * turning it: turn the picture before the matte is made.
 *
 * Languages that know no structs of C, Python for example, find the same under the same conditions in a
 * GstCustomMeta, whose structure has the fields alpha (a GstBuffer), width, height, stride,
 * frame-width, frame-height, step (guint), pts (guint64) and inferred (gboolean):
 *
 *   matte = buffer.get_custom_meta("GstVBGMatte")
 *   alpha = matte.get_structure().get_value("alpha") if matte else None
 */
#ifndef VBGFILTER_VBGMATTEMETA_H
#define VBGFILTER_VBGMATTEMETA_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The name under which GStreamer knows the API. */
#define GST_VBG_MATTE_META_API_NAME "GstVBGMatteMetaAPI"

/* The name of the GstCustomMeta with the same contents. */
#define GST_VBG_MATTE_CUSTOM_META_NAME "GstVBGMatte"

/* Members are only ever added at the end. All of them are to be read, not to be written. */
typedef struct
{
  GstMeta meta;

  /* The matte: one byte a sample, 255 for the person, 0 for the room, what lies between for an edge.
   * The buffer also has a GstVideoMeta of GRAY8 and can be mapped as a video frame. */
  GstBuffer *alpha;
  /* Samples in a row, number of rows, and bytes from one row to the next. */
  guint width;
  guint height;
  guint stride;
  /* The size in pixels of the frame that the matte was made for, and how many of its pixels lie from
   * one sample to the next, both ways: the first sample stands for the `step` by `step` pixels of the
   * corner at the top left. Those at the right and at the bottom may reach beyond the frame. A buffer
   * that was scaled since then shows the same picture in another size. */
  guint frame_width;
  guint frame_height;
  guint step;
  /* The timestamp of the frame that the person was looked for in; GST_CLOCK_TIME_NONE if it had none.
   * The buffer's own is later by the age of the matte. */
  GstClockTime pts;
  /* Whether that was this very frame. */
  gboolean inferred;
} GstVBGMatteMeta;

/* The matte of a buffer, borrowed from it; NULL when it has none. */
static inline GstVBGMatteMeta *
gst_buffer_get_vbg_matte_meta (GstBuffer * buffer)
{
  GType api = g_type_from_name (GST_VBG_MATTE_META_API_NAME);
  GstMeta *meta = api != 0 ? gst_buffer_get_meta (buffer, api) : NULL;

  /* An older plugin than this header lacks its last members. */
  if (meta == NULL || meta->info->size < sizeof (GstVBGMatteMeta))
    return NULL;
  return (GstVBGMatteMeta *) meta;
}

/* Lays the samples open for reading, as `map->data`; FALSE when that cannot be done. */
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

/* Ends what gst_vbg_matte_meta_map began. */
static inline void
gst_vbg_matte_meta_unmap (const GstVBGMatteMeta * matte, GstMapInfo * map)
{
  gst_buffer_unmap (matte->alpha, map);
}

G_END_DECLS

#endif
