/*
 * OpenVINO's C API, opened at run time.
 *
 * Nothing is linked: the functions are looked up in a library that dlopen has opened. The compiler
 * still checks every use, because the pointers take their types from the headers' declarations.
 */
#pragma once

#include <dlfcn.h>
#include <string.h>

#include <openvino/c/openvino.h>

/*
 * Declares dladdr and its Dl_info. The system header declares them only for _GNU_SOURCE, and
 * Swift's module of the C library is built without it.
 */
typedef struct openvino_image {
  const char *_Nullable path;
  void *_Nullable base;
  const char *_Nullable symbol;
  void *_Nullable address;
} openvino_image;

int openvino_find_image(const void *_Nonnull address, openvino_image *_Nonnull image)
    __asm__("dladdr");

/* The list of all functions that are used. The struct and the loader below are generated from
 * it. */
#define OPENVINO_FUNCTIONS(FUNCTION)                   \
  FUNCTION(ov_get_openvino_version)                    \
  FUNCTION(ov_version_free)                            \
  FUNCTION(ov_get_error_info)                          \
  FUNCTION(ov_get_last_err_msg)                        \
  FUNCTION(ov_free)                                    \
  FUNCTION(ov_core_create)                             \
  FUNCTION(ov_core_free)                               \
  FUNCTION(ov_core_set_property)                       \
  FUNCTION(ov_core_get_property)                       \
  FUNCTION(ov_core_get_available_devices)              \
  FUNCTION(ov_available_devices_free)                  \
  FUNCTION(ov_core_read_model)                         \
  FUNCTION(ov_core_read_model_from_memory_buffer)      \
  FUNCTION(ov_core_compile_model)                      \
  FUNCTION(ov_core_import_model)                       \
  FUNCTION(ov_model_free)                              \
  FUNCTION(ov_model_inputs_size)                       \
  FUNCTION(ov_model_outputs_size)                      \
  FUNCTION(ov_model_const_input_by_index)              \
  FUNCTION(ov_model_const_output_by_index)             \
  FUNCTION(ov_model_reshape_by_port_indexes)           \
  FUNCTION(ov_output_const_port_free)                  \
  FUNCTION(ov_port_get_any_name)                       \
  FUNCTION(ov_port_get_element_type)                   \
  FUNCTION(ov_port_get_partial_shape)                  \
  FUNCTION(ov_partial_shape_create_static)             \
  FUNCTION(ov_partial_shape_free)                      \
  FUNCTION(ov_preprocess_prepostprocessor_create)      \
  FUNCTION(ov_preprocess_prepostprocessor_free)        \
  FUNCTION(ov_preprocess_prepostprocessor_build)       \
  FUNCTION(ov_preprocess_prepostprocessor_get_input_info_by_index) \
  FUNCTION(ov_preprocess_input_info_free)              \
  FUNCTION(ov_preprocess_input_info_get_tensor_info)   \
  FUNCTION(ov_preprocess_input_tensor_info_free)       \
  FUNCTION(ov_preprocess_input_tensor_info_set_element_type) \
  FUNCTION(ov_preprocess_prepostprocessor_get_output_info_by_index) \
  FUNCTION(ov_preprocess_output_info_free)             \
  FUNCTION(ov_preprocess_output_info_get_tensor_info)  \
  FUNCTION(ov_preprocess_output_tensor_info_free)      \
  FUNCTION(ov_preprocess_output_set_element_type)      \
  FUNCTION(ov_compiled_model_create_infer_request)     \
  FUNCTION(ov_compiled_model_export_model)             \
  FUNCTION(ov_compiled_model_free)                     \
  FUNCTION(ov_compiled_model_get_property)             \
  FUNCTION(ov_infer_request_get_input_tensor)          \
  FUNCTION(ov_infer_request_get_output_tensor_by_index) \
  FUNCTION(ov_infer_request_set_tensor)                \
  FUNCTION(ov_infer_request_infer)                     \
  FUNCTION(ov_infer_request_start_async)               \
  FUNCTION(ov_infer_request_wait)                      \
  FUNCTION(ov_infer_request_free)                      \
  FUNCTION(ov_tensor_create)                           \
  FUNCTION(ov_tensor_get_byte_size)                    \
  FUNCTION(ov_tensor_get_element_type)                 \
  FUNCTION(ov_tensor_data)                             \
  FUNCTION(ov_tensor_free)

/* Pointers to the functions, each under the function's name. */
typedef struct openvino_functions {
#define OPENVINO_FIELD(name) __typeof__(name) *_Nonnull name;
  OPENVINO_FUNCTIONS(OPENVINO_FIELD)
#undef OPENVINO_FIELD
} openvino_functions;

/* Loads `functions` from an open library. Returns the name of the first missing function, or
 * NULL. */
static inline const char *_Nullable openvino_functions_load(
    void *_Nonnull library, openvino_functions *_Nonnull functions) {
#define OPENVINO_LOAD(name)                              \
  {                                                      \
    void *symbol = dlsym(library, #name);                \
    if (symbol == NULL) return #name;                    \
    memcpy(&functions->name, &symbol, sizeof symbol);    \
  }
  OPENVINO_FUNCTIONS(OPENVINO_LOAD)
#undef OPENVINO_LOAD
  return NULL;
}

/* Swift cannot call variadic functions, so the functions below have fixed parameters. */

/* Sets a property of a device to a value in text form. An empty device name selects all devices. */
static inline ov_status_e openvino_core_set_property(
    const openvino_functions *_Nonnull functions, const ov_core_t *_Nonnull core,
    const char *_Nonnull device, const char *_Nonnull key, const char *_Nonnull value) {
  return functions->ov_core_set_property(core, device, key, value);
}

/* The maximum number of properties for compiling a model. */
enum { openvino_property_limit = 5 };

/* A property: its name, and its value in text form. */
typedef struct openvino_property {
  const char *_Nullable key;
  const char *_Nullable value;
} openvino_property;

/* Compiles a model with the first `count` properties. OpenVINO ignores the others. */
static inline ov_status_e openvino_core_compile_model(
    const openvino_functions *_Nonnull functions, const ov_core_t *_Nonnull core,
    const ov_model_t *_Nonnull model, const char *_Nonnull device,
    const openvino_property *_Nonnull p, size_t count,
    ov_compiled_model_t *_Nullable *_Nonnull compiled) {
  if (count > openvino_property_limit) return INVALID_C_PARAM;
  return functions->ov_core_compile_model(
      core, model, device, 2 * count, compiled, p[0].key, p[0].value, p[1].key, p[1].value,
      p[2].key, p[2].value, p[3].key, p[3].value, p[4].key, p[4].value);
}
