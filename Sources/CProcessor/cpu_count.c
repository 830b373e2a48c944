#define _GNU_SOURCE
#include "processor.h"

#include <sched.h>

int
cpu_count (void)
{
  cpu_set_t set;

  /* Fails where there are more processors than the set has room for: then there are plenty. */
  if (sched_getaffinity (0, sizeof set, &set) != 0)
    return CPU_SETSIZE;
  return CPU_COUNT (&set) > 0 ? CPU_COUNT (&set) : 1;
}
