#define _GNU_SOURCE
#include "processor.h"

#include <stdlib.h>

const char *
process_variable (const char *name)
{
  return secure_getenv (name);
}
