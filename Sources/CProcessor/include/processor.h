#ifndef PROCESSOR_H
#define PROCESSOR_H

#include <stddef.h>

/* Returns the x86-64 level, 1 to 4 as in the psABI, that both the processor and the operating
 * system support. Returns 0 on other architectures. */
int cpu_level (void);

/* Returns the number of processors on which the calling thread may run, at least 1. */
int cpu_count (void);

/* Returns the value of an environment variable, or NULL if it is not set. Also returns NULL in
 * programs that run with more privileges than their user. The environment owns the text. */
const char *process_variable (const char *name);

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
