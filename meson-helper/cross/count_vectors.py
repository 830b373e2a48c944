"""Counts vector and scalar instructions in the loops of each row kernel for arm64.

    llvm-objdump --disassemble OBJECT... | swift-demangle --simplified | count_vectors.py

Reads the disassembly from standard input and writes a table in Markdown. Fails if a kernel has no
vector code. Counts only innermost loops, because these process the pixels. Next to them the
compiler adds scalar loops for the rest of a row and for rows that overlap.
"""

import dataclasses
import re
import sys

# The line with the name of a section or of a function. <$x> is not a function: it marks where code
# begins. The compiler may split a kernel into two functions, one of which jumps to the other.
BEGINNING = re.compile(r"^(?:Disassembly of section \.text|[0-9a-f]+ <(?!\$x>))(.*)")
KERNEL = re.compile(r"static CompiledKernels\.(\w+)\(")
LINE = re.compile(r"^\s*([0-9a-f]+): (?:[0-9a-f]{2,8} )*\s*(\S+)\s*(.*)$")
# A vector register with its lanes, as in v0.16b, or a load or store of a whole one, as in q0.
VECTOR = re.compile(r"\bv\d+\.(?:\d+)?[bhsdq]\b|\bq\d+\b")
# Branches name the address that they go to, as the last operand.
BRANCH = re.compile(r"^(?:b|b\.\w+|cbn?z|tbn?z)$")
TARGET = re.compile(r"0x([0-9a-f]+)(?: <.*>)?$")


@dataclasses.dataclass
class Code:
    vector: int = 0
    scalar: int = 0


def count(instructions):
    vector = sum(1 for _, _, operands in instructions if VECTOR.search(operands))
    return Code(vector, len(instructions) - vector)


def loops(instructions):
    """The innermost loops of a function, from its (address, name, operands)."""
    spans = set()
    for address, name, operands in instructions:
        target = TARGET.search(operands) if BRANCH.match(name) else None
        if target and instructions[0][0] <= int(target[1], 16) < address:
            spans.add((int(target[1], 16), address))
    for first, last in sorted(spans):
        if not any((a, b) != (first, last) and first <= a and b <= last for a, b in spans):
            yield count([each for each in instructions if first <= each[0] <= last])


def functions(lines):
    name, instructions = None, []
    for line in lines:
        if beginning := BEGINNING.match(line):
            if instructions:
                yield name, instructions
            found = KERNEL.search(beginning[1])
            name, instructions = found and found[1], []
        elif name and (found := LINE.match(line)):
            instructions.append((int(found[1], 16), found[2], found[3].strip()))
    if instructions:
        yield name, instructions


def main():
    kernels = {}
    for name, instructions in functions(sys.stdin):
        kernels.setdefault(name, []).extend(loops(instructions))
        if not kernels[name]:
            # A kernel for one block has no loop, so count the whole function. A function that only
            # jumps to another one has no vector code, and is not counted.
            run = count(instructions)
            kernels[name] += [run] if run.vector else []
    print("| kernel | loops with vectors | vector and scalar instructions in the longest | without |")
    print("| --- | --- | --- | --- |")
    for name, found in sorted(kernels.items()):
        vector = [each for each in found if each.vector]
        longest = max(vector, key=lambda each: each.vector, default=Code())
        counts = f"{longest.vector} and {longest.scalar}"
        print(f"| `{name}` | {len(vector)} | {counts} | {len(found) - len(vector)} |")
    scalar = [name for name, found in kernels.items() if not any(each.vector for each in found)]
    if not kernels:
        sys.exit("count_vectors: there is no kernel in the disassembly")
    if scalar:
        sys.exit(f"count_vectors: no vector code in {', '.join(sorted(scalar))}")


if __name__ == "__main__":
    main()
