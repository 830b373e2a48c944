#include "broken_memory.h"

#include <string.h>

typedef struct
{
  GstMemory parent;
  guint8 *bytes;
  BrokenMemoryKind kind;
} BrokenMemory;

typedef struct
{
  GstAllocator parent;
} BrokenAllocator;

typedef struct
{
  GstAllocatorClass parent;
} BrokenAllocatorClass;

GType broken_allocator_get_type (void);
G_DEFINE_TYPE (BrokenAllocator, broken_allocator, GST_TYPE_ALLOCATOR)

static gpointer
map_memory (GstMemory * memory, gsize size, GstMapFlags flags)
{
  BrokenMemory *broken = (BrokenMemory *) memory;

  (void) size;
  if (broken->kind == BROKEN_MEMORY_UNMAPPABLE || (flags & GST_MAP_WRITE))
    return NULL;
  return broken->bytes;
}

static void
unmap_memory (GstMemory * memory)
{
  (void) memory;
}

static GstMemory *
copy_memory (GstMemory * memory, gssize offset, gssize size)
{
  (void) memory;
  (void) offset;
  (void) size;
  return NULL;
}

static void
free_memory (GstAllocator * allocator, GstMemory * memory)
{
  (void) allocator;
  g_free (((BrokenMemory *) memory)->bytes);
  g_free (memory);
}

static void
broken_allocator_class_init (BrokenAllocatorClass * class)
{
  GST_ALLOCATOR_CLASS (class)->free = free_memory;
}

static void
broken_allocator_init (BrokenAllocator * broken)
{
  GstAllocator *allocator = GST_ALLOCATOR (broken);

  allocator->mem_type = "Broken";
  allocator->mem_map = map_memory;
  allocator->mem_unmap = unmap_memory;
  allocator->mem_copy = copy_memory;
  GST_OBJECT_FLAG_SET (allocator, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

GstMemory *
broken_memory_new (const guint8 * bytes, gsize size, BrokenMemoryKind kind)
{
  GstAllocator *allocator = g_object_new (broken_allocator_get_type (), NULL);
  BrokenMemory *memory = g_new0 (BrokenMemory, 1);

  gst_object_ref_sink (allocator);
  memory->bytes = g_malloc (size);
  memcpy (memory->bytes, bytes, size);
  memory->kind = kind;
  gst_memory_init (GST_MEMORY_CAST (memory), 0, allocator, NULL, size, 0, 0, size);
  gst_object_unref (allocator);
  return GST_MEMORY_CAST (memory);
}

static gboolean
map_plane (GstVideoMeta * meta, guint plane, GstMapInfo * info, gpointer * data, gint * stride,
    GstMapFlags flags)
{
  GstMapInfo *own = g_new0 (GstMapInfo, 1);

  if (!gst_memory_map (gst_buffer_peek_memory (meta->buffer, 0), own, flags)) {
    g_free (own);
    return FALSE;
  }
  *data = own->data + meta->offset[plane];
  *stride = meta->stride[plane];
  info->flags = flags;
  info->user_data[0] = own;
  return TRUE;
}

static gboolean
unmap_plane (GstVideoMeta * meta, guint plane, GstMapInfo * info)
{
  GstMapInfo *own = info->user_data[0];

  (void) plane;
  gst_memory_unmap (gst_buffer_peek_memory (meta->buffer, 0), own);
  g_free (own);
  return TRUE;
}

void
own_mapping_set (GstVideoMeta * meta)
{
  meta->map = map_plane;
  meta->unmap = unmap_plane;
}
