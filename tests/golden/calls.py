# guardjit: tests/golden/calls.py: how the call of an op on a golden case is spelled in C++
# SPDX-License-Identifier: BSL-1.0
"""CALLS: an op's name -> a function of the case and of the texts of its operands that returns the text of the
call, or a list of texts where the op has several results. Ops that are called with their operands alone need no entry.

A call raises `MissingForm` where the op exists, but not as the case asks. Forms are named in MISSING_FORMS, which the
eager runner compares with what it met. FACTORIES take no tensor: they get one of the result's shape, whose extents they
name, as a traced function must."""
import struct

MISSING_FORMS = ["an op on scalars alone", "round to decimals"]
FACTORIES = ["zeros", "ones", "full", "arange", "eye"]

CPP_TYPES = {"bool": "bool", "u8": "std::uint8_t", "i8": "std::int8_t", "i16": "std::int16_t", "i32": "std::int32_t",
             "i64": "std::int64_t", "f32": "float", "f64": "double"}
FORMATS = {"bool": "?", "u8": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}


class MissingForm(Exception):
    """The op exists, but not as the case asks."""


def call(name, *arguments):
    return f"gj::{name}({', '.join(str(argument) for argument in arguments)})"


def axes(numbers):
    return "gj::axes<0>()" if not numbers else call("axes", *numbers)


def extents(numbers):
    return "{" + ", ".join(map(str, numbers)) + "}"


def number(tensor):
    return struct.unpack("<" + FORMATS[tensor["dtype"]], bytes.fromhex(tensor["hex"]))[0]


def literal(tensor):
    return f"{CPP_TYPES[tensor['dtype']]}({str(number(tensor)).lower()})"


def plain(case, *operands):
    return call(case["op"], *operands)


def reduction(case, x):
    named = [] if case["attrs"]["axes"] is None else [axes(case["attrs"]["axes"])]
    return call(case["op"], x, *named, *(["gj::keepdims"] if case["attrs"].get("keepdims") else []))


def index_of(case, x):
    named = [] if case["attrs"]["axis"] is None else [case["attrs"]["axis"]]
    return call(case["op"], x, *named, *(["gj::keepdims"] if case["attrs"].get("keepdims") else []))


def variance(case, x):
    named = [] if case["attrs"]["axes"] is None else [axes(case["attrs"]["axes"])]
    kept = ["gj::keepdims"] if case["attrs"]["keepdims"] else []
    return call(case["op"], x, *named, call("correction", case["attrs"]["correction"]), *kept)


def along_axis(case, x, *mask):
    return call(case["op"], x, case["attrs"]["axis"], *mask)


def layer_norm(case, x, w=None, b=None):
    weights = [weight or "gj::nothing" for weight in (w, b)]
    return call("layer_norm", x, axes(case["attrs"]["axes"]), *weights, case["attrs"]["eps"])


def rounded(case, x):
    if case["attrs"]:
        raise MissingForm("round to decimals")
    return call("round", x)


def to_shape(case, x):
    """`reshape(x)` is to rank 0."""
    return call(case["op"], x, *([extents(case["attrs"]["shape"])] if case["attrs"]["shape"] else []))


def factory(case, like):
    sizes = [f"{like}.extent({d})" for d in range(len(case["attrs"]["shape"]))]
    if case["op"] == "full":
        return call("full", literal(case["inputs"][0]), *sizes)
    return call(f"{case['op']}<{CPP_TYPES[case['attrs']['dtype']]}>", *sizes)


def arange(case, like):
    """Of as many numbers as the result has."""
    start, _, step = (int(number(tensor)) for tensor in case["inputs"])
    stop = f"{start} + {like}.extent(0) * {step}"
    return call(f"arange<{CPP_TYPES[case['inputs'][0]['dtype']]}>", start, stop, step)


def eye(case, like):
    return call(f"eye<{CPP_TYPES[case['attrs']['dtype']]}>", f"{like}.extent(0)", f"{like}.extent(1)")


def padded(case, x):
    mode, widths = case["attrs"]["mode"], extents([extents(pair) for pair in case["attrs"]["widths"]])
    return call("pad", x, widths, case["attrs"]["value"] if mode == "constant" else f"gj::{mode}")


def before_axis(case, *operands):
    return call(case["op"], *operands, case["attrs"]["axis"])


def on_axes(case, x):
    named = case["attrs"]["axes"]
    return call(case["op"], x, *([] if named is None else [axes(named)]))


def pieces(case, x):
    """One text for each result."""
    sizes, axis = case["attrs"].get("sizes"), case["attrs"]["axis"]
    if sizes is None:
        sizes = [output["shape"][axis] for output in case["outputs"]]
    text = call("split", x, call("sizes", *sizes), axis)
    return [f"{text}[{number}]" for number in range(len(sizes))]


def indices(case, x):
    def text(index):
        if not isinstance(index, list):
            return f"gj::{index}" if isinstance(index, str) else index
        start, stop, step = index
        return call("range", "gj::slice_begin" if start is None else start,
                    "gj::slice_end" if stop is None else stop, 1 if step is None else step)
    return call("index", x, *map(text, case["attrs"]["index"]))


CALLS = {
    "to": lambda case, x: call(f"to<{CPP_TYPES[case['attrs']['dtype']]}>", x),
    "sum": reduction,
    "amax": reduction,
    "mean": reduction,
    "prod": reduction,
    "amin": reduction,
    "argmax": index_of,
    "argmin": index_of,
    "any": reduction,
    "all": reduction,
    "var": variance,
    "std": variance,
    "softmax": along_axis,
    "log_softmax": along_axis,
    "logsumexp": reduction,
    "layer_norm": layer_norm,
    "round": rounded,
    "gelu": lambda case, x: call("gelu", x, *(["gj::tanh_form"] if case["attrs"]["form"] == "tanh" else [])),
    "reshape": to_shape,
    "expand": to_shape,
    "permute": lambda case, x: call("permute", x, axes(case["attrs"]["order"])),
    "transpose": lambda case, x: call("transpose", x, case["attrs"]["i"], case["attrs"]["j"]),
    "squeeze": on_axes,
    "unsqueeze": along_axis,
    "flip": on_axes,
    "movedim": lambda case, x: call("movedim", x, case["attrs"]["from"], case["attrs"]["to"]),
    "select": lambda case, x: call("select", x, case["attrs"]["axis"], case["attrs"]["i"]),
    "split": pieces,
    "index": indices,
    "full_like": lambda case, x, value: call("full_like", x, literal(case["inputs"][1])),
    "arange": arange,
    "eye": eye,
    "tril": lambda case, x: call("tril", x, case["attrs"]["k"]),
    "triu": lambda case, x: call("triu", x, case["attrs"]["k"]),
    "concat": before_axis,
    "stack": before_axis,
    "pad": padded,
    "take": before_axis,
    "gather": before_axis,
    "take_along_axis": before_axis,
    "zeros": factory,
    "ones": factory,
    "full": factory,
}
