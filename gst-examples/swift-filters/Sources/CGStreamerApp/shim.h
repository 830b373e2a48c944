/* Only for the flags: what uses these headers is C, in CImageReader. */
#include <gst/gst.h>
#include <gst/app/app.h>
