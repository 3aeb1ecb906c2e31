"""How a kind of die looks, and the numba functions that shade one: shared by crops (symbols.py) and tables.

A kind is a dict, and the same in a float32 vector for the kernels (names in FIELDS). Colours are linear RGB.
Lengths are in half edges of the die unless they end in _mm.
"""
import functools
import math

import cv2
import numba as nb
import numpy as np

import art

FIELDS = ("body0 body1 body2 second0 second1 second2 ink0 ink1 ink2 other0 other1 other2 paper0 paper1 paper2 "
          "marble sharp scale depth metal sticker span radius bulge gloss shiny trans wear speck").split()
AT = {k: i for i, k in enumerate(FIELDS)}
_SECOND, _INK, _OTHER, _PAPER = 3, 6, 9, 12
_MARBLE, _SHARP, _SCALE, _DEPTH, _METAL, _STICKER, _SPAN, _RADIUS, _BULGE, _GLOSS, _SHINY, _TRANS, _WEAR, _SPECK = range(15, 29)
NOISE = 128
BASIS = np.array([  # right, down and out of each face, as dice.face_uv has them
    [[0, 1, 0], [0, 0, -1], [1, 0, 0]], [[0, -1, 0], [0, 0, -1], [-1, 0, 0]], [[-1, 0, 0], [0, 0, -1], [0, 1, 0]],
    [[1, 0, 0], [0, 0, -1], [0, -1, 0]], [[1, 0, 0], [0, -1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, -1]]], float)


@functools.lru_cache(1)
def noises():
    """(8, NOISE, NOISE) float32: seamless noise of several grains, about -1 to 1."""
    r = np.random.default_rng(5)
    out = [art.noise(r, NOISE, 4, b) for b in (2, 3, 4, 6)]
    y, x = np.mgrid[:NOISE, :NOISE] / NOISE * 2 * np.pi
    for k in (1, 1, 2, 2):  # swirls, as two plastics in one mould make
        f = art.noise(r, NOISE, 4, 3)
        out.append(np.sin(k * x + (k - 1) * y + r.uniform(1, 3.5) * f))
    return np.stack([np.clip(o, -1.2, 1.2) for o in out]).astype(np.float32)


def lin(c):
    c = np.clip(np.asarray(c, np.float32), 0, 1)
    return c ** np.float32(2.2)


def hsv(h, s, v):
    return np.clip(cv2.cvtColor(np.float32([[[(h % 1) * 360, s, v]]]), cv2.COLOR_HSV2RGB)[0, 0], 0, 1)


def lab(c):
    return cv2.cvtColor(np.float32([[c]]), cv2.COLOR_RGB2LAB)[0, 0]


def body_colour(r):
    """A plastic's colour (sRGB): a quarter light, a fifth near black, the rest any hue, bright and dark."""
    k = r.random()
    if k < 0.22:
        w = r.uniform(0.72, 0.97)
        return np.array([w, w * r.uniform(0.94, 1), w * r.uniform(0.78, 1)])
    if k < 0.38:
        return np.full(3, r.uniform(0.03, 0.16)) + r.uniform(0, 0.05, 3)
    if k < 0.5:
        return hsv(r.choice([0.97, 0.0, 0.02, 0.58, 0.62, 0.36, 0.14]) + r.normal(0, 0.015), r.uniform(0.7, 1), r.uniform(0.3, 0.95))
    return hsv(r.random(), r.uniform(0.3, 1), r.uniform(0.15, 0.98))


def ink_colour(r, body, second=None, least=30):
    """An ink that a person tells from the body; one in four differs by its hue alone."""
    L = lab(body)
    by_hue = r.random() < 0.25
    for _ in range(60):
        k = r.random()
        if k < 0.4:
            c = np.full(3, r.uniform(0.85, 1.0)) if L[0] < 55 else np.full(3, r.uniform(0.0, 0.15))
        elif k < 0.5:
            c = np.array([r.uniform(0.75, 0.98), r.uniform(0.6, 0.8), r.uniform(0.15, 0.45)])
        else:
            c = hsv(r.random(), r.uniform(0.2, 1), r.uniform(0.1, 1))
        q = lab(c)
        far = np.linalg.norm(q - L) > least + 8 if by_hue else abs(q[0] - L[0]) > least
        if far and (second is None or np.linalg.norm(q - lab(second)) > least - 5):
            return c
    return np.full(3, 0.97 if L[0] < 55 else 0.05)


def kind(seed):
    """A kind of die from a seed (an int or a generator)."""
    r = seed if isinstance(seed, np.random.Generator) else np.random.default_rng([81, int(seed)])
    body = body_colour(r)
    k = r.random()
    marbled, trans, speck = 0.0, 0.0, 0.0
    second = np.clip(body * r.uniform(0.5, 1.5), 0, 1)
    if k < 0.22:  # marbled or pearled
        marbled = r.uniform(0.3, 1)
        second = body_colour(r) if r.random() < 0.6 else np.clip(body * r.uniform(0.3, 1.8), 0, 1)
    elif k < 0.40:  # translucent
        trans = r.uniform(0.4, 1)
        body = hsv(r.random(), r.uniform(0.5, 1), r.uniform(0.35, 0.95)) if r.random() < 0.8 else np.full(3, r.uniform(0.1, 0.9))
        second = np.clip(body * 0.8, 0, 1)
        marbled = r.uniform(0, 0.5)
    elif k < 0.45:
        speck = r.uniform(0.3, 1)
        second = body_colour(r)
    ink = ink_colour(r, body, second if marbled > 0.3 else None)
    other = ink_colour(r, body, None, 22) if r.random() < 0.75 else ink
    k = r.random()
    depth, metal, sticker, paper = 0.0, 0.0, 0.0, np.ones(3)
    if k < 0.3:
        depth = r.uniform(-0.02, 0.05)  # printed
    elif k < 0.68:
        depth = r.uniform(0.15, 1.0)  # engraved and painted
    elif k < 0.82:
        depth, metal = r.uniform(0.2, 0.9), r.uniform(0.5, 1)  # foil or gold paint in an engraving
        ink = other = np.array([r.uniform(0.75, 0.95), r.uniform(0.6, 0.75), r.uniform(0.2, 0.4)]) if r.random() < 0.7 else np.full(3, r.uniform(0.65, 0.85))
        if abs(lab(ink)[0] - lab(body)[0]) < 25:
            body = body * 0.35
            second = second * 0.5
    else:  # a sticker of paper or vinyl
        sticker = r.uniform(0.78, 0.98)
        paper = body_colour(r)
        ink = ink_colour(r, paper)
        other = ink_colour(r, paper, None, 22)
    v = dict(marble=marbled, sharp=r.uniform(0.6, 5), scale=r.uniform(0.2, 0.7), depth=depth, metal=metal, sticker=sticker, span=r.uniform(0.72, 0.97), radius=math.exp(r.uniform(math.log(0.04), math.log(0.42))),
             bulge=r.choice([0, r.uniform(0, 0.06), r.uniform(0.03, 0.14)]), gloss=r.uniform(0.15, 1) if r.random() < 0.75 else r.uniform(0, 0.15), shiny=math.exp(r.uniform(math.log(12), math.log(400))), trans=trans,
             wear=r.uniform(0.1, 0.8) if r.random() < 0.25 else 0.0, speck=speck)
    for name, c in (("body", body), ("second", second), ("ink", ink), ("other", other), ("paper", paper)):
        for i in range(3):
            v[f"{name}{i}"] = float(lin(c)[i])
    v["noise"] = int(r.integers(8))
    v["size_mm"] = float(r.choice([12, 14, 16, 16, 16, 18, 19, 20, 22]) + r.choice([0, r.uniform(-0.5, 0.5)]))
    return v


def vector(k):
    return np.array([k[f] for f in FIELDS], np.float32)


@nb.njit(fastmath=True, cache=True, inline="always")
def _bilinear8(t, u, v, ch):
    n = t.shape[0]
    x = min(max(u * n - 0.5, 0.0), n - 1.001)
    y = min(max(v * n - 0.5, 0.0), n - 1.001)
    x0, y0 = int(x), int(y)
    fx, fy = x - x0, y - y0
    return ((t[y0, x0, ch] * (1 - fx) + t[y0, x0 + 1, ch] * fx) * (1 - fy) + (t[y0 + 1, x0, ch] * (1 - fx) + t[y0 + 1, x0 + 1, ch] * fx) * fy) * (1 / 255.0)


@nb.njit(fastmath=True, cache=True, inline="always")
def _wrapped(t, u, v):
    n = t.shape[0]
    x = (u % 1.0) * n
    y = (v % 1.0) * n
    x0, y0 = int(x), int(y)
    fx, fy = x - x0, y - y0
    x0 %= n
    y0 %= n
    x1, y1 = (x0 + 1) % n, (y0 + 1) % n
    return (t[y0, x0] * (1 - fx) + t[y0, x1] * fx) * (1 - fy) + (t[y1, x0] * (1 - fx) + t[y1, x1] * fx) * fy


@nb.njit(fastmath=True, cache=True)
def face_look(t, u, v, kv, nz, nu, nv, out):
    """What lies at (u, v) of a face (0 to 1, v down): out = r, g, b, slope in u, in v, metal, gloss.

    t: print, uint8 (n, n, 2); nz: noise, with the die's own offset nu, nv."""
    span = kv[_SPAN]
    pu, pv = (u - 0.5) / span + 0.5, (v - 0.5) / span + 0.5
    m1, m2, gu, gv = 0.0, 0.0, 0.0, 0.0
    if 0 < pu < 1 and 0 < pv < 1:
        m1 = _bilinear8(t, pu, pv, 0)
        m2 = _bilinear8(t, pu, pv, 1)
        if kv[_DEPTH] != 0:
            e = 1.5 / t.shape[0]
            gu = kv[_DEPTH] * (_bilinear8(t, pu + e, pv, 0) + _bilinear8(t, pu + e, pv, 1) - _bilinear8(t, pu - e, pv, 0) - _bilinear8(t, pu - e, pv, 1))
            gv = kv[_DEPTH] * (_bilinear8(t, pu, pv + e, 0) + _bilinear8(t, pu, pv + e, 1) - _bilinear8(t, pu, pv - e, 0) - _bilinear8(t, pu, pv - e, 1))
    k = 0.0
    if kv[_MARBLE] > 0:
        k = _wrapped(nz, u * kv[_SCALE] + nu, v * kv[_SCALE] + nv)
        k = min(max(0.5 + 0.5 * k * kv[_SHARP], 0.0), 1.0) * kv[_MARBLE]
    if kv[_SPECK] > 0:
        if _wrapped(nz, u * 5.3 + nv, v * 5.3 + nu) > 1.1 - 0.6 * kv[_SPECK]:
            k = 1.0
    gloss, metal = 1.0, 0.0
    ink = min(m1 + m2, 1.0)
    if kv[_WEAR] > 0 and ink > 0:
        w = _wrapped(nz, u * 1.7 + nv + 0.3, v * 1.7 + nu)
        f = min(max(1.0 + (w - 0.6) * 1.6 * kv[_WEAR], 1.0 - kv[_WEAR]), 1.0)
        m1 *= f
        m2 *= f
        ink *= f
    stick = 0.0
    if kv[_STICKER] > 0:
        a, b = abs(u - 0.5) * 2, abs(v - 0.5) * 2
        # a sticker has round corners
        s, c = kv[_STICKER], 0.12
        qx, qy = max(a - s + c, 0.0), max(b - s + c, 0.0)
        d = math.sqrt(qx * qx + qy * qy) - c
        stick = min(max(0.5 - d * 25, 0.0), 1.0)
        gloss = 1.0 - 0.5 * stick
        if abs(d) < 0.03:
            out[3] = 0.0
    for i in range(3):
        b = kv[i] * (1 - k) + kv[_SECOND + i] * k
        b = b * (1 - stick) + kv[_PAPER + i] * stick
        out[i] = b * (1 - ink) + kv[_INK + i] * m1 + kv[_OTHER + i] * (ink - min(m1, ink))
    if kv[_METAL] > 0:
        metal = kv[_METAL] * ink
    elif kv[_DEPTH] > 0.1:
        gloss *= 1 - 0.6 * ink
    d = 1.0 - 0.28 * min(abs(kv[_DEPTH]), 1.0) * min(abs(gu) + abs(gv) + 0.4 * ink * (kv[_DEPTH] > 0.1), 1.0)
    for i in range(3):
        out[i] *= d
    out[3], out[4], out[5], out[6] = gu, gv, metal, gloss


@nb.njit(fastmath=True, cache=True, inline="always")
def rounded_box(px, py, pz, hx, hy, hz, r):
    qx, qy, qz = abs(px) - hx + r, abs(py) - hy + r, abs(pz) - hz + r
    ox, oy, oz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
    return math.sqrt(ox * ox + oy * oy + oz * oz) + min(max(qx, max(qy, qz)), 0.0) - r


@nb.njit(fastmath=True, cache=True)
def hit_box(ox, oy, oz, dx, dy, dz, hx, hy, hz, r):
    """How far along the ray a rounded box is met, or -1. From its outer box on by its distance."""
    t0, t1 = 0.0, 1e9
    ax = 1.0 / dx if abs(dx) > 1e-9 else 1e9
    a, b = (-hx - ox) * ax, (hx - ox) * ax
    t0, t1 = max(t0, min(a, b)), min(t1, max(a, b))
    ay = 1.0 / dy if abs(dy) > 1e-9 else 1e9
    a, b = (-hy - oy) * ay, (hy - oy) * ay
    t0, t1 = max(t0, min(a, b)), min(t1, max(a, b))
    az = 1.0 / dz if abs(dz) > 1e-9 else 1e9
    a, b = (-hz - oz) * az, (hz - oz) * az
    t0, t1 = max(t0, min(a, b)), min(t1, max(a, b))
    if t0 > t1:
        return -1.0
    t = t0
    eps = 0.004 * min(hx, min(hy, hz))
    for _ in range(24):
        d = rounded_box(ox + t * dx, oy + t * dy, oz + t * dz, hx, hy, hz, r)
        if d < eps:
            return t
        t += d
        if t > t1:
            return -1.0
    return -1.0


@nb.njit(fastmath=True, cache=True)
def box_normal(px, py, pz, hx, hy, hz, r, out):
    """Normal of a rounded box at a point on it; returns the face it belongs to (+x -x +y -y +z -z)."""
    qx, qy, qz = max(abs(px) - hx + r, 0.0), max(abs(py) - hy + r, 0.0), max(abs(pz) - hz + r, 0.0)
    if qx + qy + qz < 1e-7:
        qx, qy, qz = max(abs(px) / hx - 0.99, 0.0), max(abs(py) / hy - 0.99, 0.0), max(abs(pz) / hz - 0.99, 0.0)
    n = math.sqrt(qx * qx + qy * qy + qz * qz) + 1e-12
    out[0] = qx / n * (1 if px > 0 else -1)
    out[1] = qy / n * (1 if py > 0 else -1)
    out[2] = qz / n * (1 if pz > 0 else -1)
    if qz >= qx and qz >= qy:
        return 4 if pz > 0 else 5
    if qx >= qy:
        return 0 if px > 0 else 1
    return 2 if py > 0 else 3


@nb.njit(fastmath=True, cache=True)
def face_uv(f, px, py, pz, uv):
    """Where on face f the point lies (half edge 1): uv 0 to 1, v down as the print reads. Right is +x on the top."""
    if f == 4:
        uv[0], uv[1] = 0.5 + 0.5 * px, 0.5 - 0.5 * py
    elif f == 5:
        uv[0], uv[1] = 0.5 + 0.5 * px, 0.5 + 0.5 * py
    elif f == 0:
        uv[0], uv[1] = 0.5 + 0.5 * py, 0.5 - 0.5 * pz
    elif f == 1:
        uv[0], uv[1] = 0.5 - 0.5 * py, 0.5 - 0.5 * pz
    elif f == 2:
        uv[0], uv[1] = 0.5 - 0.5 * px, 0.5 - 0.5 * pz
    else:
        uv[0], uv[1] = 0.5 + 0.5 * px, 0.5 - 0.5 * pz


@nb.njit(fastmath=True, cache=True)
def bend(f, gu, gv, bu, bv, n):
    """Adds slopes in a face's u and v to a normal in the die's frame."""
    a, b = gu + bu, gv + bv
    if f == 4:
        n[0] += a
        n[1] -= b
    elif f == 5:
        n[0] += a
        n[1] += b
    elif f == 0:
        n[1] += a
        n[2] -= b
    elif f == 1:
        n[1] -= a
        n[2] -= b
    elif f == 2:
        n[0] -= a
        n[2] -= b
    else:
        n[0] += a
        n[2] -= b
    q = math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    for i in range(3):
        n[i] /= q
