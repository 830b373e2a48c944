"""Rewrites a MediaPipe selfie network so that every TFLite reader understands it.

    rewrite_selfie.py SOURCE.tflite TARGET.tflite

The networks end in a custom operation of MediaPipe, `Convolution2DTransposeBias`: data, kernel
(OHWI) and bias. TFLite's builtin TRANSPOSE_CONV computes the same from (output shape, kernel, data,
bias), so the script replaces only this operation. The same source always gives the same bytes. The
module path holds `flatbuffers` and `ai_edge_litert.schema_py_generated`.
"""

import struct

import flatbuffers
from ai_edge_litert import schema_py_generated as schema
from rewriting import UnexpectedNetwork, main

CUSTOM_NAME = b"Convolution2DTransposeBias"
# The custom operation's options: three little-endian int32.
CUSTOM_OPTIONS = struct.Struct("<3i")
CUSTOM_PADDING_SAME = 1
# TRANSPOSE_CONV takes a bias since its version 3.
TRANSPOSE_CONV_VERSION = 3


# The schema demands this with `force_align`, which the generated Python ignores. Readers use the
# weights directly in the file.
BUFFER_ALIGNMENT = 16


class AlignedBuffer(schema.BufferT):
    """A buffer that starts at a multiple of `BUFFER_ALIGNMENT` in the file."""

    def __init__(self, data):
        super().__init__()
        self.data = None if data is None else bytes(data)

    def Pack(self, builder):
        vector = None
        if self.data is not None:
            builder.StartVector(1, len(self.data), BUFFER_ALIGNMENT)
            builder.head -= len(self.data)
            builder.Bytes[builder.head : builder.head + len(self.data)] = self.data
            vector = builder.EndVector()
        schema.BufferStart(builder)
        if vector is not None:
            schema.BufferAddData(builder, vector)
        return schema.BufferEnd(builder)


def transpose_conv_options(custom_options):
    padding, stride_width, stride_height = CUSTOM_OPTIONS.unpack(bytes(custom_options))
    if padding != CUSTOM_PADDING_SAME:
        raise UnexpectedNetwork(f"padding {padding} is not SAME")
    options = schema.TransposeConvOptionsT()
    options.padding = schema.Padding.SAME
    options.strideW = stride_width
    options.strideH = stride_height
    options.fusedActivationFunction = schema.ActivationFunctionType.NONE
    return options


def shape_tensor(model, graph, of_tensor):
    """Adds a constant that holds a tensor's shape and returns its index."""
    shape = [int(extent) for extent in of_tensor.shape]
    model.buffers.append(AlignedBuffer(struct.pack(f"<{len(shape)}i", *shape)))
    tensor = schema.TensorT()
    tensor.name = of_tensor.name + b"/output_shape"
    tensor.shape = [len(shape)]
    tensor.type = schema.TensorType.INT32
    tensor.buffer = len(model.buffers) - 1
    graph.tensors.append(tensor)
    return len(graph.tensors) - 1


def rewrite(source):
    """Returns the bytes of the rewritten network."""
    if not schema.Model.ModelBufferHasIdentifier(source, 0):
        raise UnexpectedNetwork("not a TFLite file")
    model = schema.ModelT.InitFromPackedBuf(source, 0)
    if any(buffer.offset or buffer.size for buffer in model.buffers):
        raise UnexpectedNetwork("weights are outside of the flatbuffer")
    model.buffers = [AlignedBuffer(buffer.data) for buffer in model.buffers]
    codes = [
        index for index, code in enumerate(model.operatorCodes) if code.customCode == CUSTOM_NAME
    ]
    if len(codes) != 1:
        raise UnexpectedNetwork(f"found {len(codes)} operation codes {CUSTOM_NAME.decode()}, expected 1")
    code = model.operatorCodes[codes[0]]
    code.customCode = None
    code.builtinCode = schema.BuiltinOperator.TRANSPOSE_CONV
    code.deprecatedBuiltinCode = schema.BuiltinOperator.TRANSPOSE_CONV
    code.version = TRANSPOSE_CONV_VERSION

    for graph in model.subgraphs:
        for operator in graph.operators:
            if operator.opcodeIndex != codes[0]:
                continue
            data, kernel, bias = operator.inputs
            output = graph.tensors[operator.outputs[0]]
            options = transpose_conv_options(operator.customOptions)
            operator.inputs = [shape_tensor(model, graph, output), kernel, data, bias]
            operator.customOptions = None
            operator.builtinOptionsType = schema.BuiltinOptions.TransposeConvOptions
            operator.builtinOptions = options

    builder = flatbuffers.Builder(len(source))
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


if __name__ == "__main__":
    main(__doc__, rewrite)
