#ifndef CPU_LEVEL_H
#define CPU_LEVEL_H

/* The level of x86-64 that processor and operating system both support: 1 to 4, as the psABI
 * numbers them; 0 on another architecture. */
int cpu_level (void);

#endif
