/* How the element attaches its matte to a buffer; what applications see of it is in
 * vbgfilter/vbgmattemeta.h, which alone is installed. */
#ifndef VBGMATTE_H
#define VBGMATTE_H

#include "../../CGStreamer/shim.h"

#include "vbgfilter/vbgmattemeta.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

/* Makes the type known to GStreamer, under its name. */
void vbg_matte_meta_register (void);

/* Attaches a copy of `matte`, with a reference of its own to `alpha`, in place of the matte that is
 * there; the member `meta` is not looked at. FALSE when the buffer cannot be written to; it is then as
 * it was. */
gboolean vbg_buffer_attach_matte (GstBuffer *buffer, const GstVBGMatteMeta *matte);

/* Takes the matte off a buffer, if it has one and can be written to. */
void vbg_buffer_detach_matte (GstBuffer *buffer);

/* Makes a buffer for a plane of bytes, described by a GstVideoMeta of GRAY8; the caller owns it.
 * NULL when there is no memory. */
GstBuffer *_Nullable vbg_gray_buffer_new (guint width, guint height);

/* Whether the caller, who has one reference to the buffer, is the only one who can reach its memory:
 * a consumer may have kept the buffer, the memory alone, or a part of it. */
gboolean vbg_buffer_is_unshared (GstBuffer *buffer);

G_END_DECLS

#pragma clang assume_nonnull end

#endif
