"""How well a reader tells a copy's faces apart when outlines are exact: what is left is the reader's own doing.

    python told_apart.py --scenes DIR --model print-reader.onnx

DIR: tables.py --enrol. Every die nine tenths of whose top face are seen is cut out by its true outline and compared
with the true cut-outs of the enrolment photographs, in four turns.
"""
import argparse
import glob
import json
import os

import cv2
import numpy as np
import onnxruntime

import reader


def picture(path):
    return np.ascontiguousarray(cv2.imread(path)[..., ::-1])


def dice(path):
    for o in json.load(open(path))["objects"]:
        if o["type"] == "die" and "top_polygon_px" in o:
            yield o, np.float32(o["top_polygon_px"])


def middle(poly, part):
    """A face's middle, so large a part of its side."""
    c = poly.mean(0)
    return np.float32((poly - c) * part + c)


def enrolled(copy, part=1.0):
    """The copy's faces, or their middles, as its owner's photographs show them, in four turns: (cut-outs, kind and symbol of each)."""
    cuts, names = [], []
    for path in sorted(glob.glob(os.path.join(copy, "enrol", "die_*.json"))):
        im = picture(path[:-5] + ".jpg")
        o, poly = next(dice(path))
        cuts += [reader.rectify(im, middle(np.roll(poly, -turn, 0), part)) for turn in range(4)]
        names += [(o["kind"], o["symbol"])] * 4
    return cuts, names


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--scenes", required=True)
    p.add_argument("--model", required=True)
    a = p.parse_args()
    session = onnxruntime.InferenceSession(a.model, providers=["CPUExecutionProvider"])
    vectors = lambda ims: session.run(None, {"faces": (np.float32(np.stack(ims)).transpose(0, 3, 1, 2) - reader.MEAN) / reader.STD})[0]
    for copy in sorted(glob.glob(os.path.join(a.scenes, "copy-*"))):
        cuts, names = enrolled(copy)
        own, right, n = vectors(cuts), 0, 0
        for path in sorted(glob.glob(os.path.join(copy, "[tbw]*", "*.json"))):
            im = picture(path[:-5] + ".jpg")
            for o, poly in dice(path):
                if o.get("face_visible_fraction", 0) < 0.9 or (o["kind"], o["symbol"]) not in names:
                    continue
                n += 1
                right += names[int((own @ vectors([reader.rectify(im, poly)])[0]).argmax())] == (o["kind"], o["symbol"])
        print(f"{os.path.basename(copy)}: {n} dice, {right / max(n, 1):.4f} right")


if __name__ == "__main__":
    main()
