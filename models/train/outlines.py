"""How far off a detector's top faces are, on made pictures with exact outlines.

    python outlines.py --net ../dice-detector.onnx --synth DIR

Prints the share of dice found at one scale, and the distance between the middles of the face found and the true one, as a
part of the face's side. Only dice of which nine tenths can be seen count.
"""
import argparse
import math

import cv2
import numpy as np
import torch

import data
import infer


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--net", required=True)
    a.add_argument("--synth", required=True)
    a.add_argument("--every", type=int, default=1, help="look at one picture in so many")
    a = a.parse_args()
    torch.set_num_threads(2)
    net = infer.load_detector(a.net)
    n, off, size = 0, [], []
    for it in data.synthetic(a.synth)[:: a.every]:
        faces = [poly for *_, poly in infer.detect(net, it["rgb"], 0.2)]
        middles = np.array([f.mean(0) for f in faces]).reshape(-1, 2)
        for d in it["dice"]:
            if d["visible"] < 0.9 or d.get("whole", 1.0) < 0.9:
                continue
            n += 1
            side = math.sqrt(abs(cv2.contourArea(d["poly"])))
            away = np.linalg.norm(middles - d["poly"].mean(0), axis=1)
            if len(away) and away.min() < 0.6 * side:
                off.append(away.min() / side)
                size.append(math.sqrt(abs(cv2.contourArea(faces[int(away.argmin())].astype(np.float32)))) / side)
    q = np.percentile(off, [50, 75, 90, 95])
    print(f"found {len(off)} of {n}; middles off by {q[0]:.3f} of a side (median), {q[1]:.3f}, {q[2]:.3f}, {q[3]:.3f} (75, 90, 95 %); sides {np.median(size):.3f} of the true ones")


if __name__ == "__main__":
    main()
