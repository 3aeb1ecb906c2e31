"""Train what finds miniatures, tokens, crystals and dice on surfaces that were found, and what reads the first three.

    python pieces.py detector --data DIR --out pieces.pt          DIR: see ../synth/squares.py; several with a colon between
    python pieces.py reader --data DIR --out piece-reader.pt
    python pieces.py test --data DIR --detector pieces.pt --reader piece-reader.pt    on copies that trained nothing
    python pieces.py export --data DIR --detector pieces.pt --reader piece-reader.pt --weights ship=… token=… --often ship=… token=… --error E --out ../    see piece_chances.py
    python pieces.py refit --often ship=… token=… --out ../     the nets stay as they are

Every eighth copy is held out. Seeded; checkpoints carry on where they stopped.
"""
import argparse
import concurrent.futures
import glob
import math
import os

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import loop
import views
from nets import PieceDetector, PieceReader, short_floats

MEAN, STD = 127.5, 64.0
SIDE, STRIDE = 192, 4
CROP = 48  # pixels that a cut-out piece is wide, for one and a half times its length
SHARE = 1.5
LIFT = 0.4  # a ship's hull lies about so many of its half lengths above its foot
NONE = 0.3  # cosine
UNLIKE = 0.2  # cosine below which an owner's views of a ship are rather of two: where chances were even when vectors alone told ships
GEOMETRY = (range(0, 5), range(5, 8), range(8, 11), range(11, 16))  # of ships, tokens, crystals and dice
TURNS = (2, 3, 13, 14)  # those of them that are cosines and sines
KINDS, COVER = len(GEOMETRY), len(GEOMETRY)
DIE = 3


def held_out(path):
    return int(path[-8:-4]) % 8 == 7


def decoded(raw):
    return cv2.cvtColor(cv2.imdecode(raw, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)


def at_once(f, many):
    """What f makes of each, by threads: OpenCV leaves others to work while it decodes."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        return list(pool.map(f, many))


def load(folder, test):
    out = []
    for p in sorted(p for f in folder.split(os.pathsep) for p in glob.glob(os.path.join(f, "squares-*.npz"))):
        if held_out(p) == test:
            with np.load(p, allow_pickle=True) as z:
                out.append({k: z[k] for k in z.files})
    if not out:
        raise SystemExit(f"{folder}: no squares-*.npz for this")
    return out


def every(folder):
    """All copies of a folder that trained nothing."""
    paths = [p for f in folder.split(os.pathsep) for p in glob.glob(os.path.join(f, "squares-*.npz"))]
    return [s for test in {held_out(p) for p in paths} for s in load(folder, test)]


def inputs(now, ref, lean):
    """(8, SIDE, SIDE) uint8 colours and float32 shifts, as the detector takes them."""
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    f = lean @ np.stack([x, y, np.ones_like(x)]).reshape(3, -1)
    field = f[:2].reshape(2, SIDE, SIDE)
    return np.concatenate([now.transpose(2, 0, 1), ref.transpose(2, 0, 1)]), field


def targets(things):
    """Of (B, M, 8) things (kind, which, x, y, half, heading, seen, high; kind -1: none): heat (B, 4, n, n), cells that count, geometry (16) and its weight, at stride 4."""
    n, dev = SIDE // STRIDE, things.device
    kind, _, x, y, half, heading, seen, _ = things.unbind(-1)
    at = torch.arange(n, device=dev, dtype=torch.float32)
    cx, cy = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
    dx, dy = cx[..., None, None] - at, cy[..., None, None] - at[:, None]
    d2 = dx**2 + dy**2
    told = (seen >= 0.5) & ((kind != DIE) | (seen > 0.5)) & (kind >= 0)
    hardly = ~told & (seen > 0.08) & (kind >= 0)
    unsaid = hardly[..., None, None] & (d2 < (half[..., None, None] / STRIDE) ** 2 + 2)
    counts = (~unsaid.any(1)).float()[:, None].expand(-1, KINDS, -1, -1)
    ix, iy = cx.round(), cy.round()
    told = told & (ix >= 0) & (ix < n) & (iy >= 0) & (iy < n)
    s = (half / STRIDE / 5).clamp(min=0.8)[..., None, None]
    middle = (at == ix[..., None, None]) & (at[:, None] == iy[..., None, None])
    g = torch.where(middle, torch.ones_like(d2), torch.exp(-d2 / (2 * s * s)))
    heat = torch.zeros(len(things), KINDS, n, n, device=dev)
    geo, weight = torch.zeros(2, len(things), 16, n, n, device=dev)
    h = torch.deg2rad(heading)
    for k, channels in enumerate(GEOMETRY):
        mine = (told & (kind == k))[..., None, None]
        heat[:, k] = (g * mine).amax(1)
        # of two that lie so close the nearer one's
        near = mine & ((d2 < 2.5) | (g >= 0.999))
        which = torch.where(near, d2, torch.full_like(d2, 1e9)).argmin(1, keepdim=True)
        of = lambda v: v[..., None, None].expand_as(d2).gather(1, which)[:, 0]
        fold = 4 if k == DIE else 1
        turn = [torch.cos(fold * h), torch.sin(fold * h)] if k in (0, DIE) else []
        size = torch.log(half.clamp(min=0.1) / (8 if k == DIE else 12))
        values = [of(cx) - at, of(cy) - at[:, None], *[of(v) for v in turn], of(size)]
        any_ = near.any(1)
        for c, v in zip(channels, values):
            geo[:, c] = torch.where(any_, v, torch.zeros_like(v))
            weight[:, c] = any_.float()
    return heat, counts, geo, weight


class Squares:
    """Batches of squares, kept, turned, spoilt and told on the device; each batch in eight equal parts, one for each way to lay a square."""

    def __init__(self, shards, batch, seed, device):
        if batch % 8:
            raise SystemExit("--batch: a multiple of eight")
        self.batch, self.g = batch, torch.Generator(device).manual_seed(seed)
        small = lambda raw: cv2.resize(decoded(raw), (SIDE, SIDE), interpolation=cv2.INTER_AREA).transpose(2, 0, 1)
        put = lambda v: torch.from_numpy(np.ascontiguousarray(v)).to(device)
        self.now, self.print = (put(np.stack(at_once(f, [j for s in shards for j in s[k]]))) for k, f in (("now", small), ("print", lambda j: decoded(j).transpose(2, 0, 1))))
        self.cover = put(np.concatenate([s["cover"] for s in shards]))
        self.lean = put(np.concatenate([s["lean"] for s in shards])[:, :2].astype(np.float32))
        of = [s["things"][s["things"][:, 0] == i][:, 1:] for s in shards for i in range(len(s["now"]))]
        things = np.full((len(of), max(map(len, of)), 8), -1, np.float32)
        for t, q in zip(things, of):
            t[: len(q)] = q
        self.things = put(things)

    def __iter__(self):
        g, dev = self.g, self.now.device
        at = torch.arange(SIDE, device=dev, dtype=torch.float32)
        here = torch.stack([at.expand(SIDE, -1), at[:, None].expand(-1, SIDE), torch.ones(SIDE, SIDE, device=dev)])
        while True:
            i = torch.randint(len(self.now), (self.batch,), generator=g, device=dev)
            im = torch.cat([self.now[i], self.print[i]], 1).float()
            field = torch.einsum("bij,jhw->bihw", self.lean[i], here)
            cover, things = self.cover[i].float() / 255, self.things[i]
            parts = []
            for way, some in enumerate(torch.arange(self.batch, device=dev).chunk(8)):
                k, mirrored = way % 4, way >= 4
                q, f, c, t = torch.rot90(im[some], k, (2, 3)), torch.rot90(field[some], k, (2, 3)), torch.rot90(cover[some], k, (1, 2)), things[some].clone()
                for _ in range(k):  # counter-clockwise
                    f = torch.stack([f[:, 1], -f[:, 0]], 1)
                    t[..., 2], t[..., 3] = t[..., 3].clone(), SIDE - 1 - t[..., 2]
                    t[..., 5] = t[..., 5] - 90
                if mirrored:
                    q, f, c = q.flip(3), f.flip(3) * torch.tensor([-1.0, 1.0], device=dev)[:, None, None], c.flip(2)
                    t[..., 2], t[..., 5] = SIDE - 1 - t[..., 2], -t[..., 5]
                parts.append((q, f, c, t))
            im, field, cover, things = (torch.cat(p) for p in zip(*parts))
            yes = lambda p: (torch.rand(self.batch, generator=g, device=dev) < p).view(-1, 1, 1, 1)
            order = torch.argsort(torch.rand(self.batch, 3, generator=g, device=dev), 1)
            order = torch.cat([order, order + 3], 1)[:, :, None, None].expand_as(im)
            im = torch.where(yes(0.3), im.gather(1, order), im)
            now, was = im[:, :3], im[:, 3:]
            now = torch.where(yes(0.5), views.camera(now, g, 0.7, 40, hues=False), now)
            was = torch.where(yes(0.08), was.mean((2, 3), keepdim=True).expand_as(was), was)  # a surface whose print tells nothing
            yield torch.cat([(torch.cat([now, was], 1) - MEAN) / STD, field], 1), *targets(things), cover[:, None]


def detector_loss(out, heat, hw, geo, gw, cover):
    z = out[:, :KINDS].float()
    p = torch.sigmoid(z).clamp(1e-4, 1 - 1e-4)
    pos = (heat >= 0.999).float() * hw
    lp = -((1 - p) ** 2) * torch.log(p) * pos
    ln = -((1 - heat) ** 4) * p**2 * torch.log(1 - p) * (1 - pos) * hw
    found = (lp.sum() + ln.sum()) / pos.sum().clamp(min=1)
    mask = F.binary_cross_entropy_with_logits(out[:, COVER : COVER + 1].float(), cover)
    e = F.smooth_l1_loss(out[:, COVER + 1 :].float(), geo, reduction="none", beta=0.1) * gw
    of = lambda channels: e[:, channels].sum() / gw[:, channels].sum().clamp(min=1)
    place = 3 * of([c for c in range(16) if c not in TURNS])
    heading = 2 * of(list(TURNS))
    return found, 3 * mask, 2 * place, heading


def cut(im, x, y, wide, angle):
    """A turned square of a picture: `wide` pixels of it around (x, y), what points to `angle` (clockwise from up) up."""
    k = CROP / wide
    a = math.radians(angle)
    c, s = k * math.cos(a), k * math.sin(a)
    m = np.float32([[c, s, (CROP - 1) / 2 - c * x - s * y], [-s, c, (CROP - 1) / 2 + s * x - c * y]])
    if k < 0.499:
        h = 0.5 / k
        im = cv2.resize(im, None, fx=1 / h, fy=1 / h, interpolation=cv2.INTER_AREA)
        return cut(im, (x + 0.5) / h - 0.5, (y + 0.5) / h - 0.5, wide / h, angle)
    return cv2.warpAffine(im, m, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def crop(s, thing, image, r=None):
    """A piece as the program cuts it out of picture `image` (of 2 * SIDE), tokens turned as they lie."""
    _, kind, _, x, y, half, heading, _, _ = thing
    if r is not None:
        x, y = np.array([x, y]) + r.normal(0, 0.06, 2) * half
        half, heading = half * math.exp(r.normal(0, 0.06)), heading + r.normal(0, 5)
    if kind == 0:
        lean = s["lean"][int(thing[0])][:2] @ [x, y, 1]
        x, y = np.array([x, y]) + lean * half * LIFT
    angle = heading if kind == 0 else (0.0 if r is None else r.uniform(0, 360))
    return cut(image, x * 2 + 0.5, y * 2 + 0.5, 2 * half * SHARE * 2, angle)


def enrolled(s, which, kind, r=None):
    """The owner's photographs of a piece, upright; coded or as pixels."""
    out = []
    for raw, (n, heading) in zip(s["album"], s["of"]):
        if n != which:
            continue
        im = raw if raw.ndim == 3 else decoded(raw)
        angle, wide, x, y = float(heading) if kind == 0 else 0.0, im.shape[0], (im.shape[0] - 1) / 2, (im.shape[0] - 1) / 2
        if r is not None:
            angle = angle + r.normal(0, 4) if kind == 0 else r.uniform(0, 360)
            wide *= math.exp(r.normal(0, 0.08))
            x, y = np.array([x, y]) + r.normal(0, 0.03, 2) * wide
        out.append(cut(im, x, y, wide, angle))
    return out


class Pairs(torch.utils.data.IterableDataset):
    """Pieces of some copies as they stand on tables, and as their owners photographed them."""

    def __init__(self, shards, batch, seed):
        self.batch, self.seed = batch, seed
        self.shards = [dict(s, now=at_once(decoded, s["now"]), album=at_once(decoded, s["album"])) for s in shards]
        self.some = [[q for q in s["things"] if q[2] >= 0 and q[7] > 0.6] for s in shards]

    def __iter__(self):
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        r = np.random.default_rng([self.seed, 4, info.id if info else 0])
        while True:
            X, group, kind = [], [], []
            g = 0
            for _ in range(self.batch):
                k = int(r.integers(len(self.shards)))
                s, some = self.shards[k], self.some[k]
                for n in range(len(s["names"])):
                    mine = [q for q in some if int(q[2]) == n]
                    if not mine:
                        continue
                    q = mine[0]
                    own = enrolled(s, n, int(q[1]), r)
                    seen = [mine[int(i)] for i in r.integers(0, len(mine), 2)]
                    crops = [crop(s, t, s["now"][int(t[0])], r) for t in seen] + [own[int(i)] for i in r.integers(0, len(own), 2)]
                    if int(q[1]) == 0 and r.random() < 0.5:
                        crops = [c[:, ::-1] for c in crops]
                    groups = [g] * len(crops)
                    if int(q[1]) == 0:  # the other way round it is another, so that likeness says which way is its nose
                        round_ = [np.rot90(crops[int(i)], int(k)) for i, k in zip(r.integers(0, len(crops), 2), r.choice([1, 2, 2, 3], 2))]
                        crops, groups = crops + round_, groups + [g + 1, g + 2]
                    for c, own in zip(crops, groups):
                        c = c.astype(np.float32)
                        c = np.clip((c / 255) ** math.exp(r.normal(0, 0.12)) * 255 * np.exp(r.normal(0, 0.1) + r.normal(0, 0.05, 3)), 0, 255)
                        X.append((c.transpose(2, 0, 1) - MEAN) / STD)
                        group.append(own)
                        kind.append(int(q[1]))
                    g += 3
            yield torch.from_numpy(np.float32(np.stack(X))), torch.tensor(group), torch.tensor(kind)


def reader_loss(e, group, kind, scale):
    """Each is to be nearer to its own than to any other of its kind by a margin, and than NONE."""
    cos = e @ e.T
    same = group[:, None] == group[None]
    eye = torch.eye(len(e), dtype=torch.bool, device=e.device)
    other = ~same & (kind[:, None] == kind[None])
    none = e.new_full((len(e), 1), NONE)
    neg = torch.cat([cos.masked_fill(~other, -9.0), none], 1) * scale
    neg = torch.logsumexp(neg, 1, keepdim=True)
    lp = F.softplus(neg - scale * (cos - 0.15))
    w = (same & ~eye).float()
    right = (cos.masked_fill(eye | ~(same | other), -9).argmax(1)[:, None] == torch.arange(len(e), device=e.device)) & same
    return (lp * w).sum() / w.sum(), right.any(1).float().mean()


def made_from(folders):
    """What says what squares were made from: their seed and the generator's text, or the squares."""
    said = lambda f: glob.glob(os.path.join(f, "made.json"))
    return [p for f in folders.split(os.pathsep) for p in said(f) or glob.glob(os.path.join(f, "squares-*.npz"))]


def device_of():
    torch.backends.cudnn.benchmark = True
    return "cuda" if torch.cuda.is_available() else "cpu"


def train(a, net, given, step_of, device, first):
    """`given(seed)` gives batches; first() a picture's planes, for the statistics of a net that is taken from an exported file."""
    loop.begin(net, a.init, lambda: first().cpu())
    loop.learn(a, net.to(device, memory_format=torch.channels_last), given, step_of, a.lr, device=device)


def loader(dataset, workers):
    return torch.utils.data.DataLoader(dataset, batch_size=None, num_workers=workers, prefetch_factor=4 if workers else None)


def detector(a):
    shards, device = load(a.data, False), device_of()
    print(len(shards), "copies, on", device, flush=True)
    squares = Squares(shards, a.batch or 16, a.seed, device)

    def step(net, batch):
        x, *t = batch
        with short_floats(device):
            out = net(x.to(memory_format=torch.channels_last))
        losses = detector_loss(out, *t)
        return losses, losses

    train(a, PieceDetector(), lambda seed: squares, step, device, lambda: next(iter(squares))[0])


def reader(a):
    shards, device = load(a.data, False), device_of()

    def step(net, batch):
        x, group, kind = (v.to(device) for v in batch)
        with short_floats(device):
            e = net.body(x.to(memory_format=torch.channels_last))
        e = F.normalize(net.head(e.float().flatten(1)), dim=1)
        loss, right = reader_loss(e, group, kind, 20.0)
        return (loss,), (loss, right)

    given = lambda seed: loader(Pairs(shards, a.batch or 5, seed), a.workers)
    train(a, PieceReader(), given, step, device, lambda: next(iter(given(a.seed)))[0])


def loaded(net, path):
    if path.endswith(".onnx"):
        return Shipped(path)
    net.load_state_dict(torch.load(path, weights_only=False)["net"])
    return net.eval()


def turned(planes, quarters, mirrored):
    """Planes (C, H, W) turned counter-clockwise, then mirrored."""
    planes = np.rot90(planes, quarters, (1, 2))
    return planes[:, :, ::-1] if mirrored else planes


def vectors_turned(x, y, quarters, mirrored):
    """What planes of vectors' parts, x to the right and y down, become where their picture is turned so."""
    for _ in range(quarters):
        x, y = y, -x
    return (-x if mirrored else x), y


@torch.no_grad()
def maps(net, im, field, views=1):
    """What the detector makes of a picture as it lies, or of `views` of its four quarter turns and their mirror images, weighed together: likelihoods in
    the mean, and each view's geometry by its likelihood of that kind there. The program does the same (`src/vision/pieces/views.rs`)."""
    outs = []
    for quarters, mirrored in [(k, m) for m in (False, True) for k in (0, 2, 1, 3)][:views]:
        x = (turned(im, quarters, mirrored).astype(np.float32) - MEAN) / STD
        f = np.stack(vectors_turned(*turned(field, quarters, mirrored), quarters, mirrored))
        out = net(torch.from_numpy(np.concatenate([x, f])[None].astype(np.float32)))[0].numpy()
        # and back: a mirror image's mirror image, turned clockwise
        out = np.rot90(turned(out, 0, mirrored), -quarters, (1, 2)).copy()
        geometry = out[COVER + 1 :]
        back = lambda x, y: vectors_turned(*vectors_turned(x, y, 0, mirrored), -quarters % 4, False)
        for channels in GEOMETRY:
            a, b = channels[0], channels[1]
            geometry[a], geometry[b] = back(geometry[a].copy(), geometry[b].copy())
        # a heading is clockwise from up
        c, s = TURNS[:2]
        x, y = back(geometry[s].copy(), -geometry[c])
        geometry[c], geometry[s] = -y, x
        if mirrored:
            geometry[TURNS[3]] *= -1
        outs.append(out)
    outs = np.stack(outs)
    if views == 1:
        return outs[0]
    likely = 1 / (1 + np.exp(-outs[:, :KINDS]))
    out = outs.mean(0)
    for kind, channels in enumerate(GEOMETRY):
        weight = likely[:, kind] + 1e-6
        for c in channels:
            out[COVER + 1 + c] = (outs[:, COVER + 1 + c] * weight).sum(0) / weight.sum(0)
    mean = likely.mean(0).clip(1e-6, 1 - 1e-6)
    out[:KINDS] = np.log(mean / (1 - mean))
    return out


class Shipped:
    """A net as the program has it, to be asked as one of PyTorch's is."""

    def __init__(self, path):
        import onnxruntime

        self.session = onnxruntime.InferenceSession(path)

    def to(self, device):
        return self

    def __call__(self, x):
        given = self.session.get_inputs()[0]
        parts = x.split(1) if given.shape[0] == 1 else [x]
        return torch.cat([torch.from_numpy(self.session.run(None, {given.name: p.cpu().numpy()})[0]) for p in parts])


def peaks(out, least):
    """What a map shows: (kind, score, x, y, half, heading) in pixels, as the program takes it."""
    heat = 1 / (1 + np.exp(-out[:KINDS]))
    found = []
    for k in range(KINDS):
        top = cv2.dilate(heat[k], np.ones((3, 3)))
        for iy, ix in zip(*np.nonzero((heat[k] >= top) & (heat[k] > least))):
            g = out[[COVER + 1 + c for c in GEOMETRY[k]], iy, ix]
            turn = math.degrees(math.atan2(g[3], g[2])) / (4 if k == DIE else 1) % 360 if k in (0, DIE) else 0.0
            found.append((k, float(heat[k, iy, ix]), (ix + g[0] + 0.5) * STRIDE - 0.5, (iy + g[1] + 0.5) * STRIDE - 0.5, (8 if k == DIE else 12) * math.exp(g[-1]), turn))
    found.sort(key=lambda f: -f[1])
    kept = []
    for f in found:  # as the program: ships stand on tokens, crystals lie on them
        def clash(g):
            small, large, near = min(f[4], g[4]), max(f[4], g[4]), math.hypot(f[2] - g[2], f[3] - g[3])
            if f[0] == g[0]:
                return near <= (1.6 if f[0] == DIE else 0.6) * large
            return {f[0], g[0]} != {0, 1} and near <= 0.6 * small and large < 1.5 * small

        if not any(clash(g) for g in kept):
            kept.append(f)
    return kept


@torch.no_grad()
def test(a):
    shards = every(a.data) if a.every else load(a.data, True)
    net = loaded(PieceDetector(), a.detector)
    tell = loaded(PieceReader(), a.reader) if a.reader else None
    vectors = lambda crops: tell(torch.from_numpy((np.float32(np.stack(crops)).transpose(0, 3, 1, 2) - MEAN) / STD)).numpy()
    n, found, off, turn, wrong, false = np.zeros(KINDS), np.zeros(KINDS), [[] for _ in range(KINDS)], [], np.zeros(KINDS), np.zeros(KINDS)
    cornered = []
    there, cos = [], []
    inter = union = 0.0
    for s in shards:
        own = {}
        if tell:
            for j, name in enumerate(s["names"]):
                kind = 0 if name.startswith("ship") else 1 if name.startswith("token") else 2
                crops = enrolled(s, j, kind)
                if kind:
                    crops = [np.rot90(c, k) for c in crops for k in range(4)]
                v = vectors([np.ascontiguousarray(c) for c in crops])
                own[j] = (kind, v.mean(0, keepdims=True) if kind else v)
        for i in range(len(s["now"])):
            big = decoded(s["now"][i])
            im, field = inputs(cv2.resize(big, (SIDE, SIDE), interpolation=cv2.INTER_AREA), decoded(s["print"][i]), s["lean"][i])
            out = maps(net, im, field, a.views)
            cover, truth = out[COVER] > 0, s["cover"][i] > 127
            inter, union = inter + (cover & truth).sum(), union + (cover | truth).sum()
            here = peaks(out, a.threshold)
            things = [q for q in s["things"] if q[0] == i]
            near = lambda f, q: q[1] == f[0] and math.hypot(f[2] - q[3], f[3] - q[4]) < max(0.6 * q[5], 4)
            there += [(f[0], f[1], any(near(f, q) for q in things)) for f in here if 8 < f[2] < SIDE - 8 and 8 < f[3] < SIDE - 8]
            taken = set()
            for q in things:
                k = int(q[1])
                inside = 8 < q[3] < SIDE - 8 and 8 < q[4] < SIDE - 8
                # a ship may stand on a token: what is said to be of its kind comes first
                near = [(f[0] != k, math.hypot(f[2] - q[3], f[3] - q[4]), j) for j, f in enumerate(here) if j not in taken]
                best = min((b for b in near if b[1] < max(0.6 * q[5], 4)), default=None)
                hit = best is not None
                if hit:
                    taken.add(best[2])
                if q[7] < 0.8 or not inside:
                    continue
                n[k] += 1
                if not hit:
                    continue
                f = here[best[2]]
                found[k] += 1
                wrong[k] += f[0] != k
                off[k].append(best[1])
                if f[0] == 0 and k == 0:
                    turn.append(abs((f[5] - q[6] + 180) % 360 - 180))
                if f[0] == k == DIE:
                    cornered.append(abs((f[5] - q[6] + 45) % 90 - 45))
                if tell and f[0] == k and k < 2:
                    v = vectors([np.ascontiguousarray(c) for c in ([crop(s, [i, k, 0, f[2], f[3], f[4], f[5], 1, 0], big)] if k == 0 else [np.rot90(crop(s, [i, k, 0, f[2], f[3], f[4], f[5], 1, 0], big), z) for z in range(4)])]).mean(0)
                    likes = {j: float((o @ v).max()) for j, (kk, o) in own.items() if kk == k}
                    if q[2] < 0:  # a ship of no copy
                        continue
                    mine = likes.pop(int(q[2]))
                    cos.append((k, mine, max(likes.values(), default=-1)))
            for j, f in enumerate(here):
                if j not in taken and 8 < f[2] < SIDE - 8 and 8 < f[3] < SIDE - 8:
                    false[f[0]] += 1
    for least in (0.35, 0.5, 0.6, 0.7, 0.8, 0.9):
        row = [np.array([h for k, v, h in there if k == kind and v >= least]) for kind in range(KINDS)]
        print(f"score {least}: there are " + ", ".join(f"{np.mean(h):.3f} of {len(h)} {n}" for h, n in zip(row, ("ships", "tokens", "crystals", "dice")) if len(h)))
    total = sum(len(s["now"]) for s in shards)
    print(f"{total} squares of {len(shards)} copies")
    for k, name in enumerate(("ships", "tokens", "crystals", "dice")):
        o = np.array(off[k])
        print(f"{name}: {int(n[k])}, found {found[k] / n[k]:.4f}, of another kind {wrong[k] / max(found[k], 1):.4f}, off median {np.median(o):.2f} p95 {np.quantile(o, 0.95):.2f} px, false {int(false[k])}")
    t = np.array(turn)
    print(f"headings: median {np.median(t):.1f}, p95 {np.quantile(t, 0.95):.1f}, more than 45 degrees off {np.mean(t > 45):.4f}")
    t = np.array(cornered)
    print(f"dice: turned wrong by median {np.median(t):.1f}, p95 {np.quantile(t, 0.95):.1f} degrees")
    print(f"covers: intersection over union {inter / max(union, 1):.4f}")
    for k, name in enumerate(("ships", "tokens")):
        c = np.array([q[1:] for q in cos if q[0] == k])
        if len(c):
            print(f"{name} told apart: {len(c)}, right {np.mean(c[:, 0] > c[:, 1]):.4f}, like themselves {np.quantile(c[:, 0], [0.02, 0.1, 0.5])}, like another {np.quantile(c[:, 1], [0.5, 0.9, 0.98])}")
    # two in three lie within it
    print(f"fitted: --error {float(np.quantile(np.concatenate(off[:2]), 0.68)):.2f}")


def weights(words, before=""):
    """Metadata: `ship_scale`, … of `ship=11.2,0.9,3.1 token=…`."""
    out = {}
    for word in words:
        kind, values = word.split("=")
        names = ("scale", "score", "none") if kind == "ship" else ("scale", "print", "score", "none")
        out |= {f"{before}{kind}_{n}": float(v) for n, v in zip(names, values.split(","), strict=True)}
    return out


def export(a):
    from export import data_hash, finish

    digest = data_hash(made_from(a.data))
    net = loaded(PieceDetector(), a.detector)
    p = os.path.join(a.out, "piece-detector.onnx")
    torch.onnx.export(net, (torch.zeros(1, 8, 96, 160),), p, dynamo=False, opset_version=17, input_names=["surfaces"], output_names=["maps"], dynamic_axes={"surfaces": {2: "h", 3: "w"}, "maps": {2: "h4", 3: "w4"}})
    finish(p, dict(model="piece-detector", format=1, stride=STRIDE, channels=21, square=48, error=a.error, mean=MEAN, std=STD, threshold=a.threshold, parameters=sum(q.numel() for q in net.parameters()), data_sha256=digest), False)
    net = loaded(PieceReader(), a.reader)
    p = os.path.join(a.out, "piece-reader.onnx")
    torch.onnx.export(net, (torch.zeros(2, 3, CROP, CROP),), p, dynamo=False, opset_version=17, input_names=["pieces"], output_names=["vectors"], dynamic_axes={"pieces": {0: "n"}, "vectors": {0: "n"}})
    finish(p, dict(model="piece-reader", format=1, size=CROP, dim=32, share=SHARE, lift=LIFT, mean=MEAN, std=STD, none=UNLIKE, **weights(a.weights), **weights(a.often, "often_"), parameters=sum(q.numel() for q in net.parameters()), data_sha256=digest), False)


def again(a):
    """What was fitted anew goes into the reader that is exported; its net stays."""
    from export import refit

    path = os.path.join(a.out, "piece-reader.onnx")
    refit(path, path, weights(a.weights or []) | weights(a.often or [], "often_"))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=["detector", "reader", "test", "export", "refit"])
    p.add_argument("--data")
    loop.options(p, steps=2500, batch=None, seed=1, workers=0)
    p.add_argument("--detector")
    p.add_argument("--reader")
    p.add_argument("--weights", help="what likenesses count, as piece_chances.py fits it: ship=SCALE,SCORE,NONE token=SCALE,PRINT,SCORE,NONE", nargs=2)
    p.add_argument("--every", action="store_true", help="of `test`: no copy of DIR trained anything")
    p.add_argument("--views", type=int, default=1, help="of `test`: views of each square that are weighed together")
    p.add_argument("--threshold", type=float, default=0.4, help="least score of what is found")
    p.add_argument("--error", type=float, default=1.5, help="pixels, the standard error of where a piece stands, as `test` finds it")
    p.add_argument("--often", help="the same where a square is shown several ways (`piece_chances.py --views 8`)", nargs=2)
    a = p.parse_args()
    if a.what != "refit" and not a.data:
        p.error("--data is wanted")
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    cv2.setNumThreads(0)  # OpenCV's own threads do not outlive the fork of what cuts pieces out
    dict(detector=detector, reader=reader, test=test, export=export, refit=again)[a.what](a)


if __name__ == "__main__":
    main()
