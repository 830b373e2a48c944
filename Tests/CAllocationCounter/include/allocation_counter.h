#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this build counts allocations. */
bool allocation_counter_works (void);

/* The number of allocations by the calling thread so far. */
uint64_t allocation_counter_count (void);

/* The number of allocations by all threads. Use it only in a process that runs nothing else. */
uint64_t allocation_counter_count_of_all (void);

#endif
