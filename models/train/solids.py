"""Train the detector of polyhedral dice (d4, d8, d10, d12, d20), from the one that finds cubes, and say how good it is.

    python ../synth/solids.py --out WORK/solids --count 3000 --seed 41 --photos PHOTOS
    python solids.py --synth WORK/solids --photos PHOTOS --init WORK/floor.det4.pt --out WORK/solids.pt
    python solids.py --test WORK/solidsval --net WORK/solids.pt            made tables that trained nothing
    python solids.py --kinds --photos PHOTOS --net WORK/solids.pt          real photographs (`kinds`) that trained nothing: which shape
    python solids.py --export WORK/solids.pt --synth WORK/solids --out ../solid-detector.onnx
"""
import argparse
import collections
import json
import math
import os

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import data
import infer
import loop
import views
from infer import MEAN, STD
from nets import SOLID_CHANNELS, Detector, short_floats

AREA = 921_600
SHAPES = ["d4", "d8", "d10", "d12", "d20"]
# How often a face comes back to itself in a turn, and which pair of channels says how it is turned.
FOLD = dict(d4=3, d8=3, d10=1, d12=5, d20=3)
PAIR = {1: 0, 3: 1, 5: 2}
# How wide a die is, by the square root of its top face's area.
WIDE = dict(d4=1.5, d8=1.9, d10=1.6, d12=1.7, d20=2.6)
# A kite: flat, so that its wide corners lie at a part of its length that no view from far away changes.
WIDE_AT = math.cos(math.pi / 5)


def canonical(shape):
    """A face's corners, clockwise from the upper one (y down), about their mean, with an area of 1."""
    if shape == "d10":
        half = math.sin(math.pi / 5)
        q = np.array([[0, 0], [half, WIDE_AT], [0, 1], [-half, WIDE_AT]])
    else:
        n = FOLD[shape]
        a = 2 * math.pi * np.arange(n) / n
        q = np.stack([np.sin(a), -np.cos(a)], 1)
    q = q - q.mean(0)
    return q / math.sqrt(abs(cv2.contourArea(np.float32(q))))


CANONICAL = {s: canonical(s) for s in SHAPES}


def geometry(d):
    """See nets.py; None where only the box is known."""
    index = SHAPES.index(d["shape"])
    if d["poly"] is None:
        return None
    *p, below, above = np.asarray(d["poly"], float)
    p = np.array(p)
    q = CANONICAL[d["shape"]]
    fc = p.mean(0)

    def fit(p):
        return np.linalg.lstsq(q, p - p.mean(0), rcond=None)[0].T

    A = fit(p)
    if np.linalg.det(A) < 0:  # the picture is mirrored
        A = fit(np.concatenate([p[:1], p[:0:-1]]))
    size = math.sqrt(max(np.linalg.det(A), 1e-6))
    u, s, vt = np.linalg.svd(A)
    S, R = (u * s) @ u.T / size, u @ vt
    t = math.atan2(R[1, 0], R[0, 0]) * FOLD[d["shape"]]
    turn = [math.nan] * 6
    turn[2 * PAIR[FOLD[d["shape"]]] : 2 * PAIR[FOLD[d["shape"]]] + 2] = math.cos(t), math.sin(t)
    off, up = (fc - d["centre"]) / size, (above - below) / size
    return size, [math.log(size / 32), *off, S[0, 0], S[0, 1], S[1, 1], *turn, *up, index]


def made(folder):
    items = data.synthetic(folder)
    for item in items:
        for d in item["dice"]:
            c = d["poly"].mean(0)
            below, above = (c, c + d["up"]) if d["shape"] == "d4" else (c - d["up"], c)
            d["poly"] = np.float32([*d["poly"], below, above])
    return items


class Places(torch.utils.data.IterableDataset):
    """Where views lie, and what the net is to say of them; the pixels are warped where they are (views.py)."""

    def __init__(self, items, weights, size, batch, seed):
        self.items, self.weights, self.size, self.batch, self.seed = items, weights, size, batch, seed

    def __iter__(self):
        w = torch.utils.data.get_worker_info()
        r = np.random.default_rng([self.seed, w.id if w else 0])
        total = self.weights.cumsum()
        while True:
            index, back, fill, tg = [], [], [], []
            for _ in range(self.batch):
                i = int(np.searchsorted(total, r.random() * total[-1]))
                M, dice = data.random_place(r, self.items[i], self.size, (0.2, 0.8))
                index.append(i)
                back.append(cv2.invertAffineTransform(M))
                fill.append(r.uniform(0, 255, 3) if r.random() < 0.6 else [math.nan] * 3)
                # a d20's face is a ninth of what is seen of it
                tg.append(data.targets(dice, self.size, geometry, 2 + 15, 4))
            yield torch.tensor(index), torch.from_numpy(np.float32(back)), torch.from_numpy(np.float32(fill)), *[torch.from_numpy(np.stack(t)) for t in zip(*tg)]


class Flat:
    """A picture's place in random_place, without its pixels."""

    def __init__(self, rgb):
        self.shape = rgb.shape


def squared(rgb):
    """512 pixels wide and high, cut or with its edge going on."""
    h, w = rgb.shape[:2]
    return np.ascontiguousarray(np.pad(rgb, [(0, max(512 - h, 0)), (0, max(512 - w, 0)), (0, 0)], mode="edge")[:512, :512])


def loss_of(out, heat, hw, geo, gw):
    z = out[:, 0].float()
    p = torch.sigmoid(z).clamp(1e-4, 1 - 1e-4)
    pos = (heat >= 0.999).float() * hw
    lp = -((1 - p) ** 2) * torch.log(p) * pos
    ln = -((1 - heat) ** 4) * p**2 * torch.log(1 - p) * (1 - pos) * hw
    n = pos.sum().clamp(min=1)
    g = out[:, 1:17].float()
    near = (heat > 0.2).float() * hw
    off = (F.smooth_l1_loss(g[:, :2], geo[:, :2], reduction="none", beta=0.1).sum(1) * heat * near).sum() / (heat * near).sum().clamp(min=1)
    known = ~torch.isnan(geo[:, 2:16])
    w = torch.tensor([1.5, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1.0], device=out.device).view(1, 14, 1, 1) * known
    rest = (F.smooth_l1_loss(g[:, 2:], torch.nan_to_num(geo[:, 2:16]), reduction="none", beta=0.05) * w).sum(1)
    rest = (rest * gw).sum() / gw.sum().clamp(min=1)
    shape = F.cross_entropy(out[:, 17:].float(), geo[:, 16].long(), reduction="none")
    shape = (shape * gw).sum() / gw.sum().clamp(min=1)
    return (lp.sum() + ln.sum()) / n, off, rest, shape


def train(a):
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cudnn.benchmark = True
    items = [it for f in a.synth for it in made(f)]
    # cubes, and tables with none: nothing to be found here
    cubes = data.photos(a.photos, ["tray", "table", "numbered"], 500_000, every=8)
    weights = np.array([1 / len(items)] * len(items) + [0.1 / max(len(cubes), 1)] * len(cubes))
    items += [dict(it, dice=[]) for it in cubes]
    pictures = torch.from_numpy(np.stack([squared(it["rgb"]) for it in items])).permute(0, 3, 1, 2).contiguous().to(device)
    for it in items:
        it["rgb"] = Flat(squared(it["rgb"]))
    print(f"{len(items)} pictures, {sum(len(it['dice']) for it in items)} dice, on {device}", flush=True)
    net = Detector(channels=SOLID_CHANNELS).to(device, memory_format=torch.channels_last)
    g = torch.Generator(device).manual_seed(a.seed)

    def seen(batch):
        index, back, fill, *t = batch
        x = views.camera(views.warped(pictures, index.to(device), back, a.size, fill), g)
        return ((x - MEAN) / STD).contiguous(memory_format=torch.channels_last), [v.to(device, non_blocking=True) for v in t]

    def step(net, batch):
        x, t = seen(batch)
        with short_floats(device):
            out = net(x)
        losses = loss_of(out, *t)
        return losses, losses

    loop.begin(net, a.init, None)
    places = lambda seed: torch.utils.data.DataLoader(Places(items, weights, a.size, a.batch, seed), batch_size=None, num_workers=a.workers, prefetch_factor=6, pin_memory=device == "cuda")
    loop.learn(a, net, places, step, a.lr, decay=1e-2, device=device, every=300, names=("heat", "offset", "face", "shape"))


def load(path):
    return infer.load_floats(path, SOLID_CHANNELS)


@torch.no_grad()
def detect(net, rgb, threshold=0.3, levels=(1.0, 0.5, 0.25), area=AREA):
    """[(score, middle, chances of the shapes, shape, polygon, up)], best first, as src/vision/solids finds them."""
    h, w = rgb.shape[:2]
    found = []
    for level in levels:
        x, back = infer.scaled(rgb, math.sqrt(area / (h * w)) * level)
        out = net(x)[0].float().numpy()
        for score, x_, y, g in infer.peaks(out, threshold):
            c = (np.array([x_ + g[1], y + g[2]]) + 0.5) * data.STRIDE - 0.5
            s = 32 * math.exp(min(max(g[3], -3), 4))
            chance = np.exp(g[17:] - g[17:].max())
            chance /= chance.sum()
            shape = SHAPES[int(chance.argmax())]
            n = FOLD[shape]
            cs, sn = g[9 + 2 * PAIR[n] : 11 + 2 * PAIR[n]]
            t = math.atan2(sn, cs) / n
            R = np.array([[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]])
            A = np.array([[g[6], g[7]], [g[7], g[8]]]) * s @ R
            poly = c + g[4:6] * s + CANONICAL[shape] @ A.T
            found.append((score, (c + 0.5) * back - 0.5, chance, shape, (poly + 0.5) * back - 0.5, g[15:17] * s * back, WIDE[shape] * s * back.mean()))
    found.sort(key=lambda f: -f[0])
    kept = []
    for f in found:
        if all(np.hypot(*(f[1] - k[1])) > 0.5 * max(f[6], k[6]) for k in kept):
            kept.append(f)
    return kept


def turns(shape, poly):
    return [np.roll(poly, -k, 0) for k in range(1 if shape == "d10" else len(poly))]


def test(a):
    net, n = load(a.net), collections.Counter()
    off = collections.defaultdict(list)
    for item in data.synthetic(a.test):
        found = detect(net, item["rgb"], levels=(item["rgb"].shape[0] * item["rgb"].shape[1] / AREA) ** 0.5 * np.array([2.0, 1.0, 0.5]))
        used = set()
        for d in item["dice"]:
            p = d["poly"]
            side = math.sqrt(cv2.contourArea(p))
            if d["visible"] < 0.7 or (p < 0).any() or (p > 511).any() or d["box"][2] * d["box"][3] < 15**2:
                continue
            x, y, w, h = d["box"]
            c = np.array([x + w / 2, y + h / 2])
            hit = next((i for i, f in enumerate(found) if i not in used and np.hypot(*(f[1] - c)) < 0.4 * math.sqrt(w * h)), None)
            far = "steep" if d["off_deg"] > 40 else "near"
            for key in (d["shape"], far, "all"):
                n[key, "dice"] += 1
                if hit is not None:
                    n[key, "found"] += 1
                    n[key, "shape"] += found[hit][3] == d["shape"]
            if hit is not None:
                used.add(hit)
                f = found[hit]
                if f[3] == d["shape"]:
                    e = min(np.sqrt(((f[4] - q) ** 2).sum(1)).mean() for q in turns(d["shape"], p)) / side
                    off[d["shape"]].append(e)
                    off["all"].append(e)
        # what lies near a die that is hidden or cut off is none of the mistakes
        for i, f in enumerate(found):
            if i not in used and all(np.hypot(*(f[1] - [d["box"][0] + d["box"][2] / 2, d["box"][1] + d["box"][3] / 2])) > 0.6 * math.sqrt(d["box"][2] * d["box"][3]) for d in item["dice"]):
                n["all", "none there"] += 1
    for key in [*SHAPES, "near", "steep", "all"]:
        o = np.array(off[key] or [math.nan])
        print(key.ljust(6), f"{n[key, 'found']} of {n[key, 'dice']} found ({100 * n[key, 'found'] / max(n[key, 'dice'], 1):.1f} %), shape right {n[key, 'shape']} ({100 * n[key, 'shape'] / max(n[key, 'found'], 1):.1f} %)",
              f"corners off by parts of the face's side: median {np.nanmedian(o):.3f}, 90 % {np.nanquantile(o, 0.9):.3f}" if key in off else "")
    print("said where none is:", n["all", "none there"])


def kinds(a):
    net, n = load(a.net), collections.Counter()
    for line in open(os.path.join(a.photos, "kinds.jsonl")):
        row = json.loads(line)
        shape = row["dice"][0]["kind"]
        found = detect(net, data.imread(os.path.join(a.photos, row["image"])), levels=(1.0, 0.5, 0.25, 0.125))
        said = found[0][3] if found else "none"
        n[shape, said] += 1
    shapes = sorted({s for s, _ in n}, key=lambda s: int(s[1:]))
    print("which   " + "".join(s.rjust(7) for s in [*SHAPES, "none"]))
    for s in shapes:
        print(s.ljust(8) + "".join(str(n[s, t]).rjust(7) for t in [*SHAPES, "none"]))


def export(a):
    import export as ex

    net = load(a.export)
    torch.onnx.export(net, (torch.zeros(1, 3, 256, 320),), a.out, dynamo=False, opset_version=17, input_names=["images"], output_names=["map"], dynamic_axes={"images": {2: "h", 3: "w"}, "map": {2: "h8", 3: "w8"}})
    lists = [os.path.join(f, t) for f in a.synth for t in os.listdir(f) if t.startswith("truth")]
    ex.finish(a.out, dict(model="solid-detector", format=1, shapes=",".join(SHAPES), stride=data.STRIDE, channels=SOLID_CHANNELS, area=AREA, threshold=0.3, mean=MEAN, std=STD, parameters=sum(q.numel() for q in net.parameters()), data_sha256=ex.data_hash(lists)), False)


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--synth", nargs="+")
    a.add_argument("--photos")
    loop.options(a, steps=2600, batch=48, seed=51)
    a.add_argument("--size", type=int, default=192)
    a.add_argument("--net")
    a.add_argument("--test")
    a.add_argument("--kinds", action="store_true")
    a.add_argument("--export")
    a = a.parse_args()
    export(a) if a.export else test(a) if a.test else kinds(a) if a.kinds else train(a)
