#include "vbgfilter.h"

#define PACKAGE "vbgfilter"

/* The file VERSION has no newline, so that Meson and the packages read the same text. */
#pragma clang diagnostic ignored "-Wc23-extensions"
static const gchar version[] = {
#embed "../../VERSION"
  , '\0'
};

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, vbgfilter,
    "Hides the room behind a person in live video", vbg_plugin_init, version, "LGPL", PACKAGE,
    "Built from the sources of vbgfilter")
