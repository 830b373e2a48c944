#ifndef PREFETCH_H
#define PREFETCH_H

#include <stddef.h>

/* Asks the processor to bring `count` bytes into its cache. It reads nothing, so that an address
 * beyond mapped memory does no harm. */
static inline void
prefetch_bytes (const void *first, size_t count)
{
  const char *bytes = first;

  for (size_t offset = 0; offset < count; offset += 64)
    __builtin_prefetch (bytes + offset);
}

#endif
