/* Masks like other elements attach them. The functions call GStreamer's own functions, without the
 * plugin's help. */
#ifndef ANALYTICS_MASKS_H
#define ANALYTICS_MASKS_H

#include "../../../Sources/CGStreamer/shim.h"

#pragma clang assume_nonnull begin

/* A region of a mask: its sample value and the name of its class. */
typedef struct
{
  guint value;
  const char *_Nullable name;
} MaskRegion;

/* The rectangle of a mask in the frame. */
typedef struct
{
  gint x, y;
  guint width, height;
} MaskPlace;

/* Whether the tests were built with GStreamer's own header, which the plugin does not use. */
gboolean mask_is_available (void);

/* Attaches a mask with `count` regions to a buffer, and takes a reference to `mask`. Returns FALSE
 * if the library is not available. If `has_classes` is FALSE, the mask does not name its
 * regions. */
gboolean mask_attach (GstBuffer *buffer, GstBuffer *mask, const MaskRegion *regions, guint count,
    MaskPlace place, gboolean has_classes);

/* Returns the first mask of a buffer, its place, and the region value of the class `name`. The
 * caller releases it with gst_buffer_unref. Returns NULL if no mask has such a region. */
GstBuffer *_Nullable mask_find (GstBuffer *buffer, const char *name, guint *value, MaskPlace *place);

/* Removes everything that mask_attach, or a similar function, attached to a buffer. */
void mask_detach_all (GstBuffer *buffer);

#pragma clang assume_nonnull end

#endif
