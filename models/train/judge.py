"""Train what looks again, closely, at what the detector of pieces takes for a miniature, a token or a crystal.

    python judge.py train --data DIR --detector ../piece-detector.onnx --out piece-judge.pt     DIR: see ../synth/squares.py; several with a colon between
    python judge.py fit --data DIR --detector ../piece-detector.onnx --judge piece-judge.pt     what both scores count, on copies that trained nothing
    python judge.py test --data DIR --detector ../piece-detector.onnx --judge piece-judge.pt --both ship=… token=… crystal=…    on others that trained nothing
    python judge.py export --data DIR --judge piece-judge.pt --both … --often … --error E --out ../

The detector says where something may stand. Its score falls where the place is hard to tell, though that something is there is plain:
of all ships of held-out copies 98.7 % have a score of 0.1 and more, 83 % one of 0.35. The judge sees each such place by itself, upright and
filling its picture, and says whether it is a ship, a token, a crystal, and where exactly. Trained on places that the detector finds on
copies that it was not trained on. Every eighth copy is held out. Seeded; checkpoints carry on where they stopped.
"""
import argparse
import math
import os

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import loop
import pieces as P
from nets import PieceJudge, short_floats

SIZE = 64  # pixels of what it sees,
SHARE = 1.75  # for so many times the length of what is said to be there
LEAST = 0.03  # score of places that it is trained on,
LOOKED_AT = 0.05  # and of those that the program asks it about
KINDS, NAMES = 3, ("ship", "token", "crystal")
GEOMETRY = (range(3, 8), range(8, 11), range(11, 14))  # of ships (where, log size, cosine and sine of the turn), tokens, crystals


def cut(im, x, y, wide, angle):
    """As `pieces.cut`, SIZE pixels wide."""
    k = SIZE / wide
    a = math.radians(angle)
    c, s = k * math.cos(a), k * math.sin(a)
    m = np.float32([[c, s, (SIZE - 1) / 2 - c * x - s * y], [-s, c, (SIZE - 1) / 2 + s * x - c * y]])
    if k < 0.499:
        h = 0.5 / k
        im = cv2.resize(im, None, fx=1 / h, fy=1 / h, interpolation=cv2.INTER_AREA)
        return cut(im, (x + 0.5) / h - 0.5, (y + 0.5) / h - 0.5, wide / h, angle)
    return cv2.warpAffine(im, m, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def middle(kind, x, y, half, lean):
    """Where the middle of what is said to stand at (x, y) is seen: a ship's hull is above its foot."""
    return np.array([x, y]) + (lean[:2] @ [x, y, 1] * half * P.LIFT if kind == 0 else 0)


def planes(big, ref, lean, place):
    """Eight planes (float32, colours 0 to 255): what is seen, the print, and how it leans, as `pieces.inputs` has them."""
    kind, _, x, y, half, heading = place
    angle = heading if kind == 0 else 0.0
    mx, my = middle(kind, x, y, half, lean)
    wide = 2 * half * SHARE
    now = cut(big, mx * 2 + 0.5, my * 2 + 0.5, 2 * wide, angle)
    was = cut(ref, mx, my, wide, angle)
    a = math.radians(angle)
    u, v = lean[:2] @ [x, y, 1]
    l = [math.cos(a) * u + math.sin(a) * v, -math.sin(a) * u + math.cos(a) * v]
    out = np.empty((8, SIZE, SIZE), np.float32)
    out[:3], out[3:6] = now.transpose(2, 0, 1), was.transpose(2, 0, 1)
    out[6], out[7] = l
    return out


def truth(place, things):
    """What is there: of each kind 1, 0 or -1 (not to be said), and where (14 numbers, and what they count)."""
    kind, _, x, y, half, heading = place
    is_, geo, weight = np.zeros(KINDS, np.float32), np.zeros(14, np.float32), np.zeros(14, np.float32)
    a = math.radians(heading if kind == 0 else 0.0)
    for k in range(KINDS):
        near = [(math.hypot(q[2] - x, q[3] - y), j) for j, q in enumerate(things) if q[0] == k]
        near = min((n for n in near if n[0] < max(0.6 * things[n[1]][4], 4)), default=None)
        if near is None:
            continue
        _, _, qx, qy, qhalf, qheading, seen, _ = things[near[1]]
        if seen < 0.5:
            is_[k] = -1 if seen > 0.08 else 0
            continue
        is_[k] = 1
        dx, dy = (qx - x) / half, (qy - y) / half
        turn = math.radians(qheading - (heading if kind == 0 else 0.0))
        g = [math.cos(a) * dx + math.sin(a) * dy, -math.sin(a) * dx + math.cos(a) * dy, math.log(qhalf / half)]
        g += [math.cos(turn), math.sin(turn)] if k == 0 else []
        # a token as large as a ship that stands on it tells of itself, but not of the ship's place
        geo[GEOMETRY[k]], weight[GEOMETRY[k]] = g, 1.0 if k == kind else 0.2
    return is_, geo, weight


def moved(place, by):
    """A place as the judge has it, from its 14 numbers."""
    kind, score, x, y, half, heading = place
    g = by[GEOMETRY[kind]]
    a = math.radians(heading if kind == 0 else 0.0)
    dx, dy = math.cos(a) * g[0] - math.sin(a) * g[1], math.sin(a) * g[0] + math.cos(a) * g[1]
    turn = math.degrees(math.atan2(g[4], g[3])) if kind == 0 else 0.0
    return (kind, score, x + dx * half, y + dy * half, half * math.exp(float(np.clip(g[2], -0.7, 0.7))), (heading + turn) % 360)


def places(net, im, field, views, least=LEAST):
    """Where the detector thinks of something, as (kind, score, x, y, half, heading)."""
    return near_middle(P.peaks(P.maps(net, im, field, views), least))


def near_middle(some):
    """Those that are no dice and do not lie at the rim."""
    return [f for f in some if f[0] < KINDS and 4 < f[2] < P.SIDE - 4 and 4 < f[3] < P.SIDE - 4]


def opened(folder, test):
    """Copies of a folder that are held out, or those that are not; or all."""
    shards = P.every(folder) if test is None else P.load(folder, test)
    for s in shards:
        s["big"], s["ref"] = P.at_once(P.decoded, s["now"]), P.at_once(P.decoded, s["print"])
        s["of"] = [s["things"][s["things"][:, 0] == i][:, 1:] for i in range(len(s["now"]))]
    return shards


def small(big):
    return cv2.resize(big, (P.SIDE, P.SIDE), interpolation=cv2.INTER_AREA)


@torch.no_grad()
def found(shards, net, ways, device):
    """Of each square the places that the detector finds in it as it lies, and turned by quarters."""
    net.to(device)
    for n, s in enumerate(shards):
        s["places"] = []
        seen = []
        for i, big in enumerate(s["big"]):
            im, field = P.inputs(small(big), s["ref"][i], s["lean"][i])
            for k in range(ways):
                f = np.stack(P.vectors_turned(*np.rot90(field, k, (1, 2)), k, False))
                seen.append(np.concatenate([(np.rot90(im, k, (1, 2)).astype(np.float32) - P.MEAN) / P.STD, f]))
        maps = torch.cat([net(torch.from_numpy(np.float32(np.stack(seen[i : i + 32]))).to(device)).cpu() for i in range(0, len(seen), 32)]).numpy()
        for i in range(len(s["big"])):
            here = []
            for k in range(ways):
                for kind, score, x, y, half, heading in near_middle(P.peaks(maps[i * ways + k], LEAST)):
                    for _ in range(k):  # and back
                        x, y = P.SIDE - 1 - y, x
                        heading = (heading + 90) % 360
                    here.append((kind, score, x, y, half, heading))
            s["places"].append(here)
        print(f"\r{n + 1} of {len(shards)} copies looked through", end="", flush=True)
    print()


class Crops(torch.utils.data.IterableDataset):
    def __init__(self, shards, batch, seed):
        self.shards, self.batch, self.seed = shards, batch, seed

    def place(self, r, s, i):
        """One to look at: half of the time what the detector found, else something that is there, as if found a little wrongly."""
        some, things = s["places"][i], s["of"][i]
        if len(some) and r.random() < 0.6:
            kind, score, x, y, half, heading = some[int(r.integers(len(some)))]
            off = 0.04
        else:
            mine = [q for q in things if q[0] < KINDS and q[6] > 0.3 and 0 < q[2] < P.SIDE and 0 < q[3] < P.SIDE]
            if not mine:
                return None
            kind, _, x, y, half, heading = mine[int(r.integers(len(mine)))][:6]
            kind, off = int(kind), 0.12
            heading += r.normal(0, 12)
            if r.random() < 0.12:  # held for something else
                kind = int(r.integers(KINDS))
            if r.random() < 0.12:
                heading = r.uniform(0, 360)
        x, y = np.array([x, y]) + r.normal(0, off, 2) * half
        return kind, 0.0, x, y, half * math.exp(r.normal(0, off)), heading + r.normal(0, 5)

    def __iter__(self):
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        r = np.random.default_rng([self.seed, 6, info.id if info else 0])
        while True:
            X, T = [], []
            while len(X) < self.batch:
                s = self.shards[int(r.integers(len(self.shards)))]
                i = int(r.integers(len(s["big"])))
                p = self.place(r, s, i)
                if p is None:
                    continue
                x = planes(s["big"][i], s["ref"][i], s["lean"][i], p)
                is_, geo, weight = truth(p, s["of"][i])
                if r.random() < 0.5:
                    x = x[:, :, ::-1].copy()
                    x[6] *= -1
                    geo[[3, 8, 11, 7]] *= -1  # to the right, and the turn
                if r.random() < 0.3:
                    c = r.permutation(3)
                    x[:6] = np.concatenate([x[:3][c], x[3:6][c]])
                if r.random() < 0.6:
                    x[:3] = np.clip((x[:3] / 255) ** math.exp(r.normal(0, 0.15)) * 255 * r.uniform(0.7, 1.3) + r.normal(0, 8), 0, 255)
                if r.random() < 0.3:
                    x[:3] += np.float32(r.uniform(2, 9)) * r.standard_normal(x[:3].shape, np.float32)
                if r.random() < 0.06:  # a surface whose print tells nothing
                    x[3:6] = x[3:6].mean((1, 2), keepdims=True)
                x[:6] = (x[:6] - P.MEAN) / P.STD
                X.append(x)
                T.append((is_, geo, weight, p[0]))
            yield torch.from_numpy(np.stack(X)), *[torch.from_numpy(np.stack(t)) for t in zip(*T)]


def loss_of(out, is_, geo, weight, kind):
    # what it is asked about counts most
    w = (is_ >= 0).float() * (0.25 + 0.75 * F.one_hot(kind.long(), KINDS))
    told = F.binary_cross_entropy_with_logits(out[:, :KINDS].float(), is_.clamp(min=0), reduction="none")
    e = F.smooth_l1_loss(out[:, KINDS:].float(), geo[:, KINDS:], reduction="none", beta=0.05) * weight[:, KINDS:]
    return (told * w).sum() / w.sum(), 4 * e.sum() / weight.sum().clamp(min=1)


def train(a):
    shards = opened(a.data, False)
    print(len(shards), "copies", flush=True)
    device = P.device_of()
    found(shards, P.loaded(P.PieceDetector(), a.detector), a.ways, device)

    def step(net, batch):
        x, *t = (v.to(device) for v in batch)
        with short_floats(device):
            out = net(x.to(memory_format=torch.channels_last))
        losses = loss_of(out, *t)
        return losses, losses

    given = lambda seed: P.loader(Crops(shards, a.batch, seed), a.workers)
    P.train(a, PieceJudge(), given, step, device, lambda: next(iter(Crops(shards, a.batch, a.seed)))[0])


@torch.no_grad()
def judged(net, big, ref, lean, some, both=None, passes=2):
    """Each place as the judge has it: (kind, chance, x, y, half, heading); looked at as it is and as in a mirror, and again where it was moved to.
    `both` says what its own log-odds and the detector's count (see fit)."""
    if not some:
        return []
    before = [f[1] for f in some]
    for _ in range(passes):
        x = np.stack([planes(big, ref, lean, p) for p in some])
        x[:, :6] = (x[:, :6] - P.MEAN) / P.STD
        mirrored = x[:, :, :, ::-1].copy()
        mirrored[:, 6] *= -1
        out = np.concatenate([net(torch.from_numpy(v)).numpy() for v in (x, mirrored)]).reshape(2, len(some), -1)
        out[1][:, [3, 8, 11, 7]] *= -1
        out = out.mean(0)
        some = [moved((p[0], float(o[p[0]]), *p[2:]), o) for p, o in zip(some, out)]
    chance = lambda v: 1 / (1 + math.exp(-v))
    if both is None:
        return [(p[0], chance(p[1]), *p[2:]) for p in some]
    return [(p[0], chance(both[p[0]] @ [p[1], odds(b), 1]), *p[2:]) for p, b in zip(some, before)]


def odds(score):
    score = min(max(score, 1e-4), 1 - 1e-4)
    return math.log(score / (1 - score))


def said(words):
    """{kind: what the judge's log-odds count, the detector's, and besides} of `ship=1.0,0.5,-0.3 …`."""
    if not words:
        return None
    given = dict(w.split("=") for w in words)
    return [np.array([float(v) for v in given[k].split(",")]) for k in NAMES]


def fit(a):
    shards = opened(a.data, None)
    net, detector = P.loaded(PieceJudge(), a.judge), P.loaded(P.PieceDetector(), a.detector)
    rows, is_ = [[] for _ in range(KINDS)], [[] for _ in range(KINDS)]
    for s in shards:
        for i, big in enumerate(s["big"]):
            im, field = P.inputs(small(big), s["ref"][i], s["lean"][i])
            some = places(detector, im, field, a.views, LOOKED_AT)
            for f, was in zip(judged(net, big, s["ref"][i], s["lean"][i], some), some):
                t = truth(f, s["of"][i])[0][f[0]]
                if t >= 0 and 8 < f[2] < P.SIDE - 8 and 8 < f[3] < P.SIDE - 8:
                    rows[f[0]].append([odds(f[1]), odds(was[1]), 1])
                    is_[f[0]].append(t)
    out = []
    for k, name in enumerate(NAMES):
        x, y = torch.tensor(rows[k], dtype=torch.float64), torch.tensor(np.array(is_[k]), dtype=torch.float64)
        w = torch.tensor([0.5, 0.5, 0.0], dtype=torch.float64, requires_grad=True)
        opt = torch.optim.LBFGS([w], max_iter=200, line_search_fn="strong_wolfe")

        def loss():
            opt.zero_grad()
            v = F.binary_cross_entropy_with_logits(x @ w, y)
            v.backward()
            return v

        opt.step(loss)
        with torch.no_grad():
            alone_ = [float(F.binary_cross_entropy_with_logits(x[:, c] * 1.0, y)) for c in (0, 1)]
            print(f"{name}s: {len(y)} places, {int(y.sum())} of them are; loss {float(F.binary_cross_entropy_with_logits(x @ w, y)):.4f}, of the judge's odds alone {alone_[0]:.4f}, of the detector's {alone_[1]:.4f}")
        out.append(f"{name}=" + ",".join(f"{float(v):.3f}" for v in w.detach()))
    print("both: " + " ".join(out))


def alone(some):
    """The best of each place, as `pieces.peaks` has it."""
    kept = []
    for f in sorted(some, key=lambda f: -f[1]):
        def clash(g):
            small, large, near = min(f[4], g[4]), max(f[4], g[4]), math.hypot(f[2] - g[2], f[3] - g[3])
            if f[0] == g[0]:
                return near <= 0.6 * large
            return {f[0], g[0]} != {0, 1} and near <= 0.6 * small and large < 1.5 * small

        if not any(clash(g) for g in kept):
            kept.append(f)
    return kept


def test(a):
    shards = opened(a.data, None if a.every else True)
    net, detector = P.loaded(PieceJudge(), a.judge), P.loaded(P.PieceDetector(), a.detector)
    n, off, turn, size = np.zeros(KINDS), [[] for _ in range(KINDS)], [], [[] for _ in range(KINDS)]
    hits, there = [[] for _ in range(KINDS)], [[] for _ in range(KINDS)]
    before, was_there = [[] for _ in range(KINDS)], [[] for _ in range(KINDS)]
    inside = lambda x, y: 8 < x < P.SIDE - 8 and 8 < y < P.SIDE - 8
    for s in shards:
        for i, big in enumerate(s["big"]):
            im, field = P.inputs(small(big), s["ref"][i], s["lean"][i])
            some = places(detector, im, field, a.views, a.least)
            here = alone(judged(net, big, s["ref"][i], s["lean"][i], some, said(a.both), a.passes))
            near = lambda f, q: q[0] == f[0] and math.hypot(f[2] - q[2], f[3] - q[3]) < max(0.6 * q[4], 4)
            for q in s["of"][i]:
                k = int(q[0])
                if k >= KINDS or q[6] < 0.8 or not inside(q[2], q[3]):
                    continue
                n[k] += 1
                before[k].append(max((f[1] for f in some if near(f, q)), default=0))
                best = max((f for f in here if near(f, q)), default=None, key=lambda f: f[1])
                hits[k].append(best[1] if best else 0)
                if best and best[1] > 0.5:
                    off[k].append(math.hypot(best[2] - q[2], best[3] - q[3]))
                    size[k].append(abs(math.log(best[4] / q[4])))
                    if k == 0:
                        turn.append(abs((best[5] - q[5] + 180) % 360 - 180))
            for f in here:
                if inside(f[2], f[3]):
                    there[f[0]].append((f[1], any(near(f, q) for q in s["of"][i])))
            for f in some:
                if inside(f[2], f[3]):
                    was_there[f[0]].append((f[1], any(near(f, q) for q in s["of"][i])))
    print(f"{sum(len(s['big']) for s in shards)} squares of {len(shards)} copies")
    for k, name in enumerate(NAMES):
        h, t = np.array(hits[k]), np.array(there[k])
        b, w = np.array(before[k]), np.array(was_there[k])
        print(f"{name}s: {int(n[k])}; the detector at 0.35: found {np.mean(b >= 0.35):.4f}, besides {int(((w[:, 0] >= 0.35) & (w[:, 1] == 0)).sum())}")
        for least in (0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99):
            told = t[t[:, 0] >= least]
            print(f"  chance {least}: found {np.mean(h >= least):.4f}; there are {told[:, 1].mean():.4f} of {len(told)}")
        o = np.array(off[k])
        print(f"  off median {np.median(o):.2f} p95 {np.quantile(o, 0.95):.2f} px; size median {np.median(size[k]):.3f} p95 {np.quantile(size[k], 0.95):.3f}")
    t = np.array(turn)
    print(f"headings: median {np.median(t):.1f}, p95 {np.quantile(t, 0.95):.1f}, more than 45 degrees off {np.mean(t > 45):.4f}")
    # two in three lie within it
    print(f"fitted: --error {float(np.quantile(np.concatenate(off[:2]), 0.68)):.2f}")


def export(a):
    from export import data_hash, finish

    digest = data_hash(P.made_from(a.data))
    net = P.loaded(PieceJudge(), a.judge)
    p = os.path.join(a.out, "piece-judge.onnx")
    torch.onnx.export(net, (torch.zeros(2, 8, SIZE, SIZE),), p, dynamo=False, opset_version=17, input_names=["places"], output_names=["judgements"], dynamic_axes={"places": {0: "n"}, "judgements": {0: "n"}})
    counts = {f"{before}{k}_{n}": v for before, words in (("", a.both), ("often_", a.often)) for k, w in zip(NAMES, said(words)) for n, v in zip(("judge", "detector", "bias"), w)}
    finish(p, dict(model="piece-judge", format=1, size=SIZE, share=SHARE, lift=P.LIFT, threshold=a.threshold, error=a.error, mean=P.MEAN, std=P.STD, **counts, parameters=sum(q.numel() for q in net.parameters()), data_sha256=digest), False)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=["train", "fit", "test", "export"])
    p.add_argument("--data", required=True)
    loop.options(p, steps=6000, batch=96, seed=1)
    p.add_argument("--detector")
    p.add_argument("--judge")
    p.add_argument("--ways", type=int, default=3, help="of `train`: quarter turns of each square in which places are looked for")
    p.add_argument("--both", nargs=3, metavar="KIND=JUDGE,DETECTOR,BIAS", help="as `fit` says")
    p.add_argument("--often", nargs=3, metavar="KIND=JUDGE,DETECTOR,BIAS", help="the same for --views 8")
    p.add_argument("--views", type=int, default=1, help="of `fit` and `test`: views of each square that the detector weighs together")
    p.add_argument("--passes", type=int, default=2, help="of `test`: how often each place is looked at")
    p.add_argument("--least", type=float, default=LOOKED_AT, help="of `test`: least score of a place that is looked at")
    p.add_argument("--threshold", type=float, default=0.3, help="of `export`: chance from which on something is there")
    p.add_argument("--every", action="store_true", help="of `test`: no copy of DIR trained anything")
    p.add_argument("--error", type=float, default=1.0, help="pixels, the standard error of where a piece stands, as `test` finds it")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    cv2.setNumThreads(0)  # OpenCV's own threads do not outlive the fork of what cuts places out
    dict(train=train, fit=fit, test=test, export=export)[a.what](a)


if __name__ == "__main__":
    main()
