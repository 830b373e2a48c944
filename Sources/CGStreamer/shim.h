/* The headers of GStreamer that the element and its tests use. */
#include <gst/gst.h>
#include <gst/app/app.h>
#include <gst/base/gstbasetransform.h>
#include <gst/tag/tag.h>
#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>
