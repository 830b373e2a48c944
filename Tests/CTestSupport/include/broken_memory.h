/* GStreamer memory that does not support normal use. */
#ifndef BROKEN_MEMORY_H
#define BROKEN_MEMORY_H

#include "../../../Sources/CGStreamer/shim.h"

#pragma clang assume_nonnull begin

typedef enum {
  /* Cannot be mapped for reading or writing. */
  BROKEN_MEMORY_UNMAPPABLE,
  /* Can only be read, and cannot be copied. */
  BROKEN_MEMORY_UNWRITABLE,
} BrokenMemoryKind;

/* Creates memory with a copy of `size` bytes. The caller owns it. */
GstMemory *broken_memory_new (const guint8 *bytes, gsize size, BrokenMemoryKind kind);

/* Installs a map function that returns only the addresses of planes, like gst-vaapi's. All planes
 * must be in the buffer's first memory. */
void own_mapping_set (GstVideoMeta *meta);

#pragma clang assume_nonnull end

#endif
