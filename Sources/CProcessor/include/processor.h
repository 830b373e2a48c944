#ifndef PROCESSOR_H
#define PROCESSOR_H

/* The level of x86-64 that processor and operating system both support: 1 to 4, as the psABI
 * numbers them; 0 on another architecture. */
int cpu_level (void);

/* How many processors the calling thread may run on; at least 1. */
int cpu_count (void);

/* A variable of the environment; NULL where it is not set, and in a program that was started with
 * rights which its user has not got. The text is the environment's own. */
const char *process_variable (const char *name);

#endif
