"""Writes O-Net of MTCNN as ONNX, out of the weights that facenet-pytorch publishes.

    convert_onet.py SOURCE.pt TARGET.onnx

The source is a file of PyTorch's older format: pickles, then the numbers of each storage. Only what
this network's pickle needs is made of it, nothing is imported by name. The weights become 16-bit floats, and
the five landmarks are left out. The same source always gives the same bytes. Standard library only.
"""

import array
import collections
import pathlib
import pickle
import struct
import sys

# What a pickle of PyTorch's older format begins with, and its version.
MAGIC, PROTOCOL = 0x1950A86A20F9469CFC6C, 1001
SIDE = 48
# Name, outputs and side of the kernels; then side of the pooling, which goes by twos, or 0 for none.
LAYERS = [("1", 32, 3, 3), ("2", 64, 3, 3), ("3", 64, 3, 2), ("4", 128, 2, 0)]
# What is left of the picture before the dense layer: channels and side.
CHANNELS, CELLS = 128, 3
# Numbers of onnx.proto: types of tensors, and of attributes.
FLOAT, FLOAT16 = 1, 10
INT, INTS = 2, 7
IR_VERSION, OPERATIONS_VERSION = 8, 13


class UnexpectedNetwork(Exception):
    """The file is not the network that this was made for."""


# -- The source ------------------------------------------------------------------------------------


class Tensor:
    """A tensor of a pickle, whose numbers follow later in the file."""

    def __init__(self, storage, offset, shape, strides, *_):
        self.storage, self.offset = storage, offset
        self.shape, self.strides = tuple(shape), strides

    def numbers(self, storages):
        """Row by row, whatever the order in the file."""
        places = [self.offset]
        for extent, stride in zip(self.shape, self.strides, strict=True):
            places = [place + stride * index for place in places for index in range(extent)]
        return array.array("f", (storages[self.storage][place] for place in places))


class Reader(pickle.Unpickler):
    """Reads a pickle of tensors and makes nothing else."""

    MADE = {
        ("collections", "OrderedDict"): collections.OrderedDict,
        ("torch", "FloatStorage"): "float",
        ("torch._utils", "_rebuild_tensor_v2"): Tensor,
    }

    def find_class(self, module, name):
        try:
            return self.MADE[module, name]
        except KeyError:
            raise UnexpectedNetwork(f"it asks for {module}.{name}") from None

    def persistent_load(self, identity):
        kind, of, key, *_ = identity
        if (kind, of) != ("storage", "float"):
            raise UnexpectedNetwork(f"it has a {kind} of {of}")
        return key


def read_weights(path):
    """The network's weights: name -> (shape, numbers)."""
    with open(path, "rb") as file:
        if (Reader(file).load(), Reader(file).load()) != (MAGIC, PROTOCOL):
            raise UnexpectedNetwork("not a file of PyTorch's older format")
        Reader(file).load()  # the machine that it was written on
        tensors = Reader(file).load()
        storages = {}
        for key in Reader(file).load():
            count, = struct.unpack("<q", file.read(8))
            storages[key] = struct.unpack(f"<{count}f", file.read(4 * count))
    return {name: (each.shape, each.numbers(storages)) for name, each in tensors.items()}


# -- The target: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto -----------------------------


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


def halves(name, shape, numbers):
    dims = b"".join(number(1, extent) for extent in shape)
    raw = struct.pack(f"<{len(numbers)}e", *numbers)
    return dims + number(2, FLOAT16) + content(8, name) + content(9, raw)


def port(name, *shape):
    dims = b"".join(content(1, number(1, extent)) for extent in shape)
    return content(1, name) + content(2, content(1, number(1, FLOAT) + content(2, dims)))


def node(operation, inputs, output, **attributes):
    out = b"".join(content(1, name) for name in inputs) + content(2, output)
    out += content(4, operation)
    for name, value in attributes.items():
        if isinstance(value, list):
            body = b"".join(number(8, each) for each in value) + number(20, INTS)
        else:
            body = number(3, value) + number(20, INT)
        out += content(5, content(1, name) + body)
    return out


class Graph:
    """The operations in their order, with the weights that they take."""

    def __init__(self, weights):
        self.weights = weights
        self.nodes, self.constants = [], []

    def take(self, name, shape, like=None):
        """The name of a weight as floats, which is written in another shape where `like` has one."""
        found, numbers = self.weights.pop(name, (None, None))
        if found != shape:
            raise UnexpectedNetwork(f"{name} has the shape {found}, not {shape}")
        self.constants.append(halves(f"{name}.half", like or shape, numbers))
        self.nodes.append(node("Cast", [f"{name}.half"], name, to=FLOAT))
        return name

    def add(self, operation, inputs, output, **attributes):
        self.nodes.append(node(operation, inputs, output, **attributes))
        return output

    def dense(self, name, source, outputs, inputs, target):
        taken = [self.take(f"{name}.weight", (outputs, inputs)), self.take(f"{name}.bias", (outputs,))]
        return self.add("Gemm", [source, *taken], target, transB=1)


def reorder_dense(weights):
    """Lets the dense layer read the channels' planes one after the other, as they lie.

    It was made for the channels of a pixel side by side, column by column.
    """
    shape, numbers = weights.get("dense5.weight", ((), ()))
    size = CHANNELS * CELLS * CELLS
    if shape[1:] != (size,):
        raise UnexpectedNetwork(f"dense5.weight has the shape {shape}")
    order = [
        (x * CELLS + y) * CHANNELS + channel
        for channel in range(CHANNELS) for y in range(CELLS) for x in range(CELLS)]
    rows = (numbers[first : first + size] for first in range(0, len(numbers), size))
    weights["dense5.weight"] = (shape, array.array("f", (row[i] for row in rows for i in order)))


def convert(weights):
    """Returns the bytes of the network as ONNX."""
    reorder_dense(weights)
    graph = Graph(weights)
    last, channels = "picture", 3
    for name, outputs, side, pool in LAYERS:
        kernel = graph.take(f"conv{name}.weight", (outputs, channels, side, side))
        bias = graph.take(f"conv{name}.bias", (outputs,))
        last = graph.add(
            "Conv", [last, kernel, bias], f"conv{name}", kernel_shape=[side, side])
        slope = graph.take(f"prelu{name}.weight", (outputs,), like=(outputs, 1, 1))
        last = graph.add("PRelu", [last, slope], f"prelu{name}")
        if pool:
            last = graph.add(
                "MaxPool", [last], f"pool{name}", kernel_shape=[pool, pool], strides=[2, 2],
                ceil_mode=1)
        channels = outputs
    last = graph.add("Flatten", [last], "flat", axis=1)
    last = graph.dense("dense5", last, 256, CHANNELS * CELLS * CELLS, "dense5")
    last = graph.add("PRelu", [last, graph.take("prelu5.weight", (256,))], "prelu5")
    graph.dense("dense6_2", last, 4, 256, "box")
    graph.add("Softmax", [graph.dense("dense6_1", last, 2, 256, "logits")], "scores", axis=1)
    written = b"".join(content(1, each) for each in graph.nodes) + content(2, "O-Net")
    written += b"".join(content(5, each) for each in graph.constants)
    written += content(11, port("picture", 1, 3, SIDE, SIDE))
    written += content(12, port("box", 1, 4)) + content(12, port("scores", 1, 2))
    return number(1, IR_VERSION) + content(7, written) + content(8, number(2, OPERATIONS_VERSION))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    try:
        target.write_bytes(convert(read_weights(source)))
    except (UnexpectedNetwork, pickle.UnpicklingError, struct.error) as unexpected:
        sys.exit(f"{source}: {unexpected}")


if __name__ == "__main__":
    main()
