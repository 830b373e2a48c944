/* GStreamer's test harness for elements. */
#include "../../Sources/CGStreamer/shim.h"
#include <gst/check/gstharness.h>
