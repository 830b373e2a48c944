/* Metas that other elements attach to frames. */
#ifndef CARRIED_METAS_H
#define CARRIED_METAS_H

#include "../../../Sources/CGStreamer/shim.h"

#pragma clang assume_nonnull begin

typedef enum {
  /* Metas with numbers, text or times, and overlays. */
  CARRIED_REGION,
  CARRIED_TIME_CODE,
  CARRIED_CAPTIONS,
  CARRIED_REFERENCE_TIME,
  CARRIED_ACTIVE_FORMAT,
  CARRIED_BARS,
  CARRIED_MATRIX,
  CARRIED_OVERLAY,
  CARRIED_PLAIN_FIELDS,
  /* Metas with a picture, or with unknown contents. */
  CARRIED_REGION_WITH_PICTURE,
  CARRIED_REFERENCE_WITH_PICTURE,
  CARRIED_FIELDS_WITH_PICTURE,
  CARRIED_TEXTURE,
  CARRIED_PARENT,
  CARRIED_CODEC_ALPHA,
  CARRIED_PROTECTION,
  CARRIED_UNKNOWN,
} CarriedMeta;

/* Attaches a meta to a writable buffer. Kinds with a picture refer to `picture`. */
void carried_attach (GstBuffer *buffer, CarriedMeta kind, GstBuffer *picture);
/* Whether a buffer has a meta of this kind. */
gboolean carried_is_attached (GstBuffer *buffer, CarriedMeta kind);

#pragma clang assume_nonnull end

#endif
