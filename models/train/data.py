"""Pictures with their truth, in memory, and what a camera may do to them.

An item: {"rgb": uint8 (H, W, 3), "scene", "dice": [{"box": [x, y, w, h], "poly": 4x2 or None,
"kind", "value", "turned", "visible"}], "turns": how often it may be turned by any angle}. Pixels; an
integer coordinate is a pixel's centre.
"""
import json
import math
import os

import cv2
import numpy as np

# a thread pool of OpenCV's does not outlive a fork: workers would wait for it for ever
cv2.setNumThreads(0)

# From above any turn is as good as another. At a slant people hold cameras upright, mostly: a photograph whose top faces
# are only guessed is not turned then, one whose truth is exact now and then.
UPRIGHT, ROLLED = 0.6, 0.12

FOLDS = ["tray", "office-table", "catan-board", "floor"]


def imread(path):
    return cv2.imread(path, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)[..., ::-1]


def synthetic(folder, limit=None):
    items = []
    for f in sorted(os.listdir(folder)):
        if f.startswith("truth"):
            for line in open(os.path.join(folder, f)):
                if not line.endswith("\n"):
                    continue
                t = json.loads(line)
                items.append((t["image"], t))
    items.sort(key=lambda x: x[0])
    out = []
    for name, t in items[:limit]:
        for d in t["dice"]:
            d["poly"] = np.float32(d["poly"])
        out.append(dict(file=f"{os.path.basename(folder)}/{name}", rgb=np.ascontiguousarray(imread(os.path.join(folder, name))), scene="synthetic", dice=t["dice"], turns=UPRIGHT if t["tilt"] < 14 else ROLLED))
    return out


def scene_of(name, row):
    return {"tray": "tray", "floor": "floor"}.get(name) or row.get("scene") or name


def photos(folder, sets, area=None, every=1):
    """Photographs, all or every so many; scaled to about `area` pixels where given, as the program does."""
    out = []
    for name in sets:
        for line in list(open(os.path.join(folder, name + ".jsonl")))[::every]:
            row = json.loads(line)
            im = imread(os.path.join(folder, row["image"]))
            k = 1.0
            if area:
                k = math.sqrt(area / (im.shape[0] * im.shape[1]))
                im = cv2.resize(im, None, fx=k, fy=k, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
            dice = []
            for d in row["dice"]:
                if d["box"] is None:
                    dice = None
                    break
                dice.append(dict(box=[(v + (0.5 if i < 2 else 0)) * k - (0.5 if i < 2 else 0) for i, v in enumerate(d["box"])], poly=None, kind="pips" if d["kind"] == "d6" else d["kind"],
                                 value=d["value"], turned=None, visible=1.0, raw=min(d["box"][2:])))
            if dice is not None:
                out.append(dict(file=row["image"], rgb=np.ascontiguousarray(im), scene=scene_of(name, row), dice=dice, turns=UPRIGHT * (name in ("tray", "numbered", "d20")), k=k))
    return out


def camera_effects(r, im, strength=1.0, jpeg=25):
    """Colour, light, blur, noise and compression; uint8 in, uint8 out."""
    if r.random() < 0.5:
        h = cv2.cvtColor(im, cv2.COLOR_RGB2HSV)
        if r.random() < 0.5:
            h[..., 0] = (h[..., 0].astype(np.int16) + int(r.normal(0, 12 * strength))) % 180
        h[..., 1] = cv2.LUT(h[..., 1], np.clip(np.arange(256) * r.uniform(0.4, 1.5), 0, 255).astype(np.uint8))
        im = cv2.cvtColor(h, cv2.COLOR_HSV2RGB)
    x = np.arange(256) / 255
    base = np.clip((x ** math.exp(r.normal(0, 0.25))) * math.exp(r.normal(0, 0.2)) + r.normal(0, 0.04), 0, 1)
    lut = np.stack([np.clip(base * (1 + r.normal(0, 0.07)), 0, 1) for _ in range(3)], -1)
    im = cv2.LUT(im, (lut[None] * 255).astype(np.uint8))
    if r.random() < 0.05:
        im = cv2.cvtColor(cv2.cvtColor(im, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    if r.random() < 0.15:
        im = np.ascontiguousarray(im[..., [int(i) for i in r.permutation(3)]])
    k = r.random()
    if k < 0.2:
        im = cv2.GaussianBlur(im, (0, 0), r.uniform(0.4, 1.8 * strength))
    elif k < 0.28:
        n = int(r.integers(3, 8))
        ker = np.zeros((n, n), np.float32)
        cv2.line(ker, tuple(map(int, r.integers(0, n, 2))), (n // 2, n // 2), 1, 1)
        im = cv2.filter2D(im, -1, ker / max(ker.sum(), 1))
    elif k < 0.36:
        b = cv2.GaussianBlur(im, (0, 0), r.uniform(0.7, 2))
        im = cv2.addWeighted(im, 1.8, b, -0.8, 0)
    if r.random() < 0.25:
        f = r.uniform(0.45, 0.9)
        s = im.shape
        im = cv2.resize(cv2.resize(im, None, fx=f, fy=f, interpolation=cv2.INTER_AREA), (s[1], s[0]), interpolation=cv2.INTER_LINEAR)
    if r.random() < 0.45:
        n = np.empty(im.shape, np.int16)
        cv2.randn(n, 0, float(r.uniform(1, 12 * strength)))
        if r.random() < 0.4:
            n = cv2.GaussianBlur(n, (0, 0), 0.8)
        im = np.clip(im.astype(np.int16) + n, 0, 255).astype(np.uint8)
    if r.random() < 0.15:  # speckle, as cheap sensors and some publishers add it
        p = r.uniform(0.001, 0.02)
        m = r.random(im.shape[:2])
        im[m < p / 2] = 0
        im[m > 1 - p / 2] = 255
    if r.random() < 0.4:
        _, b = cv2.imencode(".jpg", im, [cv2.IMWRITE_JPEG_QUALITY, int(r.integers(jpeg, 95))])
        im = cv2.imdecode(b, cv2.IMREAD_COLOR)
    return im


def warp_points(M, p):
    return np.asarray(p, np.float32) @ M[:, :2].T + M[:, 2]


def random_place(r, item, size, within=(0.08, 0.92)):
    """Where a random view (size x size) of a picture lies, as a map from the picture's pixels to its own (2x3), with its dice in its own pixels, one of
    which mostly lies within these parts of it."""
    h, w = item["rgb"].shape[:2]
    ang = r.uniform(0, 360) if r.random() < item["turns"] else r.normal(0, 7)
    s = math.exp(r.uniform(math.log(0.6), math.log(1.5)))
    asp = math.exp(r.normal(0, 0.12))
    if r.random() < 0.3:
        asp = r.uniform(0.7, 1.4)
    a = math.radians(ang)
    A = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]) @ np.diag([s * asp**0.5 * (1 if r.random() < 0.5 else -1), s / asp**0.5])
    # look where dice are, most of the time
    if item["dice"] and r.random() < 0.8:
        d = item["dice"][int(r.integers(len(item["dice"])))]
        c = np.array([d["box"][0] + d["box"][2] / 2, d["box"][1] + d["box"][3] / 2])
    else:
        c = np.array([r.uniform(0, w), r.uniform(0, h)])
    t = r.uniform(*within, 2) * size - A @ c
    M = np.concatenate([A, t[:, None]], 1).astype(np.float32)
    dice = []
    k = math.sqrt(abs(np.linalg.det(A)))
    for d in item["dice"]:
        x, y, bw, bh = d["box"]
        q = dict(d)
        q["centre"] = warp_points(M, [[x + bw / 2, y + bh / 2]])[0]
        q["size"] = math.sqrt(bw * bh) * k
        q["poly"] = None if d["poly"] is None else warp_points(M, d["poly"])
        dice.append(q)
    return M, dice


def random_view(r, item, size, within=(0.08, 0.92)):
    """A random crop (size x size), as a camera may give it, with its dice."""
    M, dice = random_place(r, item, size, within)
    h, w = item["rgb"].shape[:2]
    border = int(r.choice([cv2.BORDER_CONSTANT, cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE]))
    fill = tuple(int(v) for v in r.integers(0, 256, 3)) if r.random() < 0.5 else tuple(int(v) for v in item["rgb"][:: max(h // 8, 1), :: max(w // 8, 1)].mean((0, 1)))
    s = math.sqrt(abs(np.linalg.det(M[:, :2])))
    im = cv2.warpAffine(item["rgb"], M, (size, size), flags=cv2.INTER_AREA if s < 0.8 else cv2.INTER_LINEAR, borderMode=border, borderValue=fill)
    return camera_effects(r, im), dice


def face_geometry(poly):
    """(centre, size, S, 4 t) of the parallelogram nearest to the four corners."""
    p = np.asarray(poly, np.float64)
    e1 = (p[1] - p[0] + p[2] - p[3]) / 2
    e2 = (p[3] - p[0] + p[2] - p[1]) / 2
    A = np.stack([e1, e2], 1)
    if np.linalg.det(A) < 0:
        A = A[:, ::-1]
    u, s, vt = np.linalg.svd(A)
    S = (u * s) @ u.T
    R = u @ vt
    return p.mean(0), math.sqrt(max(abs(np.linalg.det(A)), 1e-6)), S, 4 * math.atan2(R[1, 0], R[0, 0])


STRIDE = 8


def cube(d):
    """The top face's size, and what the detector is to say of it after where it is; None where nobody knows."""
    if d["poly"] is None:
        return None
    fc, fs, S, t4 = face_geometry(d["poly"])
    off = (fc - d["centre"]) / fs
    return fs, [math.log(fs / 32), off[0], off[1], S[0, 0] / fs, S[0, 1] / fs, S[1, 1] / fs, math.cos(t4), math.sin(t4)]


def targets(dice, size, geometry=cube, channels=10, least=9):
    """heat, heat weight, geometry, geometry weight; maps of size / 8. Faces smaller than `least` are not asked for."""
    n = size // STRIDE
    heat = np.zeros((n, n), np.float32)
    hw = np.ones((n, n), np.float32)
    geo = np.zeros((channels, n, n), np.float32)
    gw = np.zeros((n, n), np.float32)
    best = np.full((n, n), 0.0, np.float32)
    ys, xs = np.mgrid[:n, :n].astype(np.float32)
    for d in dice:
        c = (d["centre"] + 0.5) / STRIDE - 0.5  # cell i covers pixels 8 i .. 8 i + 7, centre 8 i + 3.5
        ext = d["size"] / STRIDE
        inside = -0.5 <= c[0] < n - 0.5 and -0.5 <= c[1] < n - 0.5
        face = geometry(d)
        small = d["size"] < 13 or (face is not None and face[0] < least)
        ignore = d.get("ignore") or d["visible"] < 0.55 or small or not inside
        dist2 = (xs - c[0]) ** 2 + (ys - c[1]) ** 2
        if ignore:
            if d["visible"] > 0.02 or small or not inside:
                hw[dist2 < (0.6 * ext + 0.5) ** 2] = 0
            continue
        sig = max(0.55, 0.14 * ext)
        g = np.exp(-dist2 / (2 * sig * sig))
        iy, ix = int(round(float(c[1]))), int(round(float(c[0])))
        iy, ix = min(max(iy, 0), n - 1), min(max(ix, 0), n - 1)
        g[iy, ix] = 1.0
        near = g > np.maximum(heat, 0.2)
        heat = np.maximum(heat, g)
        near[iy, ix] = True
        near &= dist2 < (0.35 * ext + 0.75) ** 2
        geo[0][near] = (c[0] - xs)[near]
        geo[1][near] = (c[1] - ys)[near]
        gw[near] = 0.0
        if face is not None:
            for i, v in enumerate(face[1]):
                geo[2 + i][near] = v
            gw[near] = g[near]
    return heat, hw, geo, gw
