/* GStreamer's harness for elements under test. */
#include "../../Sources/CGStreamer/shim.h"
#include <gst/check/gstharness.h>
