"""Half way between two exported nets: each weight the mean of both (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022).

    python between.py BEFORE.onnx AFTER.onnx OUT.onnx

AFTER was trained on from BEFORE, so that what lies between computes what both do. What the longer training made less sure of pictures unlike
those that it saw is half taken back. Metadata are AFTER's.
"""
import argparse

import onnx
from onnx import numpy_helper


def weights(model):
    """[(name, values)] of all convolutions, in the order in which they are computed."""
    held = {i.name: numpy_helper.to_array(i).astype("float32") for i in model.graph.initializer}
    for n in model.graph.node:
        if n.op_type == "Cast" and n.input[0] in held:  # stored in 16 bits
            held[n.output[0]] = held[n.input[0]]
    return [(name, held[name]) for n in model.graph.node if n.op_type == "Conv" for name in n.input[1:]]


def main():
    a = argparse.ArgumentParser()
    a.add_argument("before")
    a.add_argument("after")
    a.add_argument("out")
    a = a.parse_args()
    before, after = onnx.load(a.before), onnx.load(a.after)
    old, new = weights(before), weights(after)
    if [w.shape for _, w in old] != [w.shape for _, w in new]:
        raise SystemExit(f"{a.before} and {a.after} are not of one shape")
    mean = {name: (w + was) / 2 for (_, was), (name, w) in zip(old, new)}
    for i in after.graph.initializer:
        if i.name in mean:
            i.CopyFrom(numpy_helper.from_array(mean[i.name], i.name))
    onnx.checker.check_model(after)
    onnx.save(after, a.out)
    print(a.out, len(mean), "arrays")


if __name__ == "__main__":
    main()
