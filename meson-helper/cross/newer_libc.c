/* What Debian sid's static Swift runtime wants of the C library and Debian 12's does not have: the
 * functions of C23, which differ from C99's in that they read binary numbers too. Hidden in the plugin. */

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
