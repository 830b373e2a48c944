/* Masks in the format of GStreamer's analytics elements: GstAnalyticsSegmentationMtd, from
 * GStreamer 1.26 on.
 *
 * The analytics library is opened on first use. It is not linked, and its header is not used.
 * Therefore the same build of the plugin works with and without it. */
#ifndef VBGANALYTICS_H
#define VBGANALYTICS_H

#include "../../CGStreamer/shim.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

/* Returns whether masks can be attached and found. */
gboolean vbg_analytics_is_available (void);

/* Attaches a mask of a whole frame of `width` by `height` pixels: 1 for `subject`, 0 for
 * "background". `mask` must have a GstVideoMeta of GRAY8. The buffer takes its own reference.
 * Returns FALSE if the mask cannot be attached. */
gboolean vbg_buffer_attach_mask (GstBuffer *buffer, GstBuffer *mask, GQuark subject, guint width,
    guint height);

/* A mask found on a buffer. */
typedef struct
{
  /* The mapped buffer of the mask. The caller owns it, and must call vbg_mask_release. */
  GstBuffer *_Nullable buffer;
  GstMapInfo map;
  /* The samples, one byte each, all within the mapped memory. */
  guint8 *_Nullable data;
  guint width, height, stride;
  /* The rectangle of the mask in the frame, in pixels. */
  gint region_x, region_y;
  guint region_width, region_height;
} VBGMask;

/* Finds the first mask with a region of one of the `count` subjects, within a frame of `width` by
 * `height` pixels. `alphas` has 256 entries, one per region value. Entries for such regions become
 * 255, all others 0. Returns FALSE if no mask is found. */
gboolean vbg_buffer_find_mask (GstBuffer *buffer, guint width, guint height, const GQuark *subjects,
    guint count, VBGMask *mask, guint8 *alphas);

void vbg_mask_release (VBGMask *mask);

G_END_DECLS

#pragma clang assume_nonnull end

#endif
