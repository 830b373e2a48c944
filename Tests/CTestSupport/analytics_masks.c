#include "analytics_masks.h"

void
mask_detach_all (GstBuffer * buffer)
{
  GType api = g_type_from_name ("GstAnalyticsRelationMetaAPI");
  GstMeta *meta;

  while (api != 0 && (meta = gst_buffer_get_meta (buffer, api)) != NULL)
    gst_buffer_remove_meta (buffer, meta);
}

#if __has_include (<gst/analytics/gstanalyticssegmentationmtd.h>)

#include <dlfcn.h>
#include <gst/analytics/analytics.h>

#define MAXIMUM_REGIONS 32

gboolean
mask_is_available (void)
{
  return TRUE;
}

/* Looks up a function of the library, because the tests do not link it either. */
#define LIBRARY(function) ((__typeof__ (&function)) find (#function))

static void *
find (const char *function)
{
  static void *library;

  if (library == NULL)
    library = dlopen ("libgstanalytics-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
  g_assert (library != NULL);
  return dlsym (library, function);
}

gboolean
mask_attach (GstBuffer * buffer, GstBuffer * mask, const MaskRegion * regions, guint count,
    MaskPlace place, gboolean has_classes)
{
  GstAnalyticsRelationMeta *relations =
      LIBRARY (gst_buffer_add_analytics_relation_meta) (buffer);
  GstAnalyticsSegmentationMtd segmentation;
  GstAnalyticsClsMtd classes;
  guint values[MAXIMUM_REGIONS], index;
  gfloat levels[MAXIMUM_REGIONS];
  GQuark names[MAXIMUM_REGIONS];

  g_assert (count <= MAXIMUM_REGIONS);
  for (index = 0; index < count; index++) {
    values[index] = regions[index].value;
    levels[index] = 0.5f;
    names[index] = g_quark_from_string (regions[index].name);
  }
  if (!LIBRARY (gst_analytics_relation_meta_add_segmentation_mtd) (relations,
          gst_buffer_ref (mask), GST_SEGMENTATION_TYPE_INSTANCE, count, values, place.x, place.y,
          place.width, place.height, &segmentation))
    return FALSE;
  if (!has_classes)
    return TRUE;
  return LIBRARY (gst_analytics_relation_meta_add_cls_mtd) (relations, count, levels, names,
      &classes)
      && LIBRARY (gst_analytics_relation_meta_set_relation) (relations,
      GST_ANALYTICS_REL_TYPE_RELATE_TO, segmentation.id, classes.id);
}

GstBuffer *
mask_find (GstBuffer * buffer, const char *name, guint * value, MaskPlace * place)
{
  GstAnalyticsRelationMeta *relations =
      LIBRARY (gst_buffer_get_analytics_relation_meta) (buffer);
  GstAnalyticsMtd segmentation, classes;
  gpointer state = NULL, related = NULL;
  gint index;

  if (relations == NULL || !LIBRARY (gst_analytics_relation_meta_iterate) (relations, &state,
          LIBRARY (gst_analytics_segmentation_mtd_get_mtd_type) (), &segmentation))
    return NULL;
  /* GStreamer's segmentationoverlay uses the same lookup. */
  if (!LIBRARY (gst_analytics_relation_meta_get_direct_related) (relations, segmentation.id,
          GST_ANALYTICS_REL_TYPE_N_TO_N, LIBRARY (gst_analytics_cls_mtd_get_mtd_type) (), &related,
          &classes))
    return NULL;
  index = LIBRARY (gst_analytics_cls_mtd_get_index_by_quark) (&classes, g_quark_from_string (name));
  if (index < 0)
    return NULL;
  *value = LIBRARY (gst_analytics_segmentation_mtd_get_region_id) (&segmentation, index);
  return LIBRARY (gst_analytics_segmentation_mtd_get_mask) (&segmentation, &place->x, &place->y,
      &place->width, &place->height);
}

#else

gboolean
mask_is_available (void)
{
  return FALSE;
}

gboolean
mask_attach (GstBuffer * buffer, GstBuffer * mask, const MaskRegion * regions, guint count,
    MaskPlace place, gboolean has_classes)
{
  (void) buffer, (void) mask, (void) regions, (void) count, (void) place, (void) has_classes;
  return FALSE;
}

GstBuffer *
mask_find (GstBuffer * buffer, const char *name, guint * value, MaskPlace * place)
{
  (void) buffer, (void) name, (void) value, (void) place;
  return NULL;
}

#endif
