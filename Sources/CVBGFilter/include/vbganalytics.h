/* Masks as GStreamer's own analytics elements exchange them: GstAnalyticsSegmentationMtd, which is in
 * GStreamer's library of that name from 1.26 on. The library is opened when it is first needed, never
 * linked and its header not read, so that one plugin, built anywhere, runs with and without it. */
#ifndef VBGANALYTICS_H
#define VBGANALYTICS_H

#include "../../CGStreamer/shim.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

/* Whether masks can be attached and found. */
gboolean vbg_analytics_is_available (void);

/* Attaches a mask of a whole frame of `width` by `height` pixels: 1 where `subject` is, 0 for
 * "background". `mask` has a GstVideoMeta of GRAY8; the buffer takes a reference of its own. FALSE when
 * it cannot be attached. */
gboolean vbg_buffer_attach_mask (GstBuffer *buffer, GstBuffer *mask, GQuark subject, guint width,
    guint height);

/* A mask that was found on a buffer. */
typedef struct
{
  /* Owned by the caller, and mapped until vbg_mask_release. */
  GstBuffer *_Nullable buffer;
  GstMapInfo map;
  /* The samples: a byte each, all of them within the mapped memory. */
  guint8 *_Nullable data;
  guint width, height, stride;
  /* Where they lie in the frame, in pixels. */
  gint region_x, region_y;
  guint region_width, region_height;
} VBGMask;

/* Finds the first mask with a region of one of the `count` subjects that lies within a frame of
 * `width` by `height` pixels. What is 255 in `alphas`, which has 256 entries, is the value of such a
 * region; all others become 0. FALSE when there is none. */
gboolean vbg_buffer_find_mask (GstBuffer *buffer, guint width, guint height, const GQuark *subjects,
    guint count, VBGMask *mask, guint8 *alphas);

void vbg_mask_release (VBGMask *mask);

G_END_DECLS

#pragma clang assume_nonnull end

#endif
