/* Metas as other elements attach them to frames. */
#ifndef CARRIED_METAS_H
#define CARRIED_METAS_H

#include "../../../Sources/CGStreamer/shim.h"

#pragma clang assume_nonnull begin

typedef enum {
  /* Of numbers, text and times, or laid over the frame. */
  CARRIED_REGION,
  CARRIED_TIME_CODE,
  CARRIED_CAPTIONS,
  CARRIED_REFERENCE_TIME,
  CARRIED_ACTIVE_FORMAT,
  CARRIED_BARS,
  CARRIED_MATRIX,
  CARRIED_OVERLAY,
  CARRIED_PLAIN_FIELDS,
  /* With a picture, or nobody knows with what. */
  CARRIED_REGION_WITH_PICTURE,
  CARRIED_REFERENCE_WITH_PICTURE,
  CARRIED_FIELDS_WITH_PICTURE,
  CARRIED_TEXTURE,
  CARRIED_PARENT,
  CARRIED_CODEC_ALPHA,
  CARRIED_PROTECTION,
  CARRIED_UNKNOWN,
} CarriedMeta;

/* Attaches a meta to a writable buffer; `picture` is what some of them lead to. */
void carried_attach (GstBuffer *buffer, CarriedMeta kind, GstBuffer *picture);
/* Whether a buffer has such a meta. */
gboolean carried_is_attached (GstBuffer *buffer, CarriedMeta kind);

#pragma clang assume_nonnull end

#endif
