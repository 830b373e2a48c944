/* The values of the enumeration properties of the element vbgfilter, for g_object_set.
 *
 * For applications in C. Nothing needs to be linked, and you may copy this file. The numbers never
 * change. New values are only added at the end.
 *
 *   g_object_set (filter, "effect", GST_VBG_FILTER_EFFECT_REPLACE, "background-path", path, NULL);
 */
#ifndef VBGFILTER_VBGFILTERENUMS_H
#define VBGFILTER_VBGFILTERENUMS_H

/* Values of `effect`. */
typedef enum
{
  GST_VBG_FILTER_EFFECT_AUTO = 0,
  GST_VBG_FILTER_EFFECT_BLUR = 1,
  GST_VBG_FILTER_EFFECT_REPLACE = 2,
  GST_VBG_FILTER_EFFECT_COLOR = 3,
  GST_VBG_FILTER_EFFECT_TRANSPARENT = 4,
  GST_VBG_FILTER_EFFECT_MATTE = 5,
  GST_VBG_FILTER_EFFECT_NONE = 6,
} GstVBGFilterEffect;

/* Values of `blur-shape`. */
typedef enum
{
  GST_VBG_FILTER_BLUR_SHAPE_GAUSSIAN = 0,
  GST_VBG_FILTER_BLUR_SHAPE_LENS = 1,
} GstVBGFilterBlurShape;

/* Values of `framing`. */
typedef enum
{
  GST_VBG_FILTER_FRAMING_FIXED = 0,
  GST_VBG_FILTER_FRAMING_FOLLOW = 1,
} GstVBGFilterFraming;

/* Values of `quality`. */
typedef enum
{
  GST_VBG_FILTER_QUALITY_FAST = 0,
  GST_VBG_FILTER_QUALITY_BALANCED = 1,
  GST_VBG_FILTER_QUALITY_ACCURATE = 2,
  GST_VBG_FILTER_QUALITY_AUTO = 3,
} GstVBGFilterQuality;

/* Values of `inference`. */
typedef enum
{
  GST_VBG_FILTER_INFERENCE_EVERY_FRAME = 0,
  GST_VBG_FILTER_INFERENCE_WHEN_NEEDED = 1,
} GstVBGFilterInference;

/* Values of `pacing`. */
typedef enum
{
  GST_VBG_FILTER_PACING_REUSE_MATTE = 0,
  GST_VBG_FILTER_PACING_REPEAT_FRAME = 1,
  GST_VBG_FILTER_PACING_DROP_FRAME = 2,
} GstVBGFilterPacing;

/* Values of `fit`. */
typedef enum
{
  GST_VBG_FILTER_FIT_COVER = 0,
  GST_VBG_FILTER_FIT_CONTAIN = 1,
  GST_VBG_FILTER_FIT_STRETCH = 2,
} GstVBGFilterFit;

/* Values of `input-orientation`, numbered like GstVideoOrientationMethod. */
typedef enum
{
  GST_VBG_FILTER_INPUT_ORIENTATION_IDENTITY = 0,
  GST_VBG_FILTER_INPUT_ORIENTATION_90R = 1,
  GST_VBG_FILTER_INPUT_ORIENTATION_180 = 2,
  GST_VBG_FILTER_INPUT_ORIENTATION_90L = 3,
  GST_VBG_FILTER_INPUT_ORIENTATION_HORIZ = 4,
  GST_VBG_FILTER_INPUT_ORIENTATION_VERT = 5,
  GST_VBG_FILTER_INPUT_ORIENTATION_UL_LR = 6,
  GST_VBG_FILTER_INPUT_ORIENTATION_UR_LL = 7,
  GST_VBG_FILTER_INPUT_ORIENTATION_AUTO = 8,
} GstVBGFilterInputOrientation;

/* Values of `keep`. */
typedef enum
{
  GST_VBG_FILTER_KEEP_EVERYONE = 0,
  GST_VBG_FILTER_KEEP_NEAREST = 1,
  GST_VBG_FILTER_KEEP_TRACKED = 2,
} GstVBGFilterKeep;

/* Values of `on-failure`. */
typedef enum
{
  GST_VBG_FILTER_ON_FAILURE_BLUR = 0,
  GST_VBG_FILTER_ON_FAILURE_COLOR = 1,
  GST_VBG_FILTER_ON_FAILURE_HOLD = 2,
  GST_VBG_FILTER_ON_FAILURE_DROP = 3,
  GST_VBG_FILTER_ON_FAILURE_ERROR = 4,
} GstVBGFilterOnFailure;

#endif
