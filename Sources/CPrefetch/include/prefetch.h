#ifndef PREFETCH_H
#define PREFETCH_H

#include <stddef.h>

/* Prefetches `count` bytes into the processor's cache. It reads nothing, so an address outside
 * mapped memory is harmless. */
static inline void
prefetch_bytes (const void *first, size_t count)
{
  const char *bytes = first;

  for (size_t offset = 0; offset < count; offset += 64)
    __builtin_prefetch (bytes + offset);
}

#endif
