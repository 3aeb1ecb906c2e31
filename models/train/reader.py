"""Train the reader: rectified top faces to unit vectors, equal prints near, different prints apart.

    python reader.py --fold tray --synth DIR --photos DIR --pseudo pseudo.jsonl --out tray.pt [--init base.pt]

Half of a batch are classes: nine pip faces (2, 3 and 6 count twice: they look different when turned by a
quarter), and numerals by what they show and how they are turned, since every copy of the plain dice shows them.
Blank faces, places that hold no die (negatives.py) and icons are to be like none of these by more than `NONE`.
The other half are made prints of no class, four views of each, that are to be near each other and far from all
else (prints.py): what is enrolled later is such a print.
"""
import argparse
import copy
import json
import math
import os
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import data
import prints
from nets import Reader, even, from_onnx, short_floats

SIZE, MARGIN = 48, 0.2
MEAN, STD = 127.5, 64.0
TURNED = {2: 6, 3: 7, 6: 8}
NONE = 0.35  # cosine


def rectify(rgb, poly, size=SIZE, margin=MARGIN):
    """The face, upright as its corners are ordered, with a margin of that share of its side."""
    lo, hi = size * margin / (1 + 2 * margin), size * (1 + margin) / (1 + 2 * margin)
    dst = np.float32([[lo, lo], [hi, lo], [hi, hi], [lo, hi]]) - 0.5
    p = np.float32(poly)
    c = p.mean(0)
    side = math.sqrt(max(cv2.contourArea(p), 1))
    if side > 1.6 * size:  # take the mean of what would be skipped
        k = 1.2 * size / side
        r = side * 1.3
        x0, y0 = int(max(c[0] - r, 0)), int(max(c[1] - r, 0))
        sub = rgb[y0 : int(c[1] + r) + 2, x0 : int(c[0] + r) + 2]
        if min(sub.shape[:2]) * k >= 1:  # else there is less than a pixel of it in the picture
            s = cv2.resize(sub, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
            kx, ky = s.shape[1] / sub.shape[1], s.shape[0] / sub.shape[0]
            rgb = s
            p = ((p - [x0, y0] + 0.5) * [kx, ky] - 0.5).astype(np.float32)
    M = cv2.getPerspectiveTransform(p, dst.astype(np.float32))
    return cv2.warpPerspective(rgb, M, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def pip_class(value, turned):
    return TURNED[value] if turned and value in TURNED else value - 1


def patch(rgb, poly):
    """The neighbourhood of a die and its face in it, so that crops can be made anew each time."""
    c = np.asarray(poly).mean(0)
    r = max(16.0, np.linalg.norm(np.asarray(poly) - c, axis=1).max() * 1.7)
    x0, y0 = int(max(0, c[0] - r)), int(max(0, c[1] - r))
    p = rgb[y0 : int(c[1] + r) + 1, x0 : int(c[0] + r) + 1]
    k = 1.0
    if r > 80:
        k = 80 / r
        p = cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(p), ((np.float32(poly) - [x0, y0] + 0.5) * k - 0.5).astype(np.float32)


def hue_only(r, im):
    """Print that differs from its die by colour alone, on a marbled body; as it is where there is no colour."""
    lab = cv2.cvtColor(np.ascontiguousarray(im), cv2.COLOR_RGB2LAB).astype(np.float32)
    if lab[8:-8, 8:-8, 1:].std((0, 1)).sum() < 9:
        return im
    light = lab[..., 0]
    k = int(r.integers(2, 7))
    marble = cv2.resize(r.standard_normal((k, k)).astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
    lab[..., 0] = np.clip(light.mean() + (light - light.mean()) * r.uniform(-0.2, 0.4) + marble * r.uniform(0, 40), 0, 255)
    return cv2.cvtColor(lab.astype(np.uint8), cv2.COLOR_LAB2RGB)


def glare(r, im):
    """Mirror images of lamps on a domed face: arcs and streaks."""
    m = np.zeros((SIZE * 2, SIZE * 2), np.uint8)
    for _ in range(int(r.integers(1, 4))):
        c = tuple(int(v) for v in r.uniform(0.2, 0.8, 2) * SIZE * 2)
        axes = tuple(int(v) for v in r.uniform(0.06, 0.38, 2) * SIZE * 2)
        a = r.uniform(0, 360)
        cv2.ellipse(m, c, axes, r.uniform(0, 180), a, a + r.uniform(60, 360), 255, int(r.integers(1, 7)), cv2.LINE_AA)
    m = cv2.GaussianBlur(m, (0, 0), r.uniform(0.5, 3))
    w = cv2.resize(m, (SIZE, SIZE), interpolation=cv2.INTER_AREA)[..., None].astype(np.float32) / 255 * r.uniform(0.3, 1)
    return (im * (1 - w) + 255 * w * r.uniform(0.75, 1)).astype(np.uint8)


def collect(a):
    """Lists of (patch, poly, class, may_be_turned): class -2 marks a pip face whose turn is unknown, -4 no face."""
    synth, real, nothing = [], [], []
    known = {}
    for l in open(a.negatives):
        l = json.loads(l)
        if isinstance(l["file"], str):
            known[l["file"]] = l["polys"]
    for it in (i for folder in a.synth for i in data.synthetic(folder)):
        for q in known.get(it["file"], []):
            p, q = patch(it["rgb"], np.float32(q))
            if min(p.shape[:2]) >= 8:
                nothing.append((p, q, -4, -1))
        for d in it["dice"]:
            side = math.sqrt(max(cv2.contourArea(np.float32(d["poly"])), 0))
            if d["visible"] < 0.8 or side < 11:
                continue
            p, q = patch(it["rgb"], d["poly"])
            if min(p.shape[:2]) < 8:
                continue
            if d["kind"] == "blank":
                nothing.append((p, q, -4, -1))
            elif d["kind"] == "pips":
                synth.append((p, q, pip_class(d["value"], d["turned"]), -1))
            elif d["kind"] == "numeral":
                synth.append((p, q, 9 + d["value"] - 1, 1))
            else:
                nothing.append((p, q, -4, -1))
        it["rgb"] = None
    items = data.photos(a.photos, ["tray", "table", "floor", "crops", "numbered"], None)
    known = {json.loads(l)["image"]: json.loads(l) for l in open(a.pseudo)}
    for it in items:
        if it["scene"] == a.fold:
            continue
        r = known.get(it["file"])
        area = {"numbered": 700_000, "crops": 230_000}.get(it["scene"], 921_600)
        k = math.sqrt(area / (it["rgb"].shape[0] * it["rgb"].shape[1]))
        for d, f in zip(it["dice"], r["faces"]):
            if f is None or d["value"] is None:
                continue
            f = (np.float32(f) + 0.5) / k - 0.5
            side = math.sqrt(max(cv2.contourArea(np.float32(f)), 0))
            if side < 11:
                continue
            p, q = patch(it["rgb"], f)
            if min(p.shape[:2]) < 8:
                continue
            real.append((p, q, -2 if d["kind"] == "pips" else -3, d["value"], it["scene"]))
    k = {tuple(l["file"]): l["polys"] for l in map(json.loads, open(a.negatives)) if not isinstance(l["file"], str)}
    for it in data.photos(a.photos, ["d20", "d8-d12"], 230_000)[::6]:
        for q in k.get((it["file"], it["k"]), []):
            p, q = patch(it["rgb"], np.float32(q))
            if min(p.shape[:2]) >= 8:
                nothing.append((p, q, -4, -1))
    keep = np.random.default_rng(0).permutation(len(nothing))[:30_000]  # memory
    return synth, real, [nothing[i] for i in keep]


class Crops(torch.utils.data.IterableDataset):
    def __init__(self, synth, real, nothing, batch, made, share, seed):
        self.synth, self.real, self.nothing, self.batch, self.made, self.share, self.seed = synth, real, nothing, batch, made, share, seed
        self.by = {}
        for i, r in enumerate(real):
            self.by.setdefault(r[4], []).append(i)

    def __iter__(self):
        cv2.setNumThreads(1)
        r = np.random.default_rng([self.seed, 5])
        scenes = [s for s in self.by if self.share]
        while True:
            X, Y, T, V = [], [], [], []
            for _ in range(self.batch):
                if r.random() < 0.15:
                    p, q, c, _t = self.nothing[int(r.integers(len(self.nothing)))]
                    v = 0
                elif scenes and r.random() < self.share:
                    w = np.array([len(self.by[s]) ** 0.5 for s in scenes])
                    s = scenes[int(r.choice(len(scenes), p=w / w.sum()))]
                    p, q, c, v, _ = self.real[self.by[s][int(r.integers(len(self.by[s])))]]
                else:
                    p, q, c, _t = self.synth[int(r.integers(len(self.synth)))]
                    v = 0
                    if r.random() < 0.4:
                        im, v = prints.pips(r, SIZE)
                        X.append(im.transpose(2, 0, 1))
                        Y.append(-2)
                        T.append(0)
                        V.append(v)
                        continue
                side = math.sqrt(cv2.contourArea(q))
                turn = int(r.integers(4))
                # the detector's corners are some way off, all together more than each by itself
                j = q + r.normal(0, 0.035, (4, 2)).astype(np.float32) * side + r.normal(0, 0.1, 2).astype(np.float32) * side
                j = (j - j.mean(0)) * r.normal(1, 0.09) + j.mean(0)
                j = np.roll(j, -turn, 0)
                im = rectify(p, j.astype(np.float32))
                flip = bool(r.random() < 0.5) and (c in (-2,) or 0 <= c < 9)
                # a mirrored pip face is a pip face: the diagonal of 2 and 3 goes the other way
                cls = c
                if 0 <= c < 9:
                    if turn % 2 and (c in (1, 2, 5) or c >= 6):
                        cls = {1: 6, 2: 7, 5: 8, 6: 1, 7: 2, 8: 5}[c]
                    if flip and cls in (1, 2, 6, 7):
                        cls = {1: 6, 2: 7, 6: 1, 7: 2}[cls]
                if flip:
                    im = im[:, ::-1]
                if r.random() < 0.25:
                    im = hue_only(r, im)
                if r.random() < 0.35:
                    im = glare(r, im)
                if r.random() < 0.25:
                    im = im[..., [int(i) for i in r.permutation(3)]]
                if r.random() < 0.35:  # any ink on any body: inks as dark as their die, too
                    m = np.eye(3) + r.normal(0, 0.3, (3, 3))
                    im = np.clip(im.reshape(-1, 3) @ m + r.normal(0, 15, 3), 0, 255).reshape(im.shape).astype(np.uint8)
                if r.random() < 0.4:
                    k = r.uniform(0.2, 1)
                    im = np.clip(im.astype(np.float32) * k + im.mean((0, 1)) * (1 - k) * r.uniform(0.5, 1.1), 0, 255).astype(np.uint8)
                if r.random() < 0.08 and (c in (-2, -4) or 0 <= c < 9):
                    im = 255 - im
                im = data.camera_effects(r, np.ascontiguousarray(im), 0.6, 60)
                X.append(im.transpose(2, 0, 1))
                Y.append(cls)
                T.append(turn)
                V.append(v or 0)
            made, labels = prints.batch(r, self.made, SIZE)
            X += list(made.transpose(0, 3, 1, 2))
            yield torch.from_numpy(np.stack(X)), torch.tensor(Y), torch.tensor(T), torch.tensor(V), torch.from_numpy(labels)


def classes(cos, y, turn, v):
    """What each face is to be nearest to: pips as they are, numerals by how they are turned, 33 for none of them.

    Photographs do not say how a face is turned: the likeliest of what it may be is taken.
    """
    cls = torch.where(y >= 9, 9 + (y - 9) * 4 + turn, y)
    one = (v - 1).clamp(min=0)
    two = torch.where(v == 2, 6, torch.where(v == 3, 7, torch.where(v == 6, 8, one)))
    i = torch.arange(len(y))
    cls = torch.where(y == -2, torch.where(cos[i, one] >= cos[i, two], one, two), cls)
    opts = 9 + one[:, None] * 4 + torch.arange(4)[None]
    pick = cos.gather(1, opts.clamp(max=32)).argmax(1)
    cls = torch.where(y == -3, opts.gather(1, pick[:, None])[:, 0], cls)
    return torch.where(y == -4, 33, cls)


@torch.no_grad()
def settle(net, proxies, batches):
    """Each class's vector where an exported net has its faces: the file does not hold them."""
    sums = torch.zeros_like(proxies)
    for x, y, turn, _, _ in batches:
        e = net(((x.float() - MEAN) / STD))[: len(y)]
        for vector, c in zip(e, torch.where(y >= 9, 9 + (y - 9) * 4 + turn, y)):
            if c >= 0:
                sums[c] += vector
    proxies.data.copy_(F.normalize(sums + 1e-3 * torch.randn_like(sums), dim=1))


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--fold")
    a.add_argument("--init")
    a.add_argument("--synth", nargs="+", required=True)
    a.add_argument("--negatives", required=True)
    a.add_argument("--photos", required=True)
    a.add_argument("--pseudo", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--steps", type=int, default=3000)
    a.add_argument("--batch", type=int, default=64, help="faces of classes")
    a.add_argument("--made", type=int, default=64, help="made prints, with them")
    a.add_argument("--save-every", type=int, default=500)
    a.add_argument("--share", type=float, default=0.5)
    a.add_argument("--lr", type=float, default=2e-3)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--threads", type=int, default=2)
    a = a.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    synth, real, nothing = collect(a)
    print(f"{len(synth)} made faces, {len(nothing)} places without, {len(real)} photographed", {s: sum(1 for r in real if r[4] == s) for s in {r[4] for r in real}}, flush=True)
    net = Reader().to(memory_format=torch.channels_last)
    loader = iter(torch.utils.data.DataLoader(Crops(synth, real, nothing, a.batch, a.made, a.share, a.seed), batch_size=None, num_workers=1, prefetch_factor=8))
    # 9 pip classes, then 4 turns of six numerals
    proxies = torch.nn.Parameter(F.normalize(torch.randn(9 + 24, 64), dim=1))
    if a.init and a.init.endswith(".onnx"):
        batches = [next(loader) for _ in range(12)]
        from_onnx(net, a.init, (batches[0][0].float() - MEAN) / STD)
        settle(net, proxies, batches)
    elif a.init:
        c = torch.load(a.init, weights_only=False)
        net.load_state_dict(c["net"])
        proxies.data.copy_(c["proxies"][:33])
    opt = torch.optim.AdamW([dict(params=net.parameters(), weight_decay=2e-2), dict(params=[proxies], weight_decay=0.0, lr=a.lr * 4)], lr=a.lr)
    base = [g["lr"] for g in opt.param_groups]
    ema = copy.deepcopy(net).eval()
    start = 0
    if os.path.exists(a.out + ".ckpt"):
        c = torch.load(a.out + ".ckpt", weights_only=False)
        net.load_state_dict(c["net"])
        proxies.data.copy_(c["proxies"])
        opt.load_state_dict(c["opt"])
        ema.load_state_dict(c["ema"])
        start = c["step"]
    t0, log = time.time(), np.zeros(4)
    scale, marg = 24.0, 0.2
    net.train()
    for step in range(start, a.steps):
        f = min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * step / a.steps)) + 1e-4
        for g, b in zip(opt.param_groups, base):
            g["lr"] = b * f
        x, y, turn, v, labels = next(loader)
        x = ((x.float() - MEAN) / STD).to(memory_format=torch.channels_last)
        with short_floats():
            e = net.body(even(x))
        e = F.normalize(net.head(e.float().flatten(1)), dim=1)
        e, made = e[: len(y)], e[len(y) :]
        cos = e @ F.normalize(proxies, dim=1).T
        cls = classes(cos.detach(), y, turn, v)
        cos = torch.cat([cos, torch.full((len(y), 1), NONE)], 1)
        target = F.one_hot(cls, cos.shape[1]).float()
        target[:, -1] = 0
        known = F.cross_entropy(scale * (cos - marg * target), cls)
        foreign, apart = prints.loss(made, labels, F.normalize(proxies, dim=1), scale, marg, NONE)
        loss = known + foreign
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        k = min(0.998, (step + 1) / (step + 20))
        with torch.no_grad():
            for p, q in zip(ema.state_dict().values(), net.state_dict().values()):
                if p.dtype.is_floating_point:
                    p.mul_(k).add_(q, alpha=1 - k)
                else:
                    p.copy_(q)
        log += [float(known.detach()), float((cos.argmax(1) == cls).float().mean()), float(foreign.detach()), float(apart)]
        if (step + 1) % 100 == 0:
            k = log / 100
            print(f"{step + 1} of {a.steps}  known {k[0]:.3f}, right {k[1]:.4f}; made {k[2]:.3f}, right {k[3]:.4f}  {(time.time() - t0) / (step + 1 - start):.2f} s a step", flush=True)
            log[:] = 0
        if (step + 1) % a.save_every == 0:
            torch.save(dict(net=net.state_dict(), proxies=proxies.data, opt=opt.state_dict(), ema=ema.state_dict(), step=step + 1), a.out + ".ckpt")
    torch.save(dict(net=ema.state_dict(), proxies=proxies.data, args=vars(a)), a.out)
    if os.path.exists(a.out + ".ckpt"):
        os.remove(a.out + ".ckpt")


if __name__ == "__main__":
    main()
