#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/* Allocations that the calling thread has made so far. */
uint64_t allocation_counter_count (void);

#endif
