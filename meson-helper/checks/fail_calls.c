/* A preloaded library that makes the n-th call of a function fail.
 *
 *   FAIL_CALL   malloc (of at least FAIL_SIZE bytes), mmap (likewise), pthread_create, dlopen, write or
 *               renameat
 *   FAIL_AT     the number of the failing call, from 1, or 0 if all calls succeed
 *   FAIL_LOG    a file that receives the number of calls at the end
 *
 * Only calls by the plugin or OpenVINO count: if a call by GLib failed, GLib would end the program. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc (size_t size);
void *__libc_calloc (size_t number, size_t size);
void *__libc_realloc (void *memory, size_t size);
void *__libc_memalign (size_t alignment, size_t size);

static const char *call = "";
static long fail_at;
static size_t least;
static atomic_long count;
static _Thread_local int is_inside;

__attribute__ ((constructor)) static void
begin (void)
{
  void *frames[2];
  const char *text = getenv ("FAIL_SIZE");

  /* The first call loads a library. */
  backtrace (frames, 2);
  least = text ? strtoul (text, NULL, 10) : 0;
  text = getenv ("FAIL_AT");
  fail_at = text ? atol (text) : 0;
  text = getenv ("FAIL_CALL");
  call = text ? text : "";
}

__attribute__ ((destructor)) static void
end (void)
{
  const char *path = getenv ("FAIL_LOG");
  FILE *file = path ? fopen (path, "w") : NULL;

  call = "";
  if (file) {
    fprintf (file, "%ld\n", atomic_load (&count));
    fclose (file);
  }
}

static int
is_ours (void)
{
  static const char *passed[] = { "libc.so", "libstdc++", "libglib", "fail_calls", "ld-linux" };
  void *frames[12];
  int number = backtrace (frames, 12);

  for (int i = 0; i < number; i++) {
    Dl_info info;
    const char *name;
    size_t k;

    if (!dladdr (frames[i], &info) || info.dli_fname == NULL)
      continue;
    name = strrchr (info.dli_fname, '/');
    name = name ? name + 1 : info.dli_fname;
    for (k = 0; k < sizeof passed / sizeof *passed; k++)
      if (strstr (name, passed[k]) == name)
        break;
    if (k == sizeof passed / sizeof *passed)
      return strstr (name, "libgstvbgfilter") == name || strstr (name, "libopenvino") == name
          || strstr (name, "libtbb") == name;
  }
  return 0;
}

static int
fails (const char *name, size_t size)
{
  int result;

  if (is_inside || strcmp (call, name) != 0 || size < least)
    return 0;
  is_inside = 1;
  result = is_ours () && atomic_fetch_add (&count, 1) + 1 == fail_at;
  is_inside = 0;
  if (result)
    errno = strcmp (name, "write") == 0 || strcmp (name, "renameat") == 0 ? ENOSPC : ENOMEM;
  return result;
}

void *
malloc (size_t size)
{
  return fails ("malloc", size) ? NULL : __libc_malloc (size);
}

void *
calloc (size_t number, size_t size)
{
  return fails ("malloc", number * size) ? NULL : __libc_calloc (number, size);
}

void *
realloc (void *memory, size_t size)
{
  return fails ("malloc", size) ? NULL : __libc_realloc (memory, size);
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  return fails ("malloc", size) ? NULL : __libc_memalign (alignment, size);
}

int
posix_memalign (void **memory, size_t alignment, size_t size)
{
  if (fails ("malloc", size))
    return ENOMEM;
  *memory = __libc_memalign (alignment, size);
  return *memory ? 0 : ENOMEM;
}

#define NEXT(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

void *
mmap (void *address, size_t length, int protection, int flags, int file, off_t offset)
{
  return fails ("mmap", length) ? MAP_FAILED
      : NEXT (mmap) (address, length, protection, flags, file, offset);
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*body) (void *),
    void *context)
{
  return fails ("pthread_create", least) ? EAGAIN
      : NEXT (pthread_create) (thread, attributes, body, context);
}

void *
dlopen (const char *path, int flags)
{
  return fails ("dlopen", least) ? NULL : NEXT (dlopen) (path, flags);
}

ssize_t
write (int file, const void *bytes, size_t number)
{
  return fails ("write", least) ? -1 : NEXT (write) (file, bytes, number);
}

int
renameat (int folder, const char *from, int other, const char *to)
{
  return fails ("renameat", least) ? -1 : NEXT (renameat) (folder, from, other, to);
}
