/* The part of the plugin that only C can say: its descriptor, which is a macro, and what buffers
 * carry. */
#ifndef VBGFILTER_H
#define VBGFILTER_H

#include "../../CGStreamer/shim.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

/* Registers the plugin in a process that has it linked in. */
void gst_plugin_vbgfilter_register (void);

/* In Swift: registers the element when the plugin is loaded. */
gboolean vbg_plugin_init (GstPlugin *plugin);

/* A buffer with the memory of another and what describes it, the layout and the crop; owned by the
 * caller. */
static inline GstBuffer *
vbg_buffer_share_memory (GstBuffer *buffer)
{
  GstBuffer *copy = gst_buffer_new ();
  GstVideoMeta *layout = gst_buffer_get_video_meta (buffer);
  GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);

  gst_buffer_copy_into (copy, buffer, GST_BUFFER_COPY_MEMORY, 0, (gsize) -1);
  /* Keeps a buffer of a pool from going back to it while its memory is in use. */
  gst_buffer_add_parent_buffer_meta (copy, buffer);
  if (layout)
    gst_buffer_add_video_meta_full (copy, layout->flags, layout->format, layout->width,
        layout->height, layout->n_planes, layout->offset, layout->stride);
  if (crop) {
    GstVideoCropMeta *added = gst_buffer_add_video_crop_meta (copy);
    added->x = crop->x;
    added->y = crop->y;
    added->width = crop->width;
    added->height = crop->height;
  }
  return copy;
}

G_END_DECLS

#pragma clang assume_nonnull end

#endif
