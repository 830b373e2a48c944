/* Reads a PNG file with GStreamer's own elements, beside the thread that asks for it.

   In C, because Swift takes no enumerations of headers that are in two modules, and vbgfilter has one
   of GStreamer's already. A reader is used on one thread at a time. */
#ifndef IMAGE_READER_H
#define IMAGE_READER_H

#include <stdint.h>

typedef struct ImageReader ImageReader;

typedef enum
{
  IMAGE_READER_WORKING,
  IMAGE_READER_DONE,
  IMAGE_READER_FAILED
} ImageReaderState;

/* Begins to read a file; whoever asks for a reader frees it. */
ImageReader *image_reader_new (const char *path);
void image_reader_free (ImageReader * reader);

/* What has become of it; waits so many nanoseconds for an end. */
ImageReaderState image_reader_poll (ImageReader * reader, uint64_t nanoseconds);

/* Why it failed; the reader's own. */
const char *image_reader_reason (const ImageReader * reader);

/* Red, green, blue and alpha in turns, 4 * width * height bytes; the reader's own. Once it is done. */
const uint8_t *image_reader_pixels (const ImageReader * reader, int *width, int *height);

#endif
