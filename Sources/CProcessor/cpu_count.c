#define _GNU_SOURCE
#include "processor.h"

#include <sched.h>

int
cpu_count (void)
{
  cpu_set_t set;

  /* Fails if the system has more processors than the set can hold. Then assume the maximum. */
  if (sched_getaffinity (0, sizeof set, &set) != 0)
    return CPU_SETSIZE;
  return CPU_COUNT (&set) > 0 ? CPU_COUNT (&set) : 1;
}
