#include "vbgfilter.h"

#define PACKAGE "vbgfilter"
#define VERSION "0.1.0"

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, vbgfilter,
    "Hides the room behind a person in live video", vbg_plugin_init, VERSION, "LGPL", PACKAGE,
    "Unknown package origin")
