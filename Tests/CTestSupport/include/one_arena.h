/* What the allocator holds back depends on how many threads there were; with one arena it does not. */
#ifndef ONE_ARENA_H
#define ONE_ARENA_H

#include <malloc.h>

/* Lets all threads of the process share one arena. */
static inline void
use_one_arena (void)
{
  mallopt (M_ARENA_MAX, 1);
}

#endif
