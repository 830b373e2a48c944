/* The functions that attach the element's matte to a buffer. Applications only see
 * vbgfilter/vbgmattemeta.h, which is the only installed header of the two. */
#ifndef VBGMATTE_H
#define VBGMATTE_H

#include "../../CGStreamer/shim.h"

#include "vbgfilter/vbgmattemeta.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

/* Registers the type with GStreamer under its name. */
void vbg_matte_meta_register (void);

/* Attaches a copy of `matte`, replaces an existing one, and takes a reference to `alpha`. Ignores
 * the member `meta`. Returns FALSE, and leaves the buffer unchanged, if the buffer is not
 * writable. */
gboolean vbg_buffer_attach_matte (GstBuffer *buffer, const GstVBGMatteMeta *matte);

/* Removes the matte from a buffer, if it has one and is writable. */
void vbg_buffer_detach_matte (GstBuffer *buffer);

/* Creates a buffer for a plane of bytes, with a GstVideoMeta of GRAY8. The caller owns it. Returns
 * NULL if the allocation fails. */
GstBuffer *_Nullable vbg_gray_buffer_new (guint width, guint height);

/* Returns whether only the caller can access the buffer's memory. The caller must have exactly one
 * reference to the buffer. A consumer may have kept the buffer, its memory, or a section of that
 * memory. */
gboolean vbg_buffer_is_unshared (GstBuffer *buffer);

G_END_DECLS

#pragma clang assume_nonnull end

#endif
