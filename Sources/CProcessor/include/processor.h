#ifndef PROCESSOR_H
#define PROCESSOR_H

/* The x86-64 level that both the processor and the operating system support. The levels 1 to 4 are
 * those in the psABI. 0 on other architectures. */
int cpu_level (void);

/* The number of processors that the calling thread may run on, at least 1. */
int cpu_count (void);

/* An environment variable, or NULL if it is not set. Also NULL in programs that run with more
 * privileges than their user. The environment owns the text. */
const char *process_variable (const char *name);

#endif
