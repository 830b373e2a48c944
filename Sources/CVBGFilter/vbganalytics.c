#include "vbganalytics.h"

#include <dlfcn.h>
#include <string.h>

#define ANALYTICS_LIBRARY "libgstanalytics-1.0.so.0"

/* The declarations of gst/analytics/analytics.h that are used here. They are copied from GStreamer
 * 1.26, so that builds without that header also have them. This interface is stable. */
typedef struct _GstAnalyticsRelationMeta GstAnalyticsRelationMeta;
typedef guintptr GstAnalyticsMtdType;
typedef struct
{
  guint id;
  GstAnalyticsRelationMeta *meta;
} GstAnalyticsMtd;
typedef enum
{
  GST_ANALYTICS_REL_TYPE_RELATE_TO = 1 << 3,
  GST_ANALYTICS_REL_TYPE_N_TO_N = 1 << 4,
} GstAnalyticsRelTypes;
typedef enum
{
  GST_SEGMENTATION_TYPE_SEMANTIC = 0,
} GstSegmentationType;

/* The functions of the library: their result types, names and parameters. */
#define ANALYTICS_FUNCTIONS(DO) \
  DO (GstAnalyticsRelationMeta *, gst_buffer_get_analytics_relation_meta, GstBuffer *) \
  DO (GstAnalyticsRelationMeta *, gst_buffer_add_analytics_relation_meta, GstBuffer *) \
  DO (gboolean, gst_analytics_relation_meta_iterate, GstAnalyticsRelationMeta *, gpointer *, \
      GstAnalyticsMtdType, GstAnalyticsMtd *) \
  DO (gboolean, gst_analytics_relation_meta_get_direct_related, GstAnalyticsRelationMeta *, guint, \
      GstAnalyticsRelTypes, GstAnalyticsMtdType, gpointer *, GstAnalyticsMtd *) \
  DO (gboolean, gst_analytics_relation_meta_set_relation, GstAnalyticsRelationMeta *, \
      GstAnalyticsRelTypes, guint, guint) \
  DO (gboolean, gst_analytics_relation_meta_add_segmentation_mtd, GstAnalyticsRelationMeta *, \
      GstBuffer *, GstSegmentationType, gsize, guint *, gint, gint, guint, guint, \
      GstAnalyticsMtd *) \
  DO (gboolean, gst_analytics_relation_meta_add_cls_mtd, GstAnalyticsRelationMeta *, gsize, \
      gfloat *, GQuark *, GstAnalyticsMtd *) \
  DO (GstAnalyticsMtdType, gst_analytics_segmentation_mtd_get_mtd_type, void) \
  DO (GstBuffer *, gst_analytics_segmentation_mtd_get_mask, const GstAnalyticsMtd *, gint *, gint *, \
      guint *, guint *) \
  DO (gsize, gst_analytics_segmentation_mtd_get_region_count, const GstAnalyticsMtd *) \
  DO (guint, gst_analytics_segmentation_mtd_get_region_id, const GstAnalyticsMtd *, gsize) \
  DO (GstAnalyticsMtdType, gst_analytics_cls_mtd_get_mtd_type, void) \
  DO (gsize, gst_analytics_cls_mtd_get_length, const GstAnalyticsMtd *) \
  DO (GQuark, gst_analytics_cls_mtd_get_quark, const GstAnalyticsMtd *, gsize)

#define DECLARE(result, function, ...) result (*function##_pointer) (__VA_ARGS__);
#define FIND(result, function, ...) \
  && (functions.function##_pointer = (result (*) (__VA_ARGS__)) dlsym (library, #function)) != NULL
#define CALL(function, ...) functions.function##_pointer (__VA_ARGS__)

static struct { ANALYTICS_FUNCTIONS (DECLARE) } functions;

static gboolean
open_library (void)
{
  void *library = dlopen (ANALYTICS_LIBRARY, RTLD_NOW | RTLD_LOCAL);

  return library != NULL ANALYTICS_FUNCTIONS (FIND);
}

gboolean
vbg_analytics_is_available (void)
{
  /* 1: the library is unavailable. 2: it is available. */
  static gsize state;

  if (g_once_init_enter (&state))
    g_once_init_leave (&state, open_library () ? 2 : 1);
  return state == 2;
}

/* The relation between a mask and the classes of its regions. GStreamer's elements set and look for
 * one flag, and its documentation names the other. */
#define CLASS_RELATION \
  ((GstAnalyticsRelTypes) (GST_ANALYTICS_REL_TYPE_N_TO_N | GST_ANALYTICS_REL_TYPE_RELATE_TO))

gboolean
vbg_buffer_attach_mask (GstBuffer * buffer, GstBuffer * mask, GQuark subject, guint width,
    guint height)
{
  GstAnalyticsRelationMeta *relations;
  GstAnalyticsMtd regions, classes;
  guint ids[2] = { 0, 1 };
  /* The confidence is unknown. */
  gfloat levels[2] = { -1, -1 };
  GQuark names[2] = { g_quark_from_static_string ("background"), subject };

  if (!vbg_analytics_is_available () || !gst_buffer_is_writable (buffer))
    return FALSE;
  /* Returns the existing meta, or adds one. */
  relations = CALL (gst_buffer_add_analytics_relation_meta, buffer);
  if (relations == NULL)
    return FALSE;
  gst_buffer_ref (mask);
  if (!CALL (gst_analytics_relation_meta_add_segmentation_mtd, relations, mask,
          GST_SEGMENTATION_TYPE_SEMANTIC, G_N_ELEMENTS (ids), ids, 0, 0, width, height,
          &regions)) {
    gst_buffer_unref (mask);
    return FALSE;
  }
  return CALL (gst_analytics_relation_meta_add_cls_mtd, relations, G_N_ELEMENTS (names), levels,
      names, &classes)
      && CALL (gst_analytics_relation_meta_set_relation, relations, CLASS_RELATION, regions.id,
      classes.id);
}

static gboolean
contains (const GQuark * subjects, guint count, GQuark name)
{
  guint i;

  for (i = 0; i < count; i++)
    if (subjects[i] == name)
      return TRUE;
  return FALSE;
}

/* Marks the regions of a mask that belong to the subjects. Returns FALSE without such regions. */
static gboolean
mark_subjects (GstAnalyticsRelationMeta * relations, const GstAnalyticsMtd * regions,
    const GQuark * subjects, guint count, guint8 * alphas)
{
  GstAnalyticsMtd classes;
  gpointer state = NULL;
  gboolean found = FALSE;
  gsize index, number = CALL (gst_analytics_segmentation_mtd_get_region_count, regions);

  memset (alphas, 0, 256);
  if (!CALL (gst_analytics_relation_meta_get_direct_related, relations, regions->id,
          CLASS_RELATION, CALL (gst_analytics_cls_mtd_get_mtd_type), &state, &classes))
    return FALSE;
  number = MIN (number, CALL (gst_analytics_cls_mtd_get_length, &classes));
  for (index = 0; index < number; index++) {
    guint id = CALL (gst_analytics_segmentation_mtd_get_region_id, regions, index);

    if (id < 256 && contains (subjects, count,
            CALL (gst_analytics_cls_mtd_get_quark, &classes, index))) {
      alphas[id] = 255;
      found = TRUE;
    }
  }
  return found;
}

static gboolean
lies_within (const VBGMask * mask, guint width, guint height)
{
  return mask->region_x >= 0 && mask->region_y >= 0
      && mask->region_width > 0 && mask->region_height > 0
      && (guint64) mask->region_x + mask->region_width <= width
      && (guint64) mask->region_y + mask->region_height <= height;
}

/* Maps the samples of a mask. Returns FALSE if its GstVideoMeta does not match them. */
static gboolean
map_mask (VBGMask * mask)
{
  GstVideoMeta *plane = gst_buffer_get_video_meta (mask->buffer);

  if (plane == NULL || plane->format != GST_VIDEO_FORMAT_GRAY8 || plane->n_planes != 1
      || plane->width < 1 || plane->width > G_MAXINT || plane->height < 1
      || plane->height > G_MAXINT || plane->stride[0] < (gint) plane->width
      || !gst_buffer_map (mask->buffer, &mask->map, GST_MAP_READ))
    return FALSE;
  mask->width = plane->width;
  mask->height = plane->height;
  mask->stride = (guint) plane->stride[0];
  /* Each factor has at most 31 bits, so the product cannot overflow. */
  if (plane->offset[0] <= mask->map.size
      && (guint64) (mask->height - 1) * mask->stride + mask->width
      <= mask->map.size - plane->offset[0]) {
    mask->data = mask->map.data + plane->offset[0];
    return TRUE;
  }
  gst_buffer_unmap (mask->buffer, &mask->map);
  return FALSE;
}

gboolean
vbg_buffer_find_mask (GstBuffer * buffer, guint width, guint height, const GQuark * subjects,
    guint count, VBGMask * mask, guint8 * alphas)
{
  GstAnalyticsRelationMeta *relations;
  GstAnalyticsMtd each;
  gpointer state = NULL;

  /* The element that attached a mask has loaded the library. */
  if (g_type_from_name ("GstAnalyticsRelationMetaAPI") == 0 || !vbg_analytics_is_available ())
    return FALSE;
  relations = CALL (gst_buffer_get_analytics_relation_meta, buffer);
  if (relations == NULL)
    return FALSE;
  while (CALL (gst_analytics_relation_meta_iterate, relations, &state,
          CALL (gst_analytics_segmentation_mtd_get_mtd_type), &each)) {
    if (!mark_subjects (relations, &each, subjects, count, alphas))
      continue;
    mask->buffer = CALL (gst_analytics_segmentation_mtd_get_mask, &each, &mask->region_x,
        &mask->region_y, &mask->region_width, &mask->region_height);
    if (mask->buffer != NULL && lies_within (mask, width, height) && map_mask (mask))
      return TRUE;
    gst_clear_buffer (&mask->buffer);
  }
  return FALSE;
}

void
vbg_mask_release (VBGMask * mask)
{
  gst_buffer_unmap (mask->buffer, &mask->map);
  gst_buffer_unref (mask->buffer);
}
