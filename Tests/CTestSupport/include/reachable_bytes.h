/* Finds all bytes that the receiver of a buffer, an event or a message can reach. */
#ifndef REACHABLE_BYTES_H
#define REACHABLE_BYTES_H

#include "../../../Sources/CGStreamer/shim.h"

#pragma clang assume_nonnull begin

/* Receives bytes, and the path to them. `bytes` is NULL for opaque objects. */
typedef void (*ReachFunc) (const char *place, const guint8 *_Nullable bytes, gsize size,
    gpointer _Nullable data);

/* Visits the memory of a buffer, including memory outside its offset and size, and the contents of
 * its metas. */
void reach_buffer (GstBuffer *buffer, ReachFunc func, gpointer _Nullable data);
void reach_event (GstEvent *event, ReachFunc func, gpointer _Nullable data);
void reach_message (GstMessage *message, ReachFunc func, gpointer _Nullable data);
/* Visits the sticky events of a pad. */
void reach_pad (GstPad *pad, ReachFunc func, gpointer _Nullable data);

#pragma clang assume_nonnull end

#endif
