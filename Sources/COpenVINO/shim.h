/* The headers of OpenVINO's C API. */
#include <openvino/c/openvino.h>
