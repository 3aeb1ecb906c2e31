"""What is no readable face, for the reader to know: where a detector is taken in, and places at random.

    python negatives.py --net base.pt --synth DIR... --photos DIR --out negatives.jsonl

Looks at made pictures and at photographs of polyhedral dice; no scene that is measured is among them.
A line: {"file", "polys": [4x2...]}. Pixels of the stored file.
"""
import argparse
import json
import math

import numpy as np
import torch

import data
import infer


def near_a_die(c, size, dice):
    return any(math.hypot(c[0] - (d["box"][0] + d["box"][2] / 2), c[1] - (d["box"][1] + d["box"][3] / 2)) < 0.8 * max(size, math.sqrt(d["box"][2] * d["box"][3])) for d in dice)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--net", required=True)
    a.add_argument("--synth", nargs="+", required=True)
    a.add_argument("--photos", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--every", type=int, default=2, help="look at one made picture in so many")
    a.add_argument("--seed", type=int, default=1)
    a = a.parse_args()
    torch.set_num_threads(2)
    r = np.random.default_rng(a.seed)
    net = infer.load_detector(a.net)
    items = [i for folder in a.synth for i in data.synthetic(folder)[:: a.every]]
    for it in data.photos(a.photos, ["d20", "d8-d12"], 230_000)[::6]:
        it["file"] = [it["file"], it["k"]]
        it["dice"] = []
        items.append(it)
    n = m = 0
    with open(a.out, "w") as f:
        for it in items:
            polys = []
            for s, c, size, poly in infer.detect(net, it["rgb"], 0.08, area=it["rgb"].shape[0] * it["rgb"].shape[1]):
                if size > 11 and not near_a_die(c, size, it["dice"]):
                    polys.append(poly)
                    n += 1
            h, w = it["rgb"].shape[:2]
            for _ in range(2):
                c, size, t = r.uniform(0, 1, 2) * [w, h], math.exp(r.uniform(math.log(14), math.log(90))), r.uniform(0, 2 * np.pi)
                if not near_a_die(c, size, it["dice"]):
                    q = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) @ np.diag([1, r.uniform(0.5, 1)]) * size
                    polys.append(c + q @ np.array([[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]]))
                    m += 1
            f.write(json.dumps(dict(file=it["file"], polys=[np.round(p, 1).tolist() for p in polys])) + "\n")
    print(f"{n} places found where no die is, {m} at random")


if __name__ == "__main__":
    main()
