"""Checkpoints to ONNX with what the program wants to know of them.

    python export.py --detector none.det.pt --reader none.read.pt --scale 30 --data DIR... --out ../

    python export.py --detector none.det.pt --data DIR... --out ../                            a detector alone
    python export.py --reader none.r9.pt --name print-reader.onnx --scale 20 ... --out ../     a reader alone

    python export.py --refit ../held-out/tray --scale 16 --near 0.699 --there 2.7 10.9 -9.0
    python export.py --refit .. --name print-reader.onnx --closer 0.65 --sure 0.860 6.526 0.804

`--refit` leaves the nets of a folder as they are and writes only what was fitted anew (see fit.py). A `--reader`
that ends in .onnx is an exported one: its net goes with the new detector as it is.
`--half` stores the weights in 16 bits (cast back when loaded): for the held-out models, which are
kept only so that the figures can be measured again.
"""
import argparse
import hashlib
import os
import shutil

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper

import infer
import reader as rd
from nets import DET_CHANNELS, Reader


def data_hash(paths):
    h = hashlib.sha256()
    for p in sorted(paths):
        h.update(open(p, "rb").read())
    return h.hexdigest()


def halve(model):
    """Weights as float16, with a cast in front of each use."""
    casts = []
    for init in list(model.graph.initializer):
        a = numpy_helper.to_array(init)
        if a.dtype != np.float32 or a.size < 64:
            continue
        name = init.name
        model.graph.initializer.remove(init)
        model.graph.initializer.append(numpy_helper.from_array(a.astype(np.float16), name + "_half"))
        casts.append(helper.make_node("Cast", [name + "_half"], [name], to=onnx.TensorProto.FLOAT))
    for c in reversed(casts):
        model.graph.node.insert(0, c)


def finish(path, props, half):
    m = onnx.load(path)
    if half:
        halve(m)
    helper.set_model_props(m, {f"sightline.{k}": str(v) for k, v in props.items()})
    onnx.checker.check_model(m)
    onnx.save(m, path)
    print(path, os.path.getsize(path), "bytes")


def refit(source, target, fitted):
    """An exported reader, its net untouched, with other fitted numbers."""
    held = {q.key.removeprefix("sightline."): q.value for q in onnx.load(source).metadata_props}
    if source != target:
        shutil.copyfile(source, target)
    finish(target, held | fitted, False)


def main():
    a = parser = argparse.ArgumentParser()
    a.add_argument("--refit", help="folder of exported models whose fitted numbers are to be replaced")
    a.add_argument("--detector")
    a.add_argument("--reader")
    a.add_argument("--scale", type=float)
    a.add_argument("--threshold", type=float, default=0.3)
    a.add_argument("--near", type=float)
    a.add_argument("--there", type=float, nargs=3, metavar=("SCORE", "LIKENESS", "BIAS"))
    a.add_argument("--sure", type=float, nargs=3, metavar=("ODDS", "LIKENESS", "BIAS"), help="as sure.py fits them; without, odds are taken as they are")
    a.add_argument("--closer", type=float, help="part of a face's side that its middle is, which is looked at, too")
    a.add_argument("--data", nargs="*", default=[])
    a.add_argument("--out")
    a.add_argument("--name", default="dice-reader.onnx", help="of the reader's file")
    a.add_argument("--without", help="scene of those lists that was left out: said in the metadata, since the hash is of all lists")
    a.add_argument("--half", action="store_true")
    a = a.parse_args()
    if not a.refit and (a.out is None or not (a.detector or a.reader)):
        parser.error("--out is wanted, and --detector or --reader")
    if a.reader and None in (a.scale, a.near, a.there):
        parser.error("--scale, --near and --there are wanted")
    fitted = {k: v for k, v in dict(scale=a.scale, near=a.near, closer=a.closer).items() if v is not None}
    if a.there:
        fitted.update(there_score=a.there[0], there_likeness=a.there[1], there_bias=a.there[2])
    if a.sure:
        fitted.update(sure_odds=a.sure[0], sure_likeness=a.sure[1], sure_bias=a.sure[2])
    if a.refit:
        p = os.path.join(a.refit, a.name)
        refit(p, p, fitted)
        return
    os.makedirs(a.out, exist_ok=True)
    digest = data_hash(a.data)
    left_out = dict(without=a.without) if a.without else {}
    if a.detector:
        det = infer.load_detector(a.detector)
        n = sum(p.numel() for p in det.parameters())
        p = os.path.join(a.out, "dice-detector.onnx")
        torch.onnx.export(det.eval(), (torch.zeros(1, 3, 256, 320),), p, dynamo=False, opset_version=17, input_names=["images"], output_names=["map"],
                          dynamic_axes={"images": {2: "h", 3: "w"}, "map": {2: "h8", 3: "w8"}})
        finish(p, dict(model="dice-detector", format=1, shapes="d6", stride=8, channels=DET_CHANNELS, area=infer.AREA, threshold=a.threshold, mean=infer.MEAN, std=infer.STD, parameters=n, data_sha256=digest, **left_out), a.half)
    if not a.reader:
        return
    if a.reader.endswith(".onnx"):
        refit(a.reader, os.path.join(a.out, a.name), fitted | left_out)
        return
    read = Reader()
    read.load_state_dict(torch.load(a.reader, weights_only=False)["net"])
    p = os.path.join(a.out, a.name)
    torch.onnx.export(read.eval(), (torch.zeros(2, 3, rd.SIZE, rd.SIZE),), p, dynamo=False, opset_version=17, input_names=["faces"], output_names=["vectors"],
                      dynamic_axes={"faces": {0: "n"}, "vectors": {0: "n"}})
    finish(p, dict(model="dice-reader", format=1, size=rd.SIZE, dim=64, margin=rd.MARGIN, mean=rd.MEAN, std=rd.STD, none=rd.NONE, **fitted, parameters=sum(q.numel() for q in read.parameters()), data_sha256=digest, **left_out), a.half)


if __name__ == "__main__":
    main()
