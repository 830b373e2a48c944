/* The parts of the plugin that need C: its descriptor, which is a macro, and the metas of
 * buffers. */
#ifndef VBGFILTER_H
#define VBGFILTER_H

#include "../../CGStreamer/shim.h"

#pragma clang assume_nonnull begin

G_BEGIN_DECLS

/* Registers the plugin in a process that links it. */
void gst_plugin_vbgfilter_register (void);

/* Registers the element when the plugin is loaded. Implemented in Swift. */
gboolean vbg_plugin_init (GstPlugin *plugin);

/* Returns a buffer that shares the memory, the layout and the crop of another. The caller owns
 * it. */
static inline GstBuffer *
vbg_buffer_share_memory (GstBuffer *buffer)
{
  GstBuffer *copy = gst_buffer_new ();
  GstVideoMeta *layout = gst_buffer_get_video_meta (buffer);
  GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);

  gst_buffer_copy_into (copy, buffer, GST_BUFFER_COPY_MEMORY, 0, (gsize) -1);
  /* Keeps a pooled buffer from returning to its pool while its memory is in use. */
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
