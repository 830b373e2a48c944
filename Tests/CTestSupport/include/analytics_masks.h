/* Masks as other elements attach them: GStreamer's own functions, called without the plugin's help. */
#ifndef ANALYTICS_MASKS_H
#define ANALYTICS_MASKS_H

#include "../../../Sources/CGStreamer/shim.h"

#pragma clang assume_nonnull begin

/* A region of a mask: its value in the samples, and the name of its class. */
typedef struct
{
  guint value;
  const char *_Nullable name;
} MaskRegion;

/* Where a mask lies in the frame. */
typedef struct
{
  gint x, y;
  guint width, height;
} MaskPlace;

/* Whether the tests were built with GStreamer's own header, which the plugin does not read. */
gboolean mask_is_available (void);

/* Attaches a mask to a buffer, whose regions are all given. Takes a reference to `mask`. FALSE where
 * there is no such library. With `has_classes` FALSE nothing tells what the regions are. */
gboolean mask_attach (GstBuffer *buffer, GstBuffer *mask, const MaskRegion *regions, guint count,
    MaskPlace place, gboolean has_classes);

/* The first mask of a buffer, to be given back by gst_buffer_unref, where it lies, and the value of the
 * region of a class; NULL when there is no such mask or region. */
GstBuffer *_Nullable mask_find (GstBuffer *buffer, const char *name, guint *value, MaskPlace *place);

/* Takes all that was attached to a buffer by mask_attach, or in the same way, off it. */
void mask_detach_all (GstBuffer *buffer);

#pragma clang assume_nonnull end

#endif
