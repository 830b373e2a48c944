#!/usr/bin/env python3
"""Writes the tiny networks that the tests load into the folder of this script.

The script needs no weights and no packages. Each network has only a few operations, so its result
is easy to predict. Values and factors are sums of few powers of two, which bfloat16 holds exactly.
"""

import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
HEIGHT, WIDTH = 4, 6

# -- Protobuf and ONNX: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto ---------------------

FLOAT, UINT8, INT64, FLOAT16 = 1, 2, 7, 10


def varint(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def content(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def tensor(name, kind, shape, values):
    raw = struct.pack("<%d%s" % (len(values), {FLOAT: "f", INT64: "q"}[kind]), *values)
    dims = b"".join(number(1, size) for size in shape)
    return dims + number(2, kind) + content(8, name) + content(9, raw)


def outside(name, file):
    """One float, four bytes in a file next to the model."""
    place = content(1, "location") + content(2, file)
    return number(1, 1) + number(2, FLOAT) + content(8, name) + content(13, place) + number(14, 1)


def port(name, kind, shape):
    """An input or output. A dimension that is a text is left open."""
    dims = b"".join(
        content(1, content(2, size) if isinstance(size, str) else number(1, size))
        for size in shape)
    return content(1, name) + content(2, content(1, number(1, kind) + content(2, dims)))


def node(operation, inputs, outputs, **attributes):
    out = b"".join(content(1, name) for name in inputs)
    out += b"".join(content(2, name) for name in outputs)
    out += content(4, operation)
    for name, value in attributes.items():
        if isinstance(value, list):  # INTS
            body = b"".join(number(8, item) for item in value) + number(20, 7)
        else:  # INT
            body = number(3, value) + number(20, 2)
        out += content(5, content(1, name) + body)
    return out


def write_onnx(file, nodes, inputs, outputs, constants=()):
    graph = b"".join(content(1, item) for item in nodes) + content(2, "graph")
    graph += b"".join(content(5, item) for item in constants)
    graph += b"".join(content(11, item) for item in inputs)
    graph += b"".join(content(12, item) for item in outputs)
    write(file, number(1, 8) + content(7, graph) + content(8, number(2, 13)))


def write(file, data):
    with open(os.path.join(HERE, file), "wb") as out:
        out.write(data)


# -- Networks of one picture: the matte is the red channel -----------------------------------------

PICTURE, MATTE = [1, HEIGHT, WIDTH, 3], [1, HEIGHT, WIDTH, 1]
FIRST = tensor("first", INT64, [1], [0])


def red(source, target, axis):
    return node("Gather", [source, "first"], [target], axis=axis)


def write_single_pictures():
    picture, matte = port("picture", FLOAT, PICTURE), port("matte", FLOAT, MATTE)
    write_onnx("red.onnx", [red("picture", "matte", 3)], [picture], [matte], [FIRST])
    write_onnx(
        "red_planar.onnx", [red("picture", "matte", 1)],
        [port("picture", FLOAT, [1, 3, HEIGHT, WIDTH])],
        [port("matte", FLOAT, [1, 1, HEIGHT, WIDTH])], [FIRST])

    # Multiplies by two factors in separate files: a weight and the value of a node.
    value = content(1, "value") + content(5, outside("", "value.bin")) + number(20, 4)
    write_onnx(
        "external.onnx",
        [red("picture", "red", 3), node("Mul", ["red", "weight"], ["product"]),
         content(2, "value") + content(4, "Constant") + content(5, value),
         node("Mul", ["product", "value"], ["matte"])],
        [picture], [matte], [FIRST, outside("weight", "weight.bin")])

    # Models that must be refused.
    write_onnx(
        "three_dimensions.onnx", [red("picture", "matte", 2)],
        [port("picture", FLOAT, PICTURE[1:])], [port("matte", FLOAT, MATTE[1:])], [FIRST])
    write_onnx(
        "any_size.onnx", [red("picture", "matte", 3)], [port("picture", FLOAT, [1, "h", "w", 3])],
        [port("matte", FLOAT, [1, "h", "w", 1])], [FIRST])
    write_onnx(
        "two_outputs.onnx", [red("picture", "matte", 3), node("Abs", ["matte"], ["other"])],
        [picture], [matte, port("other", FLOAT, MATTE)], [FIRST])
    write_onnx(
        "two_inputs.onnx", [node("Add", ["picture", "more"], ["sum"]), red("sum", "matte", 3)],
        [picture, port("more", FLOAT, PICTURE)], [matte], [FIRST])
    write_onnx(
        "classes.onnx", [node("Concat", ["picture", "picture"], ["matte"], axis=3)], [picture],
        [port("matte", FLOAT, [1, HEIGHT, WIDTH, 6])])
    write_onnx(
        "huge.onnx", [red("picture", "matte", 3)], [port("picture", FLOAT, [1, 60000, 60000, 3])],
        [port("matte", FLOAT, [1, 60000, 60000, 1])], [FIRST])
    write_onnx(
        "bytes_in.onnx",
        [node("Cast", ["picture"], ["floats"], to=FLOAT), red("floats", "matte", 3)],
        [port("picture", UINT8, PICTURE)], [matte], [FIRST])
    write_onnx(
        "halves_in.onnx",
        [node("Cast", ["picture"], ["floats"], to=FLOAT), red("floats", "matte", 3)],
        [port("picture", FLOAT16, PICTURE)], [matte], [FIRST])
    write_onnx(
        "bytes_out.onnx", [red("picture", "red", 3), node("Cast", ["red"], ["matte"], to=UINT8)],
        [picture], [port("matte", UINT8, MATTE)], [FIRST])
    write_onnx(
        "halves_out.onnx", [red("picture", "red", 3), node("Cast", ["red"], ["matte"], to=FLOAT16)],
        [picture], [port("matte", FLOAT16, MATTE)], [FIRST])

    # Loads and runs, but a picture with a white pixel fails: its red channel is repeated, and there
    # are twice as many pixels as the matte has. The other gives NaN for white, the root of less
    # than zero.
    write_onnx(
        "fails_on_white.onnx",
        failing("picture", 3) + [node("Reshape", ["flat", "shape"], ["matte"])],
        [picture], [matte],
        [FIRST, *REPEATS, tensor("shape", INT64, [4], MATTE)])
    write_onnx(
        "nan_on_white.onnx",
        [red("picture", "red", 3), node("Sub", ["half", "red"], ["rest"]),
         node("Sqrt", ["rest"], ["matte"])],
        [picture], [matte], [FIRST, tensor("half", FLOAT, [1], [0.5])])


# -- Networks that need more than that to be understood -------------------------------------------

PLANAR, PLANAR_MATTE = [1, 3, HEIGHT, WIDTH], [1, 1, HEIGHT, WIDTH]


def weights(classes, **columns):
    """A matrix from three colours to logits: class number -> one weight for each colour."""
    rows = [[columns.get("c%d" % k, [0, 0, 0])[colour] for k in range(classes)]
            for colour in range(3)]
    return tensor("weights", FLOAT, [3, classes], [value for row in rows for value in row])


def write_other_pictures():
    """Writes networks with other inputs and outputs. Comments give the meaning of the colours."""
    planar = port("picture", FLOAT, PLANAR)
    # As U-2-Net: the first of seven outputs counts. The others are another colour.
    outputs = ["d%d" % k for k in range(7)]
    write_onnx(
        "salient.onnx",
        [red("picture", "d0", 1)]
        + [node("Gather", ["picture", "third"], [name], axis=1) for name in outputs[1:]],
        [planar], [port(name, FLOAT, PLANAR_MATTE) for name in outputs],
        [FIRST, tensor("third", INT64, [1], [2])])
    # As DeepLabV3: logits of 21 classes. Blue is a cat (8), green a dog (12), red a person (15).
    write_onnx(
        "pascal.onnx", [node("MatMul", ["picture", "weights"], ["logits"])],
        [port("picture", FLOAT, PICTURE)], [port("logits", FLOAT, [1, HEIGHT, WIDTH, 21])],
        [weights(21, c8=[0, 0, 4], c12=[0, 4, 0], c15=[4, 0, 0])])
    # The colours are the logits of three classes.
    write_onnx(
        "logits.onnx", [node("Identity", ["picture"], ["logits"])], [planar],
        [port("logits", FLOAT, PLANAR)])
    # The number of the strongest colour, once as it comes and once without the other dimensions.
    write_onnx(
        "labels.onnx", [node("ArgMax", ["picture"], ["labels"], axis=1, keepdims=0)], [planar],
        [port("labels", INT64, [1, HEIGHT, WIDTH])])
    # A matte of half the size.
    write_onnx(
        "half_size.onnx",
        [red("picture", "red", 1),
         node("AveragePool", ["red"], ["matte"], kernel_shape=[2, 2], strides=[2, 2])],
        [planar], [port("matte", FLOAT, [1, 1, HEIGHT // 2, WIDTH // 2])], [FIRST])
    # May be read in two ways.
    write_onnx(
        "ambiguous.onnx", [node("Identity", ["picture"], ["matte"])],
        [port("picture", FLOAT, [1, 3, 3, 3])], [port("matte", FLOAT, [1, 3, 3, 3])])


REPEATS = [
    tensor("one", FLOAT, [1], [1]), tensor("ones", INT64, [3], [1, 1, 1]),
    tensor("first_shape", INT64, [1], [1])]


def failing(source, axis):
    """The red channel as `flat`, with a value of 1 in it two times the red channel."""
    return [
        red(source, "red", axis),
        node("ReduceMax", ["red"], ["maximum"], keepdims=0),
        node("Floor", ["maximum"], ["white"]),
        node("Add", ["white", "one"], ["times"]),
        node("Cast", ["times"], ["count"], to=INT64),
        node("Reshape", ["count", "first_shape"], ["counts"]),
        node("Concat", ["counts", "ones"], ["repeats"], axis=0),
        node("Tile", ["red", "repeats"], ["flat"]),
    ]


# -- Networks with the inputs and outputs of Robust Video Matting ----------------------------------
#
# State k grows by 2^-(k+3) with each picture. The matte is half of red, plus the mean of each
# state, all times downsample_ratio: after n pictures the states add n * 15/128.

LEVELS = [1, 2, 3, 4]


def write_recurrent(
        file, matte="pha", state_type=FLOAT, doubled=False, extra=(), ratio=True, start=None,
        weights=()):
    nodes = start or [red("src", "red", 1), node("Mul", ["red", "half"], ["sum0"])]
    constants = [
        FIRST, tensor("half", FLOAT, [1], [0.5]), *REPEATS,
        tensor("shape", INT64, [4], [1, 1, 64, 64]), *weights]
    inputs = [port("src", FLOAT, ["b", 3, "h", "w"])]
    outputs = [port("fgr", FLOAT, ["b", 3, "h", "w"]), port(matte, FLOAT, ["b", 1, "h", "w"])]
    for k in LEVELS:
        inputs.append(port("r%di" % k, state_type, ["b", 1, "h%d" % k, "w%d" % k]))
        outputs.append(port("r%do" % k, FLOAT, ["b", 1, "g%d" % k, "v%d" % k]))
        constants.append(tensor("growth%d" % k, FLOAT, [1], [2.0 ** -(k + 3)]))
        nodes += [
            node("Cast", ["r%di" % k], ["r%d" % k], to=FLOAT),
            node("ReduceMean", ["r%d" % k], ["mean%d" % k], axes=[2, 3], keepdims=1),
            node("Add", ["sum%d" % (k - 1), "mean%d" % k], ["sum%d" % k]),
            node("Add", ["r%d" % k, "growth%d" % k], ["grown%d" % k]),
            node("Concat", ["grown%d" % k] * (2 if doubled else 1), ["r%do" % k], axis=2),
        ]
    if ratio:
        inputs.append(port("downsample_ratio", FLOAT, [1]))
    else:
        constants.append(tensor("downsample_ratio", FLOAT, [1], [1.0]))
    nodes += [
        node("Mul", ["sum4", "downsample_ratio"], [matte]), node("Identity", ["src"], ["fgr"])]
    write_onnx(file, nodes, inputs + list(extra), outputs, constants)


def write_recurrents():
    write_recurrent("recurrent.onnx")
    write_recurrent("recurrent_without_ratio.onnx", ratio=False)
    write_recurrent(
        "recurrent_external.onnx",
        start=[red("src", "red", 1), node("Mul", ["red", "weight"], ["sum0"])],
        weights=[outside("weight", "weight.bin")])
    write_recurrent("recurrent_no_matte.onnx", matte="alpha")
    write_recurrent("recurrent_halves.onnx", state_type=FLOAT16)
    write_recurrent("recurrent_doubled_state.onnx", doubled=True)
    write_recurrent("recurrent_extra_input.onnx", extra=[port("depth", FLOAT, [1])])
    # As their namesakes of one picture. The first is of 64x64 only.
    write_recurrent(
        "recurrent_fails_on_white.onnx",
        start=failing("src", 1) + [
            node("Reshape", ["flat", "shape"], ["whole"]),
            node("Mul", ["whole", "half"], ["sum0"])])
    write_recurrent(
        "recurrent_nan_on_white.onnx",
        start=[
            red("src", "red", 1), node("Sub", ["half", "red"], ["rest"]),
            node("Sqrt", ["rest"], ["sum0"])])


# -- OpenVINO's own format -------------------------------------------------------------------------


def write_ir():
    def dims(shape):
        return "".join("<dim>%d</dim>" % size for size in shape)

    def constant(index, name, shape, offset):
        return """
    <layer id="%d" name="%s" type="Const" version="opset1">
      <data element_type="i64" shape="%s" offset="%d" size="8"/>
      <output><port id="0" precision="I64">%s</port></output>
    </layer>""" % (index, name, ",".join(map(str, shape)), offset, dims(shape))

    text = """<?xml version="1.0"?>
<net name="red" version="11">
  <layers>
    <layer id="0" name="picture" type="Parameter" version="opset1">
      <data shape="%s" element_type="f32"/>
      <output><port id="0" precision="FP32">%s</port></output>
    </layer>%s%s
    <layer id="3" name="red" type="Gather" version="opset8">
      <data batch_dims="0"/>
      <input>
        <port id="0" precision="FP32">%s</port>
        <port id="1" precision="I64"><dim>1</dim></port>
        <port id="2" precision="I64"/>
      </input>
      <output><port id="3" precision="FP32">%s</port></output>
    </layer>
    <layer id="4" name="matte" type="Result" version="opset1">
      <input><port id="0" precision="FP32">%s</port></input>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="3" to-port="1"/>
    <edge from-layer="2" from-port="0" to-layer="3" to-port="2"/>
    <edge from-layer="3" from-port="3" to-layer="4" to-port="0"/>
  </edges>
</net>
""" % (
        ",".join(map(str, PICTURE)), dims(PICTURE), constant(1, "first", [1], 0),
        constant(2, "axis", [], 8), dims(PICTURE), dims(MATTE), dims(MATTE))
    write("red.xml", text.encode())
    write("red.bin", struct.pack("<2q", 0, 3))


# -- TensorFlow Lite: a FlatBuffer -----------------------------------------------------------------
#
# A table here is a dict from the field's place in the schema to its value: ("b", 1) and ("i", 1)
# are numbers of one and four bytes, texts, lists of numbers and lists of tables stand for
# themselves.


class FlatBuffer:
    def __init__(self, identifier):
        self.data = bytearray(struct.pack("<I4s", 0, identifier))

    def table(self, fields, at):
        """Appends a table and writes the way to it at `at`."""
        count = max(fields) + 1 if fields else 0
        self.align()
        vtable = len(self.data)
        # The vtable is padded so that the table behind it begins at a multiple of four.
        self.data += bytes((4 + 2 * count + 3) // 4 * 4)
        start = len(self.data)
        self.point(at)
        self.data += struct.pack("<i", start - vtable)
        waiting = []
        for place, value in sorted(fields.items()):
            self.align()
            position = len(self.data)
            struct.pack_into("<H", self.data, vtable + 4 + 2 * place, position - start)
            if isinstance(value, tuple):
                self.data += struct.pack("<" + value[0], value[1])
            else:
                self.data += bytes(4)
                waiting.append((position, value))
        self.align()
        struct.pack_into("<HH", self.data, vtable, 4 + 2 * count, len(self.data) - start)
        for position, value in waiting:
            self.follow(value, position)

    def follow(self, value, at):
        self.align()
        self.point(at)
        if isinstance(value, str):
            self.data += struct.pack("<I", len(value)) + value.encode() + b"\0"
        elif isinstance(value, bytes):
            self.data += struct.pack("<I", len(value)) + value
        elif value and isinstance(value[0], dict):
            start = len(self.data) + 4
            self.data += struct.pack("<I", len(value)) + bytes(4 * len(value))
            for index, item in enumerate(value):
                self.table(item, start + 4 * index)
        else:
            self.data += struct.pack("<I%di" % len(value), len(value), *value)

    def point(self, at):
        struct.pack_into("<I", self.data, at, len(self.data) - at)

    def align(self):
        self.data += bytes(-len(self.data) % 4)


def write_tflite():
    """One operation that only MediaPipe knows, as in its own selfie segmentation files."""
    custom = 32
    buffer = FlatBuffer(b"TFL3")
    tensors = [
        {0: PICTURE, 1: ("b", 0), 2: ("I", 0), 3: "picture"},
        {0: MATTE, 1: ("b", 0), 2: ("I", 0), 3: "matte"},
    ]
    operator = {0: ("I", 0), 1: [0], 2: [1], 5: struct.pack("<3i", 1, 2, 2)}
    subgraph = {0: tensors, 1: [0], 2: [1], 3: [operator], 4: "main"}
    code = {0: ("b", custom), 1: "Convolution2DTransposeBias", 2: ("i", 1), 3: ("i", custom)}
    buffer.table({0: ("I", 3), 1: [code], 2: [subgraph], 3: "custom operation", 4: [{}]}, 0)
    buffer.align()
    write("custom_operation.tflite", bytes(buffer.data))


if __name__ == "__main__":
    write_single_pictures()
    write_other_pictures()
    write_recurrents()
    write_ir()
    write_tflite()
