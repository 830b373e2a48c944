/* C23 functions that Debian sid's static Swift runtime needs and Debian 12's C library lacks. They
 * differ from C99's only in that they also read binary numbers. Hidden in the plugin. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

long
__isoc23_strtol (const char *text, char **end, int base)
{
  return strtol (text, end, base);
}

long long
__isoc23_strtoll (const char *text, char **end, int base)
{
  return strtoll (text, end, base);
}

int
__isoc23_sscanf (const char *text, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  int count = vsscanf (text, format, arguments);
  va_end (arguments);
  return count;
}
