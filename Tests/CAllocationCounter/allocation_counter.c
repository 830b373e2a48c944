/* Counts allocations by replacing the C library's functions. glibc exports the originals under
 * second names. With other C libraries or a sanitizer the counter is unavailable, and the tests
 * that need it are skipped. */
#include "allocation_counter.h"

#include <errno.h>
#include <stddef.h>

static _Thread_local uint64_t count;
static _Atomic uint64_t count_of_all;

uint64_t
allocation_counter_count (void)
{
  return count;
}

uint64_t
allocation_counter_count_of_all (void)
{
  return count_of_all;
}

#if defined (__GLIBC__) && !__has_feature (address_sanitizer) && !__has_feature (thread_sanitizer)

bool
allocation_counter_works (void)
{
  return true;
}

static void
note (void)
{
  count++;
  count_of_all++;
}

void *__libc_malloc (size_t size);
void *__libc_calloc (size_t number, size_t size);
void *__libc_realloc (void *memory, size_t size);
void *__libc_memalign (size_t alignment, size_t size);

void *
malloc (size_t size)
{
  note ();
  return __libc_malloc (size);
}

void *
calloc (size_t number, size_t size)
{
  note ();
  return __libc_calloc (number, size);
}

void *
realloc (void *memory, size_t size)
{
  note ();
  return __libc_realloc (memory, size);
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  note ();
  return __libc_memalign (alignment, size);
}

int
posix_memalign (void **memory, size_t alignment, size_t size)
{
  note ();
  *memory = __libc_memalign (alignment, size);
  return *memory != NULL ? 0 : ENOMEM;
}

#else

bool
allocation_counter_works (void)
{
  return false;
}

#endif
