#ifndef PROCESSOR_H
#define PROCESSOR_H

/* The level of x86-64 that processor and operating system both support: 1 to 4, as the psABI
 * numbers them; 0 on another architecture. */
int cpu_level (void);

/* How many processors the calling thread may run on; at least 1. */
int cpu_count (void);

#endif
