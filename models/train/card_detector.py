"""Train the detector of cards and boards, and say how good it is.

    python ../synth/spreads.py --out WORK/spreads --copies 110 --flat 44 --traced 8 --seed 61000
    python card_detector.py --synth WORK/spreads --init ../solid-detector.onnx --out WORK/cards.pt
    python card_detector.py --test FOLDER... --net WORK/cards.pt           pictures with the truth of table-photos (tables.py makes such)
    python card_detector.py --export WORK/cards.pt --synth WORK/spreads --out ../card-detector.onnx

A card is a square that was stretched, turned and seen in perspective: p = c + A u / (1 + h . A u), u in the square from -1/2 to 1/2. Middle c,
matrix A and vector h are the same whichever corner comes first, but for a quarter turn of A, whose angle counts four times, so that there is no
seam where the net would have to jump (nets.py).
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
from infer import MEAN, STD
from nets import CARD_CHANNELS, SOLID_CHANNELS, Detector, from_onnx, short_floats

# A view in training; what a picture is scaled to, pixels in all; the stride of the net, whose input is a multiple of 32 wide and high.
SIZE = (384, 224)
AREA = 384 * 216
STRIDE = data.STRIDE
SQUARE = np.float64([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
# Cards are asked for from so many pixels on, by the square root of their area.
LEAST = 12


def geometry(corners):
    """(middle, size, channels 3 on) of four corners, clockwise or not."""
    q = np.float64(corners)
    if cv2.contourArea(np.float32(q), oriented=True) < 0:
        q = q[::-1]
    H = cv2.getPerspectiveTransform(np.float32(SQUARE), np.float32(q))
    c, g = H[:2, 2], H[2, :2]
    A = H[:2, :2] - np.outer(c, g)
    det = np.linalg.det(A)
    if det <= 1e-3:
        return None
    size = math.sqrt(det)
    h = np.linalg.solve(A.T, g) * size
    u, s, vt = np.linalg.svd(A)
    S, R = (u * s) @ u.T / size, u @ vt
    t = 4 * math.atan2(R[1, 0], R[0, 0])
    return c, size, [math.log(size / 32), *h, S[0, 0], S[0, 1], S[1, 1], math.cos(t), math.sin(t)]


def corners_of(c, g):
    """The other way round, from channels 3 on."""
    s = 32 * math.exp(min(max(g[0], -3), 4))
    t = math.atan2(g[7], g[6]) / 4
    A = np.array([[g[3], g[4]], [g[4], g[5]]]) * s @ np.array([[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]])
    v = SQUARE @ A.T
    return c + v / np.maximum(1 + v @ np.array(g[1:3]) / s, 0.3)[:, None]


def targets(cards):
    w, h = SIZE[0] // STRIDE, SIZE[1] // STRIDE
    heat, hw = np.zeros((h, w), np.float32), np.ones((h, w), np.float32)
    geo, best = np.zeros((10, h, w), np.float32), np.zeros((h, w), np.float32)
    y, x = np.mgrid[:h, :w].astype(np.float32)
    for q in cards:
        found = geometry(q)
        if found is None:
            continue
        c, size, rest = found
        at = (c + 0.5) / STRIDE - 0.5
        cell = np.round(at).astype(int)
        if not (0 <= cell[0] < w and 0 <= cell[1] < h):
            continue
        near = np.hypot(x - at[0], y - at[1])
        if size < LEAST or size > 2 * SIZE[1] or max(abs(rest[1]), abs(rest[2])) > 1:
            hw[near < max(0.25 * size / STRIDE, 1.5)] = 0
            continue
        # the shorter side says how near another middle may be
        sigma = max(0.09 * size / STRIDE, 0.7)
        g = np.exp(-(near**2) / (2 * sigma**2)).astype(np.float32)
        g[cell[1], cell[0]] = 1.0
        more = g > best
        best = np.maximum(best, g)
        heat = np.maximum(heat, g)
        for i, v in enumerate(rest):
            geo[2 + i][more] = v
        geo[0][more], geo[1][more] = (at[0] - x)[more], (at[1] - y)[more]
    return heat, hw, geo, best * (best > 0.3)


class Views(torch.utils.data.IterableDataset):
    def __init__(self, rows, batch, seed):
        self.rows, self.batch, self.seed = rows, batch, seed

    def __iter__(self):
        w = torch.utils.data.get_worker_info()
        r = np.random.default_rng([self.seed, w.id if w else 0])
        while True:
            x, tg = [], []
            for _ in range(self.batch):
                row = self.rows[int(r.integers(len(self.rows)))]
                im, cards = view(r, data.imread(row["file"]), row["cards"])
                x.append(im)
                tg.append(targets(cards))
            yield torch.from_numpy(np.stack(x)), *[torch.from_numpy(np.stack(t)) for t in zip(*tg)]


def view(r, rgb, cards):
    """What a camera may give of a picture: turned, nearer or from further off, mirrored."""
    h, w = rgb.shape[:2]
    s = SIZE[0] / w * math.exp(r.uniform(math.log(0.75), math.log(1.5)))
    a = r.normal(0, 0.12) if r.random() < 0.7 else r.uniform(0, 6.28)
    asp = math.exp(r.normal(0, 0.08))
    A = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]) @ np.diag([s * asp * r.choice([-1, 1]), s / asp])
    at = np.array([w, h]) / 2
    if cards and r.random() < 0.8:
        at = np.mean(cards[int(r.integers(len(cards)))], 0)
    M = np.column_stack([A, r.uniform(0.15, 0.85, 2) * SIZE - A @ at])
    border = cv2.BORDER_REFLECT if r.random() < 0.3 and not cards else cv2.BORDER_CONSTANT
    im = cv2.warpAffine(rgb, M, SIZE, flags=cv2.INTER_AREA, borderMode=border, borderValue=tuple(int(v) for v in r.integers(0, 256, 3)) if r.random() < 0.5 else (127, 127, 127))
    return data.camera_effects(r, im), [np.float64(q) @ A.T + M[:, 2] for q in cards]


def loss_of(out, heat, hw, geo, gw):
    z = out[:, 0].float()
    p = torch.sigmoid(z).clamp(1e-4, 1 - 1e-4)
    pos = (heat >= 0.999).float() * hw
    lp = -((1 - p) ** 2) * torch.log(p) * pos
    ln = -((1 - heat) ** 4) * p**2 * torch.log(1 - p) * (1 - pos) * hw
    g = out[:, 1:].float()
    each = F.smooth_l1_loss(g, geo, reduction="none", beta=0.05)
    n = gw.sum().clamp(min=1)
    near = (each[:, :2].sum(1) * gw).sum() / n
    weights = torch.tensor([2, 2, 2, 3, 3, 3, 1.5, 1.5], device=out.device).view(1, 8, 1, 1)
    rest = ((each[:, 2:] * weights).sum(1) * gw).sum() / n
    return (lp.sum() + ln.sum()) / pos.sum().clamp(min=1), near, rest


def read_rows(folders):
    rows = []
    for f in folders:
        for t in sorted(os.listdir(f)):
            if t.endswith(".jsonl"):
                rows += [dict(q, file=os.path.join(f, q["image"])) for q in map(json.loads, open(os.path.join(f, t)))]
    return rows


def begin(net, path, inputs):
    """Takes what fits of the detector of polyhedral dice, or goes on from a checkpoint."""
    if path and path.endswith(".onnx"):
        other = from_onnx(Detector(channels=SOLID_CHANNELS).to(next(net.parameters()).device), path, inputs()).state_dict()
        own = net.state_dict()
        net.load_state_dict({k: other[k] if other[k].shape == v.shape else v for k, v in own.items()})
    else:
        loop.begin(net, path, inputs)


def train(a):
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = read_rows(a.synth)
    print(f"{len(rows)} pictures, {sum(len(r['cards']) for r in rows)} cards, on {device}", flush=True)
    net = Detector(channels=CARD_CHANNELS).to(device, memory_format=torch.channels_last)

    def step(net, batch):
        x, *t = [v.to(device, non_blocking=True) for v in batch]
        x = ((x.permute(0, 3, 1, 2).float() - MEAN) / STD).contiguous(memory_format=torch.channels_last)
        with short_floats(device):
            out = net(x)
        losses = loss_of(out, *t)
        return losses, losses

    batches = lambda seed: torch.utils.data.DataLoader(Views(rows, a.batch, seed), batch_size=None, num_workers=a.workers, prefetch_factor=4)
    begin(net, a.init, lambda: next(iter(Views(rows, 32, a.seed)))[0].permute(0, 3, 1, 2).float().sub(MEAN).div(STD).to(device))
    loop.learn(a, net, batches, step, a.lr, decay=1e-2, device=device, every=300, names=("heat", "middle", "shape"))


def load(path):
    return infer.load_floats(path, CARD_CHANNELS)


@torch.no_grad()
def detect(net, rgb, threshold=0.3):
    """[(score, corners)], best first, as src/vision/cards.rs finds them."""
    h, w = rgb.shape[:2]
    x, back = infer.scaled(rgb, math.sqrt(AREA / (h * w)))
    out = net(x)[0].float().numpy()
    found = []
    for score, x_, y, g in infer.peaks(out, threshold):
        c = (np.array([x_ + g[1], y + g[2]]) + 0.5) * STRIDE - 0.5
        found.append((score, (corners_of(c, g[3:]) + 0.5) * back - 0.5))
    found.sort(key=lambda f: -f[0])
    return found


def overlap(a, b):
    a, b = np.float32(a), np.float32(b)
    both, _ = cv2.intersectConvexConvex(a, b)
    return both / max(cv2.contourArea(a) + cv2.contourArea(b) - both, 1e-6)


def test(a):
    net, n, off = load(a.net), collections.Counter(), collections.defaultdict(list)
    for folder in a.test:
        for root, _, files in sorted(os.walk(folder)):
            for f in sorted(files):
                if not f.endswith(".json") or f[:-5] + ".jpg" not in files or "enrol" in root:
                    continue
                truth = json.load(open(os.path.join(root, f)))
                rgb = data.imread(os.path.join(root, f[:-5] + ".jpg"))
                found, used = detect(net, rgb), set()
                for p in truth["plates"]:
                    q = np.float64(p["corners_px"])
                    score, i = max([(overlap(q, g[1]), i) for i, g in enumerate(found) if i not in used] or [(0, None)], key=lambda v: v[0])
                    if score > 0.5:
                        used.add(i)
                    if p["visible_fraction"] < 0.5:
                        continue
                    for key in (p["type"], "whole" if p["all_corners_in_frame"] else "cut off", "all"):
                        n[key, "cards"] += 1
                        n[key, "found"] += score > 0.6
                        n[key, "well"] += score > 0.85
                    if score > 0.6:
                        g, side = found[i][1], math.sqrt(cv2.contourArea(np.float32(q)))
                        e = min(np.sqrt(((np.roll(v, k, 0) - q) ** 2).sum(1)).max() for v in (g, g[::-1]) for k in range(4))
                        for key in (p["type"], "all"):
                            off[key].append(e / side)
                n["all", "none there"] += len(found) - len(used)
                n["all", "pictures"] += 1
    for key in ("board", "display", "whole", "cut off", "all"):
        o = np.array(off[key] or [math.nan])
        print(key.ljust(8), f"{n[key, 'found']} of {n[key, 'cards']} found ({100 * n[key, 'found'] / max(n[key, 'cards'], 1):.1f} %), {n[key, 'well']} well",
              f"farthest corner off by parts of the side: median {np.nanmedian(o):.3f}, 90 % {np.nanquantile(o, 0.9):.3f}" if key in off else "")
    print("said where none is:", n["all", "none there"], "in", n["all", "pictures"], "pictures")


def export(a):
    import export as ex

    net = load(a.export)
    torch.onnx.export(net, (torch.zeros(1, 3, 256, 320),), a.out, dynamo=False, opset_version=17, input_names=["images"], output_names=["map"], dynamic_axes={"images": {2: "h", 3: "w"}, "map": {2: "h8", 3: "w8"}})
    lists = [os.path.join(f, t) for f in a.synth for t in os.listdir(f) if t.endswith(".jsonl")]
    ex.finish(a.out, dict(model="card-detector", format=1, shapes="card", stride=STRIDE, channels=CARD_CHANNELS, area=AREA, threshold=0.3, mean=MEAN, std=STD, parameters=sum(q.numel() for q in net.parameters()), data_sha256=ex.data_hash(lists)), True)


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--synth", nargs="+")
    loop.options(a, steps=6000, batch=16, seed=61)
    a.add_argument("--net")
    a.add_argument("--test", nargs="+")
    a.add_argument("--export")
    a = a.parse_args()
    export(a) if a.export else test(a) if a.test else train(a)
