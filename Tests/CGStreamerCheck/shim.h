/* GStreamer's harness for elements under test. */
#include <gst/check/gstharness.h>
