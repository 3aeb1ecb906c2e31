"""Train the refiner of polyhedral dice: as refiner.py, for the square that stands for a triangle, a kite or a pentagon.

    python solid_refiner.py --synth WORK/solids --test WORK/solidsval --out WORK/solid-refiner.pt
    python solid_refiner.py --test WORK/solidsval --net WORK/solid-refiner.pt                    only how well it does
    python solid_refiner.py --net WORK/solid-refiner.pt --synth WORK/solids --export ../solid-refiner.onnx

A face is laid straight from its own first corner (a d10's at its pole), of the others from the one that is highest in the picture. A d4 is told by
the triangle that it stands on.
"""
import argparse
import collections
import math
import os

import cv2
import numpy as np
import torch

import data
import export
import face_reader
import loop
import refiner
from face_reader import SHAPES
from nets import Refiner, short_floats
from reader import MEAN, STD, rectify

SIZE, MARGIN = 64, 0.7
LEAST_PX, LEAST_SEEN = 9, 0.6
SQUARE = {s: face_reader.square(s) for s in SHAPES}


def upright(shape, corners):
    """The corners from the one that is highest, where none of them is the first by itself."""
    return corners if shape == "d10" else np.roll(corners, -int(corners[:, 1].argmin()), 0)


def square(shape, corners):
    return np.float32(SQUARE[shape] @ corners)


def off(r, corners):
    """A face as the detector may find it."""
    c, side = corners.mean(0), math.sqrt(abs(cv2.contourArea(np.float32(corners))))
    wide = 2.0 if r.random() < 0.2 else 1.0  # now and then by a lot
    a = math.radians(float(np.clip(r.normal(0, 9 * wide), -35, 35)))
    turn = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    lean = np.eye(2) + r.normal(0, 0.07 * wide, (2, 2))
    return (corners - c) @ lean @ turn * math.exp(r.normal(0, 0.1 * wide)) + c + r.normal(0, 0.11 * wide, 2) * side


def collect(folders):
    """(shape, neighbourhood, top face) of every die that shows enough of it."""
    out = []
    for it in (i for f in folders for i in data.synthetic(f)):
        for d in it["dice"]:
            q = np.float32(d["poly"])
            side = math.sqrt(abs(cv2.contourArea(q)))
            if side < LEAST_PX or d["visible"] < LEAST_SEEN:
                continue
            c, k = q.mean(0), min(1.0, 60 / side)
            far = np.linalg.norm(q - c, axis=1).max() * 3.2
            x0, y0 = int(max(0, c[0] - far)), int(max(0, c[1] - far))
            p = it["rgb"][y0 : int(c[1] + far) + 1, x0 : int(c[0] + far) + 1]
            if min(p.shape[:2]) < 8:
                continue
            if k < 1:
                p = cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
            # the detector says a d4's lower corners clockwise, as they are seen
            out.append((d["shape"], np.ascontiguousarray(p), ((q - [x0, y0] + 0.5) * k - 0.5).astype(np.float64)))
        it["rgb"] = None
    return out


def pair(r, shape, q):
    """(square as found, square as it is), or none where that cannot be."""
    f = upright(shape, off(r, q))
    n = len(q)
    t = q if shape == "d10" else min((np.roll(q, k, 0) for k in range(n)), key=lambda t: float(((t - f) ** 2).sum()))
    f, t = square(shape, f), square(shape, t)
    if abs(cv2.contourArea(f)) < 60 or not cv2.isContourConvex(f):
        return None
    return f, t


class Faces(torch.utils.data.IterableDataset):
    def __init__(self, dice, batch, seed):
        self.dice, self.batch, self.seed = dice, batch, seed

    def __iter__(self):
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        r = np.random.default_rng([self.seed, info.id if info else 0])
        while True:
            X, Y = [], []
            while len(X) < self.batch:
                shape, p, q = self.dice[int(r.integers(len(self.dice)))]
                side = math.sqrt(abs(cv2.contourArea(np.float32(q))))
                if r.random() < 0.3 and side > 20:  # from farther away
                    k = r.uniform(11 / side, 1)
                    p, q = cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (q + 0.5) * k - 0.5
                if r.random() < 0.5:
                    p, q = p[:, ::-1], q * [-1, 1] + [p.shape[1] - 1, 0]
                    q = np.concatenate([q[:1], q[:0:-1]])  # clockwise again, from the same corner
                if r.random() < 0.4:  # held otherwise
                    a = float(np.clip(r.normal(0, 20), -50, 50))
                    h, w = p.shape[:2]
                    m = cv2.getRotationMatrix2D((w / 2, h / 2), a, 1)
                    p, q = cv2.warpAffine(np.ascontiguousarray(p), m, (w, h), borderMode=cv2.BORDER_REPLICATE), q @ m[:, :2].T + m[:, 2]
                both = pair(r, shape, q)
                if both is None:
                    continue
                f, t = both
                im = rectify(np.ascontiguousarray(p), f, SIZE, MARGIN)
                im = refiner.spoilt(r, im)
                X.append(im.transpose(2, 0, 1))
                Y.append(refiner.into(f, t))
            yield torch.from_numpy(np.stack(X)), torch.from_numpy(np.float32(np.stack(Y)))


@torch.no_grad()
def test(net, dice, times=2):
    """How far the print's corners are off before and after, in sides of the square that stands for the face, at 50, 90 and 95 %."""
    net.eval()
    r = np.random.default_rng(3)
    far = collections.defaultdict(list)
    for shape, p, q in dice:
        both = pair(r, shape, q)
        if both is None:
            continue
        f, t = both
        side = math.sqrt(abs(cv2.contourArea(t)))
        was = f
        for _ in range(times):
            x = torch.from_numpy(rectify(p, f, SIZE, MARGIN).transpose(2, 0, 1)[None].copy()).float()
            f = refiner.back(f, net((x - MEAN) / STD)[0].numpy()[:8].reshape(4, 2))
        for key in (shape, "all"):
            far[key].append([np.linalg.norm(was - t, axis=1).mean() / side, np.linalg.norm(f - t, axis=1).mean() / side])
    for key in [s for s in [*SHAPES, "all"] if s in far]:
        v = np.array(far[key])
        print(key.ljust(4), len(v), "before", np.quantile(v[:, 0], [0.5, 0.9, 0.95]).round(3), "after", np.quantile(v[:, 1], [0.5, 0.9, 0.95]).round(3), flush=True)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--synth", nargs="*", default=[])
    a.add_argument("--test")
    a.add_argument("--net")
    loop.options(a, steps=6000, batch=128, seed=83)
    a.add_argument("--export")
    a = a.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    net = Refiner().to(memory_format=torch.channels_last)
    if a.net:
        held = torch.load(a.net, weights_only=False)
        net.load_state_dict(held["ema"] if "ema" in held else held["net"])
    if a.export:
        torch.onnx.export(net.eval(), (torch.zeros(2, 3, SIZE, SIZE),), a.export, dynamo=False, opset_version=17, input_names=["faces"], output_names=["offsets"], dynamic_axes={"faces": {0: "n"}, "offsets": {0: "n"}})
        lists = [os.path.join(f, t) for f in a.synth for t in os.listdir(f) if t.startswith("truth")]
        export.finish(a.export, dict(model="solid-refiner", format=1, size=SIZE, margin=MARGIN, mean=MEAN, std=STD, parameters=sum(q.numel() for q in net.parameters()), data_sha256=export.data_hash(lists)), False)
        return
    held = collect([a.test]) if a.test else []
    if not a.synth:
        test(net, held)
        return
    dice = collect(a.synth)
    print(f"{len(dice)} dice, {len(held)} to test on", flush=True)

    def step(net, batch):
        x, y = batch
        with short_floats():
            e = net.body(((x.float() - MEAN) / STD).to(memory_format=torch.channels_last))
        loss, _, corners = refiner.loss(net.head(e.float().flatten(1)), y)
        return (loss,), (loss, corners.median())

    given = lambda seed: torch.utils.data.DataLoader(Faces(dice, a.batch, seed), batch_size=None, num_workers=a.workers, prefetch_factor=8)
    loop.begin(net, a.init, lambda: (next(iter(given(a.seed)))[0].float() - MEAN) / STD)
    test(loop.learn(a, net, given, step, a.lr, every=300, names=("loss", "corners")), held)


if __name__ == "__main__":
    main()
