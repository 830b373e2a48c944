#include "carried_metas.h"

#include <gst/video/gstvideocodecalphameta.h>
#include <gst/video/video-anc.h>
#include <gst/video/video.h>

/* A meta of an unknown plugin. */
typedef struct
{
  GstMeta meta;
  GstBuffer *picture;
} UnknownMeta;

static gboolean
init_unknown (GstMeta * meta, gpointer parameters, GstBuffer * buffer)
{
  (void) parameters;
  (void) buffer;
  ((UnknownMeta *) meta)->picture = NULL;
  return TRUE;
}

static void
free_unknown (GstMeta * meta, GstBuffer * buffer)
{
  (void) buffer;
  gst_clear_buffer (&((UnknownMeta *) meta)->picture);
}

static gboolean
transform_unknown (GstBuffer * to, GstMeta * meta, GstBuffer * from, GQuark type, gpointer data)
{
  (void) from;
  (void) type;
  (void) data;
  ((UnknownMeta *) gst_buffer_add_meta (to, meta->info, NULL))->picture =
      gst_buffer_ref (((UnknownMeta *) meta)->picture);
  return TRUE;
}

static const GstMetaInfo *
unknown_info (void)
{
  static gsize info;
  static const gchar *tags[] = { NULL };

  if (g_once_init_enter (&info))
    g_once_init_leave (&info,
        (gsize) gst_meta_register (gst_meta_api_type_register ("VBGUnknownTestMetaAPI", tags),
            "VBGUnknownTestMeta", sizeof (UnknownMeta), init_unknown, free_unknown,
            transform_unknown));
  return (const GstMetaInfo *) info;
}

static const gchar *
custom_name (gboolean has_picture)
{
  static gsize done;
  static const gchar *tags[] = { NULL };

  if (g_once_init_enter (&done)) {
    gst_meta_register_custom ("VBGPlainTestMeta", tags, NULL, NULL, NULL);
    gst_meta_register_custom ("VBGPictureTestMeta", tags, NULL, NULL, NULL);
    g_once_init_leave (&done, 1);
  }
  return has_picture ? "VBGPictureTestMeta" : "VBGPlainTestMeta";
}

static gboolean
upload_nothing (GstVideoGLTextureUploadMeta * meta, guint ids[4])
{
  (void) meta;
  (void) ids;
  return FALSE;
}

static void
attach_region (GstBuffer * buffer, GstStructure * parameter)
{
  gst_video_region_of_interest_meta_add_param (gst_buffer_add_video_region_of_interest_meta (buffer,
          "face", 20, 30, 40, 50), parameter);
}

static void
attach_overlay (GstBuffer * buffer)
{
  GstBuffer *pixels = gst_buffer_new_allocate (NULL, 4 * 4 * 4, NULL);
  GstVideoOverlayRectangle *rectangle;
  GstVideoOverlayComposition *composition;

  gst_buffer_memset (pixels, 0, 255, 4 * 4 * 4);
  gst_buffer_add_video_meta (pixels, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 4, 4);
  rectangle = gst_video_overlay_rectangle_new_raw (pixels, 0, 0, 4, 4,
      GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  composition = gst_video_overlay_composition_new (rectangle);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
  gst_video_overlay_composition_unref (composition);
  gst_video_overlay_rectangle_unref (rectangle);
  gst_buffer_unref (pixels);
}

void
carried_attach (GstBuffer * buffer, CarriedMeta kind, GstBuffer * picture)
{
  GstVideoGLTextureType textures[4] = { GST_VIDEO_GL_TEXTURE_TYPE_RGBA };
  GstCaps *caps;

  switch (kind) {
    case CARRIED_REGION:
      attach_region (buffer, gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE, 0.5, NULL));
      break;
    case CARRIED_REGION_WITH_PICTURE:
      attach_region (buffer, gst_structure_new ("face", "crop", GST_TYPE_BUFFER, picture, NULL));
      break;
    case CARRIED_TIME_CODE:
      gst_buffer_add_video_time_code_meta_full (buffer, 30, 1, NULL, GST_VIDEO_TIME_CODE_FLAGS_NONE,
          1, 2, 3, 4, 0);
      break;
    case CARRIED_CAPTIONS:
      gst_buffer_add_video_caption_meta (buffer, GST_VIDEO_CAPTION_TYPE_CEA608_RAW,
          (const guint8 *) "ab", 2);
      break;
    case CARRIED_REFERENCE_TIME:
      caps = gst_caps_new_empty_simple ("timestamp/x-ntp");
      gst_buffer_add_reference_timestamp_meta (buffer, caps, 7, 8);
      gst_caps_unref (caps);
      break;
    case CARRIED_REFERENCE_WITH_PICTURE:
      caps = gst_caps_new_simple ("timestamp/x-camera", "frame", GST_TYPE_BUFFER, picture, NULL);
      gst_buffer_add_reference_timestamp_meta (buffer, caps, 7, 8);
      gst_caps_unref (caps);
      break;
    case CARRIED_ACTIVE_FORMAT:
      gst_buffer_add_video_afd_meta (buffer, 0, GST_VIDEO_AFD_SPEC_ATSC_A53,
          GST_VIDEO_AFD_16_9_TOP_ALIGNED);
      break;
    case CARRIED_BARS:
      gst_buffer_add_video_bar_meta (buffer, 0, TRUE, 3, 4);
      break;
    case CARRIED_MATRIX:
      gst_buffer_add_video_affine_transformation_meta (buffer);
      break;
    case CARRIED_OVERLAY:
      attach_overlay (buffer);
      break;
    case CARRIED_PLAIN_FIELDS:
      gst_structure_set (gst_custom_meta_get_structure (gst_buffer_add_custom_meta (buffer,
                  custom_name (FALSE))), "text", G_TYPE_STRING, "hello", NULL);
      break;
    case CARRIED_FIELDS_WITH_PICTURE:
      gst_structure_set (gst_custom_meta_get_structure (gst_buffer_add_custom_meta (buffer,
                  custom_name (TRUE))), "frame", GST_TYPE_BUFFER, picture, NULL);
      break;
    case CARRIED_TEXTURE:
      gst_buffer_add_video_gl_texture_upload_meta (buffer,
          GST_VIDEO_GL_TEXTURE_ORIENTATION_X_NORMAL_Y_NORMAL, 1, textures, upload_nothing, NULL,
          NULL, NULL);
      break;
    case CARRIED_PARENT:
      gst_buffer_add_parent_buffer_meta (buffer, picture);
      break;
    case CARRIED_CODEC_ALPHA:
      gst_buffer_add_video_codec_alpha_meta (buffer, gst_buffer_ref (picture));
      break;
    case CARRIED_PROTECTION:
      gst_buffer_add_protection_meta (buffer, gst_structure_new ("application/x-cenc", "subsamples",
              GST_TYPE_BUFFER, picture, NULL));
      break;
    case CARRIED_UNKNOWN:
      ((UnknownMeta *) gst_buffer_add_meta (buffer, unknown_info (), NULL))->picture =
          gst_buffer_ref (picture);
      break;
  }
}

static const gchar *
api_name (CarriedMeta kind)
{
  switch (kind) {
    case CARRIED_REGION:
    case CARRIED_REGION_WITH_PICTURE:
      return "GstVideoRegionOfInterestMetaAPI";
    case CARRIED_TIME_CODE:
      return "GstVideoTimeCodeMetaAPI";
    case CARRIED_CAPTIONS:
      return "GstVideoCaptionMetaAPI";
    case CARRIED_REFERENCE_TIME:
    case CARRIED_REFERENCE_WITH_PICTURE:
      return "GstReferenceTimestampMetaAPI";
    case CARRIED_ACTIVE_FORMAT:
      return "GstVideoAFDMetaAPI";
    case CARRIED_BARS:
      return "GstVideoBarMetaAPI";
    case CARRIED_MATRIX:
      return "GstVideoAffineTransformationAPI";
    case CARRIED_OVERLAY:
      return "GstVideoOverlayCompositionMetaAPI";
    case CARRIED_PLAIN_FIELDS:
    case CARRIED_FIELDS_WITH_PICTURE:
      return g_type_name (gst_meta_get_info (custom_name (kind
                  == CARRIED_FIELDS_WITH_PICTURE))->api);
    case CARRIED_TEXTURE:
      return "GstVideoGLTextureUploadMetaAPI";
    case CARRIED_PARENT:
      return "GstParentBufferMetaAPI";
    case CARRIED_CODEC_ALPHA:
      return "GstVideoCodecAlphaMetaAPI";
    case CARRIED_PROTECTION:
      return "GstProtectionMetaAPI";
    case CARRIED_UNKNOWN:
      return "VBGUnknownTestMetaAPI";
  }
  g_assert_not_reached ();
}

gboolean
carried_is_attached (GstBuffer * buffer, CarriedMeta kind)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (buffer, &state)))
    if (g_str_equal (g_type_name (meta->info->api), api_name (kind)))
      return TRUE;
  return FALSE;
}
