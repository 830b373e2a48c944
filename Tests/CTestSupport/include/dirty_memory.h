/* Memory that tells that it was never written: glibc fills what it allocates. */
#ifndef DIRTY_MEMORY_H
#define DIRTY_MEMORY_H

#include <malloc.h>

#define DIRTY_MEMORY_BYTE 0xE9

/* From here on fresh memory, of any thread, holds DIRTY_MEMORY_BYTE. */
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
