/* The headers of GStreamer that the element and its tests use. */
#include <gst/gst.h>
#include <gst/app/app.h>
#include <gst/base/gstbasetransform.h>
#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>

/* Connects decodebin's signal autoplug-select, with the callback's type checked. The result is one of
   GstAutoplugSelectResult, which no installed header declares: 0 tries the factory, 1 exposes the pad,
   2 skips the factory. */
static inline void
vbgfilter_connect_autoplug_select (GstElement * decodebin,
    gint (*select) (GstElement *, GstPad *, GstCaps *, GstElementFactory *, gpointer),
    gpointer data)
{
  g_signal_connect (decodebin, "autoplug-select", G_CALLBACK (select), data);
}

/* Connects a bin's signal element-added, with the callback's type checked. */
static inline void
vbgfilter_connect_element_added (GstElement * bin,
    void (*added) (GstBin *, GstElement *, gpointer), gpointer data)
{
  g_signal_connect (bin, "element-added", G_CALLBACK (added), data);
}
