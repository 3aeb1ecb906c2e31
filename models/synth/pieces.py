"""Solids from random parts, as lists of primitives for trace.py: ships, tokens, crystals, hands, mugs, phones.

A primitive: dict(kind, pos, rot, half, rnd, planes, bound, mat, tint (linear), gloss, shiny, trans, rough, tex).
Things are built round the origin, standing on z = 0, north +y; `moved` puts them where they lie.
"""
import math

import numpy as np

from dice import body_colour, lin


def rotz(a):
    c, s = math.cos(a), math.sin(a)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def rotx(a):
    c, s = math.cos(a), math.sin(a)
    return np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])


def along(d):
    """A rotation whose x axis is d."""
    d = np.asarray(d, float) / np.linalg.norm(d)
    a = np.cross([0, 0, 1.0] if abs(d[2]) < 0.9 else [0, 1.0, 0], d)
    a /= np.linalg.norm(a)
    return np.stack([d, a, np.cross(d, a)], 1)


def prim(kind, pos, half, tint, rot=None, rnd=0.5, planes=None, points=None, gloss=0.2, shiny=30.0, trans=0.0, rough=0.0, tex=-1, mat=0):
    half = np.asarray(half, float)
    if kind == 0:
        bound = float(np.linalg.norm(half))
        rnd = min(rnd, float(half.min()) * 0.95)
        c = np.array([[a, b, e] for a in (-1, 1) for b in (-1, 1) for e in (-1, 1)])
        hull = []
        for k in range(3):  # the rounded box between its faces
            q = half - rnd
            q[k] = half[k]
            hull.append(c * q)
        points = np.concatenate(hull)
    elif kind == 1:
        bound = math.hypot(half[0], half[2])
        t = np.arange(20) * 2 * math.pi / 20
        points = np.concatenate([np.stack([half[0] * np.cos(t), half[0] * np.sin(t), np.full(20, z)], 1) for z in (-half[2], half[2])])
    elif kind == 2:
        bound = half[0] + half[1]
        q = half[1] * np.array([[a, b, e] for a in (-1, 0, 1) for b in (-1, 0, 1) for e in (-1, 0, 1) if a or b or e]) / np.sqrt([[abs(a) + abs(b) + abs(e)] for a in (-1, 0, 1) for b in (-1, 0, 1) for e in (-1, 0, 1) if a or b or e])
        points = np.concatenate([q + [half[0], 0, 0], q - [half[0], 0, 0]])
    else:
        bound = float(np.linalg.norm(points, axis=1).max())
    return dict(kind=kind, pos=np.asarray(pos, float), rot=np.eye(3) if rot is None else rot, half=half, rnd=rnd, planes=planes, points=points, bound=bound, mat=mat,
                tint=np.asarray(tint, float), gloss=gloss, shiny=shiny, trans=trans, rough=rough, tex=tex)


def convex(points, pos, tint, **more):
    """A convex solid from its corners (few): the planes that have all of them on one side."""
    p = np.asarray(points, float)
    found = {}
    n = len(p)
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                a = np.cross(p[j] - p[i], p[k] - p[i])
                m = np.linalg.norm(a)
                if m < 1e-6:
                    continue
                a /= m
                d = a @ p[i]
                if d < 0:
                    a, d = -a, -d
                if (p @ a <= d + 1e-6).all():
                    found[tuple(np.round(a, 4))] = d
    planes = np.array([[*a, d] for a, d in found.items()])
    return prim(3, pos, [1, 1, 1], tint, planes=planes, points=p, **more)


def moved(parts, R, t):
    out = []
    for q in parts:
        q = dict(q)
        q["pos"] = R @ q["pos"] + t
        q["rot"] = R @ q["rot"]
        out.append(q)
    return out


def _wide(parts, y):
    """How far from the middle solids reach in the row y, seen from above."""
    k = 0.0
    for g in parts:
        if g[:, 1].min() <= y <= g[:, 1].max():
            a, b = g[:, None], g[None]
            d = a[..., 1] - b[..., 1]
            cut = ((a[..., 1] - y) * (b[..., 1] - y) <= 0) & (np.abs(d) > 1e-6)
            f = (y - b[..., 1]) / np.where(cut, d, 1)
            k = max(k, float(np.abs(b[..., 0] + f * (a[..., 0] - b[..., 0]))[cut].max(initial=0)))
    return k


def _hull(r, L, z, base, dark, m):
    """What a ship is in the main, from its tail at -L to its nose at L: (parts, half its width, half its height)."""
    w, h = L * r.uniform(0.18, 0.4), L * r.uniform(0.12, 0.28)
    nose = L * r.uniform(0.4, 0.9)
    y1, y0 = L - nose, -L
    n = int(r.choice([4, 6, 8]))
    t = (np.arange(n) + 0.5) * 2 * math.pi / n
    ring = lambda w, h: np.stack([w * np.cos(t) / math.cos(math.pi / n), np.zeros(n), h * np.sin(t) / math.cos(math.pi / n)], 1)
    kind = str(r.choice(["prism", "box", "arrow", "saucer", "twin", "boxes", "flat", "dart"], p=[0.24, 0.16, 0.12, 0.1, 0.1, 0.1, 0.1, 0.08]))
    if kind == "prism":  # and a pointed nose
        q, tip = ring(w, h), r.uniform(0.02, 0.3)
        return [convex(np.concatenate([q + [0, y0, 0], q + [0, y1, 0]]) - [0, (y0 + y1) / 2, 0], [0, (y0 + y1) / 2, z + h], base, **m),
                convex(np.concatenate([q - [0, nose / 2, 0], q * [tip, 1, tip] + [0, nose / 2, -h * 0.2]]), [0, y1 + nose / 2, z + h], base if r.random() < 0.6 else dark, **m)], w, h
    if kind == "box":  # and a wedge
        return [prim(0, [0, (y0 + y1) / 2, z + h], [w, (y1 - y0) / 2, h], base, rnd=h * 0.4, **m),
                convex(np.array([[-w, -nose / 2, -h], [w, -nose / 2, -h], [-w, -nose / 2, h * 0.8], [w, -nose / 2, h * 0.8], [0, nose / 2, -h * 0.6], [0.01, nose / 2, 0]]), [0, y1 + nose / 2, z + h], dark, **m)], w, h
    if kind == "arrow":
        s = r.uniform(0.5, 0.95) * L
        return [convex(np.array([[0, L, 0], [-s, -L, -h], [s, -L, -h], [-s, -L * 0.9, 0], [s, -L * 0.9, 0], [0, -L * 0.8, h], [0, L * 0.3, h * 0.5]]), [0, 0, z + h], base, **m)], s, h
    if kind == "saucer":  # a disc in front or behind, and a body to it
        rad = L * r.uniform(0.4, 0.65)
        front = r.random() < 0.7
        y = L - rad if front else rad - L
        out = [prim(1, [0, y, z + h * 0.6], [rad, 1, h * r.uniform(0.25, 0.6)], base, **m), prim(1, [0, y, z + h], [rad * r.uniform(0.3, 0.6), 1, h * 0.6], dark, **m)]
        a, b = (y, -L) if front else (L, y)
        return out + [prim(2, [0, (a + b) / 2, z + h], [max((a - b) / 2 - h * 0.7, 0.5), h * 0.7, 1], base if r.random() < 0.5 else dark, rot=along([0, 1, 0]), **m)], w * 0.7, h
    if kind == "twin":  # two hulls, and what holds them together
        apart, rad = L * r.uniform(0.3, 0.55), L * r.uniform(0.1, 0.18)
        out, round_ = [], r.random() < 0.5
        for e in (-1, 1):
            if round_:
                out.append(prim(2, [e * apart, 0, z + h], [L - rad, rad, 1], base, rot=along([0, 1, 0]), **m))
            else:
                q = np.array([[-rad, -L, -h], [rad, -L, -h], [-rad, -L, h], [rad, -L, h], [0, L, 0], [0.01, L, 0.01]])
                out.append(convex(q, [e * apart, 0, z + h], base, **m))
        y = L * r.uniform(-0.6, 0.4)
        return out + [prim(0, [0, y, z + h], [apart, L * r.uniform(0.12, 0.35), h * r.uniform(0.4, 1)], dark, **m)], apart, h
    if kind == "boxes":  # one behind the other
        ys = -L + 2 * L * np.concatenate([[0], np.sort(r.uniform(0.15, 0.85, int(r.integers(2, 5)))), [1]])
        return [prim(0, [0, (a + b) / 2, z + h], [w * r.uniform(0.4, 1.7), (b - a) / 2, h * r.uniform(0.5, 1.2)], base if r.random() < 0.6 else dark, rnd=r.uniform(0.2, 1), **m) for a, b in zip(ys, ys[1:])], w, h
    if kind == "flat":  # a plate of any outline that bulges
        k = int(r.integers(3, 6))
        y, x = np.sort(r.uniform(-L * 0.9, L * 0.8, k)), L * r.uniform(0.2, 0.8, k)
        q = np.array([[0, L, 0], [0, -L, 0]] + [[e * a, b, 0] for a, b in zip(x, y) for e in (-1, 1)])
        th = h * r.uniform(0.25, 0.7)
        return [convex(np.concatenate([q - [0, 0, th], q * [0.8, 0.9, 1] + [0, 0, th]]), [0, 0, z + h], base, **m)], float(x.max()) * 0.7, h
    # long and thin
    w = L * r.uniform(0.08, 0.16)
    return [prim(2, [0, -L * 0.1, z + h], [L * 0.9 - w, w, 1], base, rot=along([0, 1, 0]), **m),
            convex(np.concatenate([ring(w, w) - [0, L * 0.15, 0], ring(w, w) * 0.05 + [0, L * 0.15, 0]]), [0, L * 0.85, z + h], dark, **m)], w, h


def _wings(r, L, w, z, h, base, dark, m):
    """A pair of wings: straight, swept forward or back, in two or three panels as a bat's, or as a ring about the hull."""
    kind = str(r.choice(["swept", "bat", "ring"], p=[0.58, 0.34, 0.08]))
    th = max(L * 0.04, 0.8)
    parts = []
    if kind == "ring":
        rad, y, n = L * r.uniform(0.45, 0.8), L * r.uniform(-0.4, 0.2), 12
        t = np.arange(n + 1) * 2 * math.pi / n
        q = np.stack([rad * np.cos(t), y + rad * np.sin(t) * r.uniform(0.6, 1), np.full(n + 1, z + h)], 1)
        return [prim(2, (a + b) / 2, [np.linalg.norm(b - a) / 2, th * 1.4, 1], dark if r.random() < 0.3 else base, rot=along(b - a), **m) for a, b in zip(q, q[1:])]
    s, c = L * r.uniform(0.4, 0.95), L * r.uniform(0.2, 0.5)
    y, sweep = -L * r.uniform(0.1, 0.6), L * r.uniform(-0.2, 0.5)
    if kind == "bat":  # the leading edge bends, the trailing one is cut out between the panels
        k = int(r.integers(2, 4))
        x = np.linspace(w * 0.5, s, k + 1)
        lead = y + c - np.cumsum([0, *r.normal(0.1, 0.3, k) * L])
        trail = np.minimum(lead - c * np.linspace(1.8, 0.25, k + 1), lead - 1.5) + r.normal(0, 0.12, k + 1) * L * (np.arange(k + 1) > 0)
        trail = np.minimum(trail, lead - 1.0)
        panels = [np.array([[x[i], lead[i], 0], [x[i], trail[i], 0], [x[i + 1], lead[i + 1], 0], [x[i + 1], trail[i + 1], 0]]) for i in range(k)]
        rise = r.uniform(-0.15, 0.25) * L if r.random() < 0.5 else 0.0
        for q in panels:
            q[:, 2] = rise * (q[:, 0] - w * 0.5) / max(s - w * 0.5, 1)
    else:
        panels = [np.array([[w * 0.5, y + c, 0], [w * 0.5, y - c, 0], [s, y - c * 0.8 - sweep, 0], [s, y - c * 0.2 - sweep, 0]])]
    tint = dark if r.random() < 0.5 else base
    tips = kind == "swept" and r.random() < 0.5
    for e in (-1, 1):
        for q in panels:
            q = q * [e, 1, 1]
            o = q.mean(0)
            parts.append(convex(np.concatenate([q - o + [0, 0, -th], q - o + [0, 0, th]]), o + [0, 0, z + h], tint, **m))
        if tips:
            parts.append(prim(2, [s * e, y - sweep, z + h], [c * 0.9, th * 1.8, 1], base, rot=along([0, 1, 0]), **m))
    return parts


def ship(r, colour, length):
    """A miniature about `length` long: (parts, outline seen from above in mm from its middle, first point the nose; height)."""
    base = lin(colour)
    dark = base * r.uniform(0.3, 0.7)
    glow = lin(body_colour(r))
    L = length / 2
    parts = []
    z = 0.0
    m = dict(gloss=r.uniform(0.1, 0.6), shiny=r.uniform(10, 80), rough=r.uniform(0, 0.15))
    if r.random() < 0.6:  # a foot
        h = r.uniform(1, 2.5)
        rad = L * r.uniform(0.4, 0.65)
        parts.append(prim(1, [0, 0, h / 2], [rad, 1, h / 2], dark if r.random() < 0.6 else np.full(3, 0.03), **m))
        z = h
        if r.random() < 0.4:
            up = r.uniform(4, 14)
            parts.append(prim(1, [0, 0, z + up / 2], [1.5, 1, up / 2], np.full(3, 0.4), **m))
            z += up
    foot = len(parts)
    hull, w, hh = _hull(r, L, z, base, dark, m)
    parts += hull
    if r.random() < 0.75:
        parts += _wings(r, L, w, z, hh, base, dark, m)
    if r.random() < 0.15:  # and smaller ones
        parts += _wings(r, L * 0.55, w, z, hh * 1.3, base, dark, m)
    for e in ((-1, 1) if r.random() < 0.7 else (0,)):  # drives
        parts.append(prim(2, [e * w * 0.6, -L * 0.85, z + hh], [L * 0.15, hh * 0.55, 1], glow if r.random() < 0.5 else dark, rot=along([0, 1, 0]), **m))
    if r.random() < 0.7:  # a cabin
        parts.append(prim(2, [0, L * r.uniform(-0.4, 0.3), z + hh * 1.7], [L * 0.12, hh * 0.6, 1], glow, rot=along([0, 1, 0]), gloss=1.0, shiny=150.0))
    if r.random() < 0.4:
        parts.append(prim(0, [0, -L * 0.7, z + hh * 2.2], [0.8, L * 0.22, hh * 0.9], dark, rnd=0.3, **m))
    # what the hull covers, seen from above: nose, right side, tail, left side
    solids = [q["points"] @ q["rot"].T + q["pos"] for q in parts[foot:]]
    pts = np.concatenate(solids)
    ys = np.linspace(pts[:, 1].max(), pts[:, 1].min(), 9)
    ys[0] -= 0.2
    xs = [_wide(solids, y) for y in ys]
    out = [(0.0, float(ys[0]))] + [(x, float(y)) for x, y in zip(xs[1:], ys[1:])] + [(-x, float(y)) for x, y in zip(xs[:0:-1], ys[:0:-1])]
    return parts, np.array(out), z + hh


# between opposite edges of a token, by its outline, as a part of `radius`
BETWEEN_EDGES = {"round": 2.0, "square": 1.8, "hexagon": 3**0.5}


def token(shape, radius, thick, tex, side, gloss):
    """A round, square or hexagonal token with its picture on top; (parts, outline)."""
    if shape == "round":
        t = np.pi / 2 - np.arange(24) * 2 * math.pi / 24
        part = prim(1, [0, 0, thick / 2], [radius, radius, thick / 2], side, mat=2, tex=tex, gloss=gloss)
        return [part], np.stack([radius * np.cos(t), radius * np.sin(t)], 1)
    if shape == "square":
        s = radius * 0.9
        part = prim(0, [0, 0, thick / 2], [s, s, thick / 2], side, rnd=min(0.3, thick * 0.2), mat=2, tex=tex, gloss=gloss)
        return [part], np.array([[-s, s], [s, s], [s, -s], [-s, -s]])
    t = np.pi / 2 - np.arange(6) * math.pi / 3
    q = np.stack([radius * np.cos(t), radius * np.sin(t)], 1)
    part = convex(np.concatenate([np.column_stack([q, np.full(6, z)]) for z in (-thick / 2, thick / 2)]), [0, 0, thick / 2], side, mat=2, tex=tex, gloss=gloss)
    part["half"] = np.array([radius, radius, thick / 2])
    return [part], q


def paper_ship(r, outline, length, tex):
    """A flat ship cut out along its outline's convex hull (mm, y up), its picture on top; as `ship` gives it."""
    thick = float(r.choice([0.3, 1.0, 2.0, 3.0]))
    part = convex(np.concatenate([np.column_stack([outline, np.full(len(outline), z)]) for z in (-thick / 2, thick / 2)]), [0, 0, thick / 2], np.full(3, 0.6), mat=2, tex=tex, gloss=r.uniform(0, 0.5))
    part["half"] = np.array([length / 2, length / 2, thick / 2])
    nose = int(np.argmax(outline[:, 1]))
    return [part], np.roll(outline, -nose, 0), thick


def crystal(r, colour):
    """A cut stone, 7 to 14 mm."""
    s, h = r.uniform(3.5, 7), r.uniform(4, 9)
    n = int(r.integers(4, 8))
    t = np.arange(n) * 2 * math.pi / n
    ring = np.stack([s * np.cos(t), s * np.sin(t) * r.uniform(0.6, 1), np.zeros(n)], 1)
    p = np.concatenate([ring * [0.55, 0.55, 1], ring + [0, 0, h * 0.45], ring * [0.35, 0.35, 1] + [0, 0, h]])
    return [convex(p - [0, 0, h / 2], [0, 0, h / 2], lin(colour), gloss=1.0, shiny=200.0, trans=0.7)]


def polyhedron(r, colour):
    """A die with eight or twenty sides, or a d4, without print; 16 to 22 mm."""
    k = r.random()
    s = r.uniform(8, 11)
    if k < 0.5:
        p = np.concatenate([np.eye(3), -np.eye(3)]) * s * 1.2
        R = along([1, 1, 1])[:, [1, 2, 0]].T
    else:
        g = (1 + 5**0.5) / 2
        p = np.array([[0, a, b * g] for a in (-1, 1) for b in (-1, 1)] + [[a, b * g, 0] for a in (-1, 1) for b in (-1, 1)] + [[b * g, 0, a] for a in (-1, 1) for b in (-1, 1)]) * s * 0.55
        R = along([1, 1, 1])[:, [1, 2, 0]].T
    p = p @ R.T
    p = p - [0, 0, p[:, 2].min()]
    c = [0, 0, p[:, 2].max() / 2]
    return [convex(p - c, c, lin(colour), gloss=0.7, shiny=120.0, trans=0.3 * (r.random() < 0.3))]


SKIN = [(0.93, 0.76, 0.66), (0.86, 0.66, 0.54), (0.76, 0.55, 0.42), (0.6, 0.42, 0.31), (0.42, 0.28, 0.2), (0.3, 0.2, 0.15)]


def hand(r, at, towards, lift=0.0):
    """A hand whose fingertips reach `at` (x, y), its arm going off in the direction `towards` (radians)."""
    skin = lin(np.clip(np.array(SKIN[int(r.integers(len(SKIN)))]) * r.uniform(0.9, 1.1) + r.normal(0, 0.02, 3), 0, 1))
    m = dict(gloss=0.15, shiny=12.0, rough=0.12)
    back = np.array([math.cos(towards), math.sin(towards), 0.0])
    side = np.array([-back[1], back[0], 0.0])
    tip = np.array([at[0], at[1], 9.0 + lift])
    palm = tip + back * r.uniform(62, 82) + [0, 0, r.uniform(20, 45)]
    parts = []

    def finger(a, b, rad):
        v = b - a
        parts.append(prim(2, (a + b) / 2, [np.linalg.norm(v) / 2, rad, 1], skin, rot=along(v), **m))

    curl, spread = r.uniform(0, 1), r.uniform(0.6, 1.3)
    for i in range(4):
        root = palm + side * (i - 1.5) * 18 - back * 20 + [0, 0, 4]
        end = tip + side * (i - 1.5) * 13 * spread + back * (abs(i - 1.3) * 7 + (curl * 22 if i > 1 else 0)) + [0, 0, 3.0 * abs(i - 1) * curl]
        mid = (root + end) / 2 + [0, 0, r.uniform(8, 20)]
        finger(root, mid, 9.0)
        finger(mid, end, 7.6)
    thumb = tip + side * r.choice([-1, 1]) * r.uniform(20, 34) + back * r.uniform(10, 24)
    root = palm + (thumb - tip) * 0.8 + back * 6
    mid = (root + thumb) / 2 + [0, 0, 6]
    finger(root, mid, 11.0)
    finger(mid, thumb, 9.0)
    parts.append(prim(0, palm + back * 16, [42, 40, 15], skin, rot=along(back + [0, 0, 0.25]), rnd=14.0, **m))
    elbow = palm + back * 330 + [0, 0, r.uniform(20, 90)]
    wrist = palm + back * 45
    finger(wrist, elbow, 27.0)
    if r.random() < 0.65:  # a sleeve
        cloth = lin(body_colour(r))
        start = wrist + (elbow - wrist) * r.uniform(0.02, 0.4)
        v = elbow + back * 40 - start
        parts.append(prim(2, start + v / 2, [np.linalg.norm(v) / 2, r.uniform(33, 44), 1], cloth, rot=along(v), gloss=0.0, rough=r.uniform(0.1, 0.5)))
    return parts


def mug(r):
    """A mug with what is in it and a handle, or a glass bottle's cap."""
    c = lin(body_colour(r))
    rad, h = r.uniform(33, 45), r.uniform(60, 105)
    m = dict(gloss=0.8, shiny=90.0)
    parts = [prim(1, [0, 0, h / 2], [rad, 1, h / 2], c, **m), prim(1, [0, 0, h / 2 + 0.15], [rad * 0.9, 1, h / 2], lin(np.clip(np.array([0.25, 0.14, 0.07]) * r.uniform(0.3, 2.5), 0, 1)), gloss=1.0, shiny=200.0)]
    for i in range(3):
        a0, a1 = -1 + i * 0.66, -1 + (i + 1) * 0.66
        a = np.array([rad + 22 * math.cos(a0), 0, h / 2 + 26 * math.sin(a0)])
        b = np.array([rad + 22 * math.cos(a1), 0, h / 2 + 26 * math.sin(a1)])
        parts.append(prim(2, (a + b) / 2, [np.linalg.norm(b - a) / 2, 6, 1], c, rot=along(b - a), **m))
    return parts


def slab(w, h, thick, tex, side, gloss, shiny=60.0, rnd=0.3):
    return [prim(0, [0, 0, thick / 2], [w / 2, h / 2, thick / 2], side, rnd=rnd, mat=2, tex=tex, gloss=gloss, shiny=shiny)]


def pen(r):
    c = lin(body_colour(r))
    return [prim(2, [0, 0, 4.5], [r.uniform(50, 70), 4.3, 1], c, gloss=0.7, shiny=100.0), prim(2, [60, 0, 4.5], [8, 2.5, 1], c * 0.3, gloss=0.7, shiny=100.0)]
