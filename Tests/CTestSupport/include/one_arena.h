/* Makes memory measurements independent of the number of threads: malloc keeps freed memory per
 * arena. */
#ifndef ONE_ARENA_H
#define ONE_ARENA_H

#include <malloc.h>

/* Makes all threads of the process share one arena. */
static inline void
use_one_arena (void)
{
  mallopt (M_ARENA_MAX, 1);
}

#endif
