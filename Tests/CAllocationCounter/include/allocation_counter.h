#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether allocations are counted in this build. */
bool allocation_counter_works (void);

/* Allocations that the calling thread has made so far. */
uint64_t allocation_counter_count (void);

/* The same of all threads: for a process that runs nothing else. */
uint64_t allocation_counter_count_of_all (void);

#endif
