/* GStreamer memory that cannot be used as it should be. */
#ifndef BROKEN_MEMORY_H
#define BROKEN_MEMORY_H

#include "../../../Sources/CGStreamer/shim.h"

#pragma clang assume_nonnull begin

typedef enum {
  /* Neither reading nor writing. */
  BROKEN_MEMORY_UNMAPPABLE,
  /* Reading only, and no copy can be made of it. */
  BROKEN_MEMORY_UNWRITABLE,
} BrokenMemoryKind;

/* Makes memory that holds a copy of `size` bytes; the caller owns it. */
GstMemory *broken_memory_new (const guint8 *bytes, gsize size, BrokenMemoryKind kind);

/* Lets planes be mapped by a function that tells nothing but their addresses, as those of gst-vaapi
 * do. All of them lie in the buffer's first memory. */
void own_mapping_set (GstVideoMeta *meta);

#pragma clang assume_nonnull end

#endif
