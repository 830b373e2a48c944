"""Rewrites Robust Video Matting, so that OpenVINO needs only 88 % of the time for the same mattes.

    rewrite_matting.py SOURCE.onnx TARGET.onnx

- Each `HardSigmoid` becomes clip(x + 3, 0, 6) / 6, which OpenVINO fuses with the multiplication. A
  `HardSigmoid` runs as a reference kernel, between two conversions of the layout.
- The input `downsample_ratio` becomes the constant 1. Three resizes then keep the size. They are
  removed.
- The output `fgr` is removed, with all nodes that only it needs.

The same source always gives the same bytes. The module path holds `google.protobuf`.
"""

import struct

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from rewriting import UnexpectedNetwork, main

# The fields of ONNX's messages that are read or written: message -> field -> (number, type). All
# other fields are kept.
STRING, BYTES = "TYPE_STRING", "TYPE_BYTES"
FIELDS = {
    "Model": {"doc_string": (6, STRING), "graph": (7, "Graph")},
    "Graph": {
        "node": (1, "Node"),
        "initializer": (5, "Tensor"),
        "input": (11, "Value"),
        "output": (12, "Value"),
    },
    "Node": {
        "input": (1, STRING),
        "output": (2, STRING),
        "name": (3, STRING),
        "op_type": (4, STRING),
    },
    "Tensor": {"data_type": (2, "TYPE_INT32"), "name": (8, STRING), "raw_data": (9, BYTES)},
    "Value": {"name": (1, STRING)},
}
SINGLE = {("Model", "doc_string"), ("Model", "graph"), ("Node", "name"), ("Node", "op_type")}
SINGLE |= {("Value", "name")}
SINGLE |= {("Tensor", field) for field in FIELDS["Tensor"]}
FLOAT = 1

# The licence requires a notice of the change in the file.
NOTICE = "Robust Video Matting. Changed for vbgfilter in 2026: the graph, not the weights."

RATIO = "downsample_ratio"
FOREGROUND = "fgr"
# The resize of the picture, and the resizes of the two results of the guided filter.
RESIZES = {"Resize_3", "Resize_332", "Resize_346"}
HARD_SIGMOIDS = 28


def make_messages():
    """Returns the classes of ONNX's messages, with the needed fields."""
    file = descriptor_pb2.FileDescriptorProto(name="onnx.proto", package="onnx", syntax="proto2")
    kinds = descriptor_pb2.FieldDescriptorProto
    for message, fields in FIELDS.items():
        described = file.message_type.add(name=message)
        for name, (number, kind) in fields.items():
            field = described.field.add(name=name, number=number)
            field.label = (
                kinds.LABEL_OPTIONAL if (message, name) in SINGLE else kinds.LABEL_REPEATED
            )
            if kind in FIELDS:
                field.type, field.type_name = kinds.TYPE_MESSAGE, f".onnx.{kind}"
            else:
                field.type = kinds.Type.Value(kind)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"onnx.{name}"))
        for name in FIELDS
    }


MESSAGES = make_messages()


def make_node(kind, inputs, output):
    return MESSAGES["Node"](name=output, op_type=kind, input=inputs, output=[output])


def replace_hard_sigmoids(graph):
    nodes, count = [], 0
    constants = {"three": 3.0, "zero": 0.0, "six": 6.0, "sixth": 1 / 6}
    for name, value in constants.items():
        graph.initializer.add(name=name, data_type=FLOAT, raw_data=struct.pack("<f", value))
    for node in graph.node:
        if node.op_type != "HardSigmoid":
            nodes.append(node)
            continue
        count += 1
        (data,), (result,) = node.input, node.output
        raised, clipped = f"{node.name}/raised", f"{node.name}/clipped"
        nodes.append(make_node("Add", [data, "three"], raised))
        nodes.append(make_node("Clip", [raised, "zero", "six"], clipped))
        nodes.append(make_node("Mul", [clipped, "sixth"], result))
    if count != HARD_SIGMOIDS:
        raise UnexpectedNetwork(f"found {count} HardSigmoid nodes, expected {HARD_SIGMOIDS}")
    replace_all(graph.node, nodes)


def remove_resizes(graph):
    sources = {n.output[0]: n.input[0] for n in graph.node if n.name in RESIZES}
    if len(sources) != len(RESIZES):
        raise UnexpectedNetwork(f"found {len(sources)} of the resizes {sorted(RESIZES)}")
    for node in graph.node:
        node.input[:] = [sources.get(name, name) for name in node.input]
    replace_all(graph.node, [n for n in graph.node if n.name not in RESIZES])


def remove_unused(graph):
    """Removes unused nodes and constants, and the unneeded input and output."""
    replace_all(graph.input, [value for value in graph.input if value.name != RATIO])
    replace_all(graph.output, [value for value in graph.output if value.name != FOREGROUND])
    needed = {value.name for value in graph.output}
    nodes = []
    # Visit the nodes in reverse, because they come after the nodes whose results they use.
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            nodes.append(node)
            needed.update(node.input)
    replace_all(graph.node, reversed(nodes))
    replace_all(graph.initializer, [t for t in graph.initializer if t.name in needed])
    if RATIO in needed:
        raise UnexpectedNetwork(f"{RATIO} is still used")


def replace_all(field, values):
    values = [type(value).FromString(value.SerializeToString()) for value in values]
    del field[:]
    field.extend(values)


def rewrite(source):
    """Returns the bytes of the rewritten network."""
    model = MESSAGES["Model"].FromString(source)
    replace_hard_sigmoids(model.graph)
    remove_resizes(model.graph)
    remove_unused(model.graph)
    model.doc_string = NOTICE
    return model.SerializeToString(deterministic=True)


if __name__ == "__main__":
    main(__doc__, rewrite)
