"""Nets in 8 bits: twice to three times as fast where the processor multiplies bytes, and a quarter as large.

    python quantize.py --synth DIR [DIR ...] --out ../ ../dice-detector.onnx ../face-refiner.onnx ../dice-reader.onnx ...
    python quantize.py --weights ../solid-refiner.onnx --synth DIR [DIR ...]

How large values become in a net is measured on made pictures (tables.py, scenes.py), of which no photograph's dice are
part: held-out models stay so. With --weights only what fully connected layers weigh is kept in 8 bits, each of a layer's outputs on a scale of its own, and reckoned with as floats: the file is smaller, and what comes out
hardly another. Metadata are kept; a model that is quantised already is left alone. Prints how far what comes out is
from what came out before, on pictures that were not measured on.
"""
import argparse
import os
import tempfile

import cv2
import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

import data
import infer
import reader
import refiner

EACH = 16  # faces at once


def pictures(items):
    """What the detector sees: whole pictures of its size, and half of it."""
    for it in items:
        h, w = it["rgb"].shape[:2]
        for level in (1.0, 0.5):
            k = (infer.AREA / (h * w)) ** 0.5 * level
            im = cv2.resize(it["rgb"], None, fx=k, fy=k, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
            H, W = (-(-n // 32) * 32 for n in im.shape[:2])
            x = np.zeros((1, 3, H, W), np.float32)
            x[0, :, : im.shape[0], : im.shape[1]] = (np.float32(im).transpose(2, 0, 1) - infer.MEAN) / infer.STD
            yield x


def faces(items, size, margin, loose, seed):
    """What the refiner sees (`loose`: outlines as a detector gives them) and readers do."""
    r = np.random.default_rng(seed)
    batch = []
    for it in items:
        for d in it["dice"]:
            q = np.float32(d["poly"])
            if d["visible"] < 0.6 or cv2.contourArea(q) < 120:
                continue
            f = refiner.upright(refiner.off(r, q)) if loose else np.roll(q, int(r.integers(4)), 0)
            if not cv2.isContourConvex(f):
                continue
            im = reader.rectify(it["rgb"], f, size, margin)
            batch.append((np.float32(im).transpose(2, 0, 1) - reader.MEAN) / reader.STD)
            if len(batch) == EACH:
                yield np.stack(batch)
                batch = []


class Inputs(CalibrationDataReader):
    def __init__(self, name, batches):
        self.name, self.batches = name, iter(batches)

    def get_next(self):
        x = next(self.batches, None)
        return None if x is None else {self.name: x}


def ends(graph):
    """The first layer, and all from the last ones on: they cost little, and what is lost there is lost for good."""
    layers = ("Conv", "Gemm", "MatMul")
    out, wanted = [next(n.name for n in graph.node if n.op_type == "Conv")], {o.name for o in graph.output}
    for n in reversed(graph.node):
        if wanted & set(n.output):
            out.append(n.name)
            if n.op_type not in layers:
                wanted |= set(n.input)
    return out


def session(path):
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def quantize(path, out, items, test):
    model = onnx.load(path)
    if any(n.op_type == "DequantizeLinear" for n in model.graph.node):
        print(path, "is quantised already")
        return
    held = {p.key: p.value for p in model.metadata_props}
    kind, name = held["sightline.model"], model.graph.input[0].name

    def batches(of, seed):
        if kind == "dice-detector":
            return pictures(of)
        size, margin = int(held["sightline.size"]), float(held["sightline.margin"])
        return faces(of, size, margin, kind == "face-refiner", seed)

    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "plain.onnx")
        quant_pre_process(path, plain, skip_symbolic_shape=True)
        # bytes times seven bits: what two of them sum up to fits where a processor without VNNI keeps it
        quantize_static(plain, out, Inputs(name, batches(items, 1)), quant_format=QuantFormat.QDQ, per_channel=True, reduce_range=True,
                        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=ends(onnx.load(plain).graph))
        before = session(plain)
        now = onnx.load(out)
        onnx.helper.set_model_props(now, held)
        onnx.save(now, out)
        after = session(out)
        far = []
        for x in batches(test, 2):
            a, b = (s.run(None, {name: x})[0] for s in (before, after))
            if kind == "dice-detector":
                there = a[:, 0] > 0
                far.append(np.abs(a - b).transpose(0, 2, 3, 1)[there][:, :11])
            elif kind == "face-refiner":
                far.append(np.abs(a - b))
            else:
                far.append((1 - (a * b).sum(1))[:, None])
    far = np.concatenate(far)
    print(out, os.path.getsize(out), "bytes; off by (median):", np.median(far, 0).round(4), "(95 in 100):", np.percentile(far, 95, 0).round(4), len(far))


def weights(path, out, folders):
    """What fully connected layers weigh, in 8 bits: most of the file of the refiner of polyhedral dice."""
    import solid_refiner

    model = onnx.load(path)
    graph = model.graph
    if any(n.op_type == "DequantizeLinear" for n in graph.node):
        print(path, "is quantised already")
        return
    held = {p.key: p.value for p in model.metadata_props}
    before, name = session(path), graph.input[0].name
    dense = [n for n in graph.node if n.op_type == "Gemm"]
    # each row is what one output weighs
    assert all(any(a.name == "transB" and a.i for a in n.attribute) for n in dense), path
    layers = {n.input[1] for n in dense}
    for w in [i for i in graph.initializer if i.name in layers]:
        floats = onnx.numpy_helper.to_array(w)
        scale = np.float32(np.maximum(np.abs(floats).max(1), 1e-9) / 127)
        of = w.name
        graph.initializer.remove(w)
        graph.initializer.extend([onnx.numpy_helper.from_array(v, n) for v, n in ((np.int8(np.rint(floats / scale[:, None])), of + "_bytes"), (scale, of + "_scale"))])
        graph.node.insert(0, onnx.helper.make_node("DequantizeLinear", [of + "_bytes", of + "_scale"], [of], axis=0))
    after = session(model.SerializeToString())
    r, off = np.random.default_rng(2), []
    for shape, picture, corners in solid_refiner.collect(folders):
        if both := solid_refiner.pair(r, shape, corners):
            im = reader.rectify(picture, both[0], int(held["sightline.size"]), float(held["sightline.margin"]))
            x = (np.float32(im).transpose(2, 0, 1)[None] - reader.MEAN) / reader.STD
            off.append(np.abs(before.run(None, {name: x})[0] - after.run(None, {name: x})[0])[0])
    if not off:
        raise SystemExit(f"{folders}: no die to measure on")
    off = np.array(off)
    onnx.save(model, out)
    print(out, os.path.getsize(out), "bytes; off by (median):", np.median(off, 0).round(5), "(95 in 100):", np.percentile(off, 95, 0).round(5), len(off))


def main():
    a = argparse.ArgumentParser()
    a.add_argument("models", nargs="+")
    a.add_argument("--synth", nargs="+", required=True)
    a.add_argument("--out")
    a.add_argument("--weights", action="store_true", help="of fully connected layers, and nothing else")
    a = a.parse_args()
    place = lambda path: os.path.join(a.out, os.path.basename(path)) if a.out else path
    if a.weights:
        for path in a.models:
            weights(path, place(path), a.synth)
        return
    items = [it for f in a.synth for it in data.synthetic(f)]
    items, test = [it for i, it in enumerate(items) if i % 4], items[::4]
    for path in a.models:
        quantize(path, place(path), items, test)


if __name__ == "__main__":
    main()
