/* All bytes that somebody who is given a buffer, an event or a message can get at. */
#ifndef REACHABLE_BYTES_H
#define REACHABLE_BYTES_H

#include "../../../Sources/CGStreamer/shim.h"

#pragma clang assume_nonnull begin

/* Gets bytes, and where they were found; `bytes` is NULL for something that cannot be looked into. */
typedef void (*ReachFunc) (const char *place, const guint8 *_Nullable bytes, gsize size,
    gpointer _Nullable data);

/* The memory of a buffer, also that outside of its offset and size, and what its metas lead to. */
void reach_buffer (GstBuffer *buffer, ReachFunc func, gpointer _Nullable data);
void reach_event (GstEvent *event, ReachFunc func, gpointer _Nullable data);
void reach_message (GstMessage *message, ReachFunc func, gpointer _Nullable data);
/* The events that a pad keeps. */
void reach_pad (GstPad *pad, ReachFunc func, gpointer _Nullable data);

#pragma clang assume_nonnull end

#endif
