"""Train the refiner: a die's neighbourhood, laid straight by an outline that is a little off, to where its top face truly is.

    python refiner.py --synth DIR [DIR ...] --test DIR --out refiner.pt
    python refiner.py --test DIR --net refiner.pt                          only how well it does
    python refiner.py --net refiner.pt --data DIR/truth-*.jsonl --export ..

DIR: tables.py or scenes.py. What comes out (nets.Refiner): for each corner how far it lies off, in sides of the outline that
was given, and how far off the middle may still be after that. An outline's first side is the one that runs most
nearly to the right in the picture: only so is a top face told from a side face that is as large.
"""
import argparse
import copy
import math
import os
import time

import cv2
import numpy as np
import onnxruntime
import torch
import torch.nn.functional as F

import data
import export
from nets import Refiner, short_floats
from reader import MEAN, STD, rectify

SIZE, MARGIN = 64, 0.6
LEAST_PX, LEAST_SEEN = 11, 0.6


def upright(q):
    """The corners, from the one whose side to the next runs most nearly to the right."""
    d = np.roll(q, -1, 0) - q
    return np.roll(q, -int((d[:, 0] / np.linalg.norm(d, axis=1)).argmax()), 0)


def off(r, q):
    """An outline as a detector may give it for a face that lies at q."""
    c, side = q.mean(0), math.sqrt(cv2.contourArea(q))
    if r.random() < 0.15:  # between the top and a side face
        a, far = r.uniform(0, 2 * math.pi), r.uniform(0, 0.5)
        shift = np.array([math.cos(a), math.sin(a)]) * far
    else:
        shift = r.normal(0, 0.11, 2)
    a = math.radians(float(np.clip(r.normal(0, 8), -28, 28)))
    turn = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    # a detector knows no perspective, and slants but roughly
    lean = np.eye(2) + r.normal(0, 0.05, (2, 2))
    flat = (q - c + np.roll(c - q, 2, 0)) / 2 if r.random() < 0.7 else q - c
    return np.float32(flat @ lean @ turn * math.exp(r.normal(0, 0.12)) + c + shift * side + r.normal(0, 0.025, (4, 2)) * side)


def into(found, true):
    """The true corners as the cut-out of the found outline has them, in its sides, less where those should be."""
    square = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])
    m = cv2.getPerspectiveTransform(np.float32(found), square)
    return cv2.perspectiveTransform(np.float32(true)[None], m)[0] - square


def back(found, offsets):
    square = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])
    m = cv2.getPerspectiveTransform(square, np.float32(found))
    return cv2.perspectiveTransform(np.float32(square + offsets)[None], m)[0]


def by(path):
    """What the exported model makes of an outline, as the program does it (src/vision/refiner.rs): twice."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])

    def refine(im, found):
        for _ in range(2):
            found = upright(np.float32(found))
            x = (np.float32(rectify(im, found, SIZE, MARGIN)).transpose(2, 0, 1)[None] - MEAN) / STD
            found = back(found, session.run(None, {"faces": x})[0][0, :8].reshape(4, 2))
        return found

    return refine


def collect(folders):
    """(neighbourhood, top face) of every die that shows enough of it."""
    out = []
    for it in (i for f in folders for i in data.synthetic(f)):
        rgb = it["rgb"]
        for d in it["dice"]:
            q = np.float32(d["poly"])
            side = math.sqrt(max(cv2.contourArea(q), 0))
            if side < LEAST_PX or d["visible"] < LEAST_SEEN:
                continue
            c, k = q.mean(0), min(1.0, 70 / side)
            r = np.linalg.norm(q - c, axis=1).max() * 3
            x0, y0 = int(max(0, c[0] - r)), int(max(0, c[1] - r))
            p = rgb[y0 : int(c[1] + r) + 1, x0 : int(c[0] + r) + 1]
            if min(p.shape[:2]) < 8:
                continue
            if k < 1:
                p = cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
            out.append((np.ascontiguousarray(p), ((q - [x0, y0] + 0.5) * k - 0.5).astype(np.float32)))
        it["rgb"] = None
    return out


def spoilt(r, im):
    """Other colours, and what a camera does."""
    if r.random() < 0.2:
        im = im[..., [int(i) for i in r.permutation(3)]]
    if r.random() < 0.3:
        m = np.eye(3) + r.normal(0, 0.25, (3, 3))
        im = np.clip(im.reshape(-1, 3) @ m + r.normal(0, 15, 3), 0, 255).reshape(im.shape).astype(np.uint8)
    if r.random() < 0.6:
        im = data.camera_effects(r, np.ascontiguousarray(im), 0.5, 60)
    return im


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
                p, q = self.dice[int(r.integers(len(self.dice)))]
                if r.random() < 0.3 and math.sqrt(cv2.contourArea(q)) > 24:  # from farther away
                    k = r.uniform(14 / math.sqrt(cv2.contourArea(q)), 1)
                    p, q = cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), ((q + 0.5) * k - 0.5).astype(np.float32)
                if r.random() < 0.5:
                    p, q = p[:, ::-1], (q * [-1, 1] + [p.shape[1] - 1, 0]).astype(np.float32)[::-1]
                if r.random() < 0.3:  # held otherwise
                    a = float(np.clip(r.normal(0, 15), -40, 40))
                    h, w = p.shape[:2]
                    m = cv2.getRotationMatrix2D((w / 2, h / 2), a, 1)
                    p, q = cv2.warpAffine(p, m, (w, h), borderMode=cv2.BORDER_REPLICATE), np.float32(q @ m[:, :2].T + m[:, 2])
                f = off(r, q)
                if cv2.contourArea(f) < 60 or not cv2.isContourConvex(f):
                    continue
                f = upright(f)
                # the order of the true corners that is nearest
                t = min((np.roll(q, k, 0) for k in range(4)), key=lambda t: float(((t - t.mean(0) - f + f.mean(0)) ** 2).sum()))
                im = rectify(np.ascontiguousarray(p), f, SIZE, MARGIN)
                im = spoilt(r, im)
                X.append(im.transpose(2, 0, 1))
                Y.append(into(f, t))
            yield torch.from_numpy(np.stack(X)), torch.from_numpy(np.float32(np.stack(Y)))


def loss(out, y):
    corners, spread = out[:, :8].view(-1, 4, 2), out[:, 8].clamp(-6, 1)
    each = F.smooth_l1_loss(corners, y, beta=0.03, reduction="none").mean((1, 2))
    middle = (corners - y).mean(1).detach().square().mean(1)
    told = spread + 0.5 * middle / (2 * spread).exp()
    return each.mean() * 10 + 0.1 * told.mean(), (corners - y).mean(1).norm(dim=1), (corners - y).norm(dim=2).mean(1)


@torch.no_grad()
def test(net, dice, times=2):
    """Middles and corners off before and after, in sides of the true face, at 50, 90, 95 and 99 %."""
    net.eval()
    r = np.random.default_rng(3)
    before, after, told = [], [], []
    for p, q in dice:
        f = off(r, q)
        if cv2.contourArea(f) < 60 or not cv2.isContourConvex(f):
            continue
        f = upright(f)
        side = math.sqrt(cv2.contourArea(q))
        dist = lambda f: (float(np.linalg.norm(f.mean(0) - q.mean(0))) / side, min(float(np.linalg.norm(np.roll(q, k, 0) - f, axis=1).mean()) for k in range(4)) / side)
        before.append(dist(f))
        for _ in range(times):
            x = torch.from_numpy(rectify(p, f, SIZE, MARGIN).transpose(2, 0, 1)[None].copy()).float()
            out = net((x - MEAN) / STD)[0].numpy()
            f = back(f, out[:8].reshape(4, 2))
        after.append(dist(f))
        told.append(math.exp(out[8]))
    for name, v in (("before", before), ("after", after)):
        v = np.array(v)
        print(f"{name:>7}: middle {np.quantile(v[:, 0], [0.5, 0.9, 0.95, 0.99]).round(3)}, corners {np.quantile(v[:, 1], [0.5, 0.9, 0.95, 0.99]).round(3)}  n {len(v)}")
    a = np.array(after)[:, 0] / np.array(told)
    print(f"middle off in what is told: {np.quantile(a, [0.5, 0.9, 0.95, 0.99]).round(2)} (of a normal spread in two axes 1.18, 2.15, 2.45, 3.03)", flush=True)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--synth", nargs="*", default=[])
    a.add_argument("--test")
    a.add_argument("--net")
    a.add_argument("--out")
    a.add_argument("--export")
    a.add_argument("--data", nargs="*", default=[])
    a.add_argument("--steps", type=int, default=4000)
    a.add_argument("--batch", type=int, default=128)
    a.add_argument("--lr", type=float, default=2e-3)
    a.add_argument("--seed", type=int, default=81)
    a.add_argument("--threads", type=int, default=2)
    a = a.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    net = Refiner().to(memory_format=torch.channels_last)
    if a.net:
        net.load_state_dict(torch.load(a.net, weights_only=False)["net"])
    if a.export:
        p = os.path.join(a.export, "face-refiner.onnx")
        torch.onnx.export(net.eval(), (torch.zeros(2, 3, SIZE, SIZE),), p, dynamo=False, opset_version=17, input_names=["faces"], output_names=["offsets"],
                          dynamic_axes={"faces": {0: "n"}, "offsets": {0: "n"}})
        export.finish(p, dict(model="face-refiner", format=1, size=SIZE, margin=MARGIN, mean=MEAN, std=STD, parameters=sum(q.numel() for q in net.parameters()), data_sha256=export.data_hash(a.data)), False)
        return
    held = collect([a.test]) if a.test else []
    if not a.synth:
        test(net, held)
        return
    dice = collect(a.synth)
    print(f"{len(dice)} dice, {len(held)} to test on", flush=True)
    loader = iter(torch.utils.data.DataLoader(Faces(dice, a.batch, a.seed), batch_size=None, num_workers=1, prefetch_factor=8))
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=2e-2)
    ema, start = copy.deepcopy(net).eval(), 0
    if os.path.exists(a.out + ".ckpt"):
        c = torch.load(a.out + ".ckpt", weights_only=False)
        net.load_state_dict(c["net"])
        opt.load_state_dict(c["opt"])
        ema.load_state_dict(c["ema"])
        start = c["step"]
    t0, log = time.time(), np.zeros(3)
    net.train()
    for step in range(start, a.steps):
        for g in opt.param_groups:
            g["lr"] = a.lr * (min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * step / a.steps)) + 1e-4)
        x, y = next(loader)
        with short_floats():
            e = net.body(((x.float() - MEAN) / STD).to(memory_format=torch.channels_last))
        l, middle, corners = loss(net.head(e.float().flatten(1)), y)
        l.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        k = min(0.998, (step + 1) / (step + 20))
        with torch.no_grad():
            for p, q in zip(ema.state_dict().values(), net.state_dict().values()):
                p.mul_(k).add_(q, alpha=1 - k) if p.dtype.is_floating_point else p.copy_(q)
        log += [float(l.detach()), float(middle.detach().median()), float(corners.detach().median())]
        if (step + 1) % 100 == 0:
            print(f"{step + 1} of {a.steps}  loss {log[0] / 100:.4f}, middle {log[1] / 100:.4f}, corners {log[2] / 100:.4f}  {(time.time() - t0) / (step + 1 - start):.2f} s a step", flush=True)
            log[:] = 0
        if (step + 1) % 500 == 0:
            torch.save(dict(net=net.state_dict(), opt=opt.state_dict(), ema=ema.state_dict(), step=step + 1), a.out + ".ckpt")
            test(ema, held[::4])
    torch.save(dict(net=ema.state_dict(), args=vars(a)), a.out)
    if os.path.exists(a.out + ".ckpt"):
        os.remove(a.out + ".ckpt")
    test(ema, held)


if __name__ == "__main__":
    main()
