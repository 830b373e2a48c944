/* Marks uninitialised memory: glibc fills new allocations with a fixed byte. */
#ifndef DIRTY_MEMORY_H
#define DIRTY_MEMORY_H

#include <malloc.h>

#define DIRTY_MEMORY_BYTE 0xE9

/* From now on, new allocations of all threads contain DIRTY_MEMORY_BYTE. */
static inline void
dirty_memory_begin (void)
{
  mallopt (M_PERTURB, 0xff ^ DIRTY_MEMORY_BYTE);
}

static inline void
dirty_memory_end (void)
{
  mallopt (M_PERTURB, 0);
}

#endif
