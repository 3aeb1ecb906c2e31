"""Prints from seeds: icons, numerals, pips, frames and marks. No two seeds of a family print the same.

A print is uint8 (n, n, 2): how much of the main ink and of the second ink lies there. Four seeds in a row
(4 k to 4 k + 3, from FIRST on) are a family: the same picture with one thing changed, as dice of one kind
have it (one to four marks, another numeral, a part more, a mirror image). Seeds 0 to 5 are one to six pips,
-8 k - 1 to -8 k - 6 the numerals 1 to 6 of a set k.
Fonts are those in FONT_FOLDERS (DejaVu and what else is there) and OpenCV's own.
"""
import functools
import glob
import math

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

FIRST = 8
BIG = 320  # drawn at this size, then shrunk
PIPS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, -1), (-1, 1), (1, 1)], 5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)]}
FONT_FOLDERS = ["/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/truetype/*", "/usr/share/fonts/opentype/*"]
HERSHEY = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
           cv2.FONT_HERSHEY_SCRIPT_COMPLEX]
# signs that the DejaVu faces hold: arrows, geometry, stars, chess, weather, astronomy, dingbats
SIGNS = [c for a, b in ((0x2190, 0x21FF), (0x2200, 0x22FF), (0x25A0, 0x25FF), (0x2600, 0x2637), (0x2639, 0x2685), (0x2690, 0x26A0),
                        (0x2701, 0x2704), (0x2706, 0x2709), (0x270C, 0x2727), (0x2729, 0x274B), (0x2756, 0x2767), (0x2794, 0x27BE),
                        (0x27F0, 0x27FF), (0x2900, 0x297F), (0x2B12, 0x2B1A), (0x0391, 0x03A9), (0x0410, 0x042F), (0x10A0, 0x10C5),
                        (0x0531, 0x0556), (0x2C00, 0x2C2E), (0x2D30, 0x2D65), (0x1401, 0x1450)) for c in range(a, b + 1)]


@functools.lru_cache(1)
def fonts():
    """Font files in a fixed order; may be none."""
    found = {}
    for folder in FONT_FOLDERS:
        for f in glob.glob(folder + "/*.[to]tf"):
            found.setdefault(f.rsplit("/", 1)[1], f)
    return [found[k] for k in sorted(found) if "Math" not in k]


@functools.lru_cache(256)
def font_at(path, size):
    return ImageFont.truetype(path, size)


@functools.lru_cache(4096)
def glyph(path, text):
    """Ink of the text at a height of about 200, cut to what is printed; None where the font lacks it."""
    f = font_at(path, 220)
    mask = f.getmask(text, mode="L")
    w, h = mask.size
    if w < 8 or h < 8:
        return None
    m = np.array(mask, np.uint8).reshape(h, w)
    if len(text) == 1 and ord(text) > 0x2000:
        no = f.getmask("\U0010FFFE", mode="L")
        if no.size == mask.size and bytes(no) == bytes(mask):
            return None
    ys, xs = np.nonzero(m > 20)
    if not len(ys):
        return None
    return m[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def hershey(text, font, weight):
    (w, h), base = cv2.getTextSize(text, font, 6, weight)
    m = np.zeros((h + base + 2 * weight + 8, w + 2 * weight + 8), np.uint8)
    cv2.putText(m, text, (weight + 4, h + weight + 4), font, 6, 255, weight, cv2.LINE_AA)
    ys, xs = np.nonzero(m)
    return m[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def text_ink(r, text, font=None):
    """Ink of a text, cut to what is printed."""
    if font is None:
        font = pick_font(r)
    if isinstance(font, str):
        g = glyph(font, text)
        if g is not None:
            return g
        font = (0, 16)
    return hershey(text, HERSHEY[font[0]], font[1])


def pick_font(r):
    all_fonts = fonts()
    if all_fonts and r.random() < 0.75:
        return all_fonts[int(r.integers(len(all_fonts)))]
    return (int(r.integers(len(HERSHEY))), int(r.integers(9, 30)))


def place(m, ink, cx, cy, size):
    """Puts ink into m (max), fitted into a square of that side; in shares of m's side."""
    n = m.shape[0]
    k = size * n / max(ink.shape)
    w, h = max(int(ink.shape[1] * k), 1), max(int(ink.shape[0] * k), 1)
    s = cv2.resize(ink, (w, h), interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
    x, y = int(cx * n - w / 2), int(cy * n - h / 2)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, n), min(y + h, n)
    if x1 > x0 and y1 > y0:
        np.maximum(m[y0:y1, x0:x1], s[y0 - y : y1 - y, x0 - x : x1 - x], out=m[y0:y1, x0:x1])


def points(m, q):
    return np.int32(np.round(np.asarray(q) * m.shape[0] * 16))


def fill(m, q, v=255):
    cv2.fillPoly(m, [points(m, q)], v, cv2.LINE_AA, 4)


def stroke(m, q, width, closed=False, v=255):
    cv2.polylines(m, [points(m, q)], closed, v, max(int(width * m.shape[0]), 1), cv2.LINE_AA, 4)


def disc(m, c, rad, v=255):
    cv2.circle(m, tuple(int(x) for x in points(m, c)), int(rad * m.shape[0] * 16), v, -1, cv2.LINE_AA, 4)


def turned(q, a):
    c, s = math.cos(a), math.sin(a)
    return (np.asarray(q) - 0.5) @ np.array([[c, s], [-s, c]]) + 0.5


def regular(n, rad, a=0.0, c=(0.5, 0.5), inner=None):
    """A regular polygon, or a star where `inner` is given; its first point up."""
    k = n * (2 if inner else 1)
    t = -math.pi / 2 + a + np.arange(k) * 2 * math.pi / k
    rr = np.where(np.arange(k) % 2 == 0, rad, inner) if inner else rad
    return np.stack([c[0] + rr * np.cos(t), c[1] + rr * np.sin(t)], 1)


def curve(q, n=24):
    """A smooth line through control points (Catmull-Rom)."""
    q = np.asarray(q, float)
    p = np.vstack([2 * q[0] - q[1], q, 2 * q[-1] - q[-2]])
    out = []
    t = np.linspace(0, 1, n)[:, None]
    for i in range(len(q) - 1):
        a, b, c, d = p[i : i + 4]
        out.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.vstack(out)


def arrow(m, q, width, head):
    """A line with an arrow's head at its end."""
    q = np.asarray(q, float)
    d = q[-1] - q[-3 if len(q) > 3 else -2]
    d /= np.linalg.norm(d) + 1e-9
    o = np.array([-d[1], d[0]])
    end = q[-1] - d * head * 0.6
    keep = [p for p in q if (p - end) @ d < 0] if len(q) < 4 else list(q[:-2])
    stroke(m, np.vstack([keep, [end]]) if keep else np.vstack([q[0], end]), width)
    fill(m, [q[-1] + d * head * 0.4, end + o * head * 0.75, end - o * head * 0.75])


# --- single shapes: each draws something near the middle, about `s` wide
def shape(r, m, c, s):
    x, y = c
    k = int(r.integers(19))
    h = s / 2
    if k == 0:
        fill(m, regular(int(r.integers(3, 9)), h, r.choice([0, math.pi / 2, r.uniform(0, 6)]), c))
    elif k == 1:
        fill(m, regular(int(r.integers(4, 13)), h, 0, c, h * r.uniform(0.3, 0.75)))
    elif k == 2:  # gear
        n = int(r.integers(6, 13))
        t = np.linspace(0, 2 * math.pi, n * 8, endpoint=False)
        rr = h * np.where(((t * n / (2 * math.pi)) % 1) < 0.5, 1, r.uniform(0.65, 0.85))
        fill(m, np.stack([x + rr * np.cos(t), y + rr * np.sin(t)], 1))
        disc(m, c, h * r.uniform(0.15, 0.45), 0)
    elif k == 3:
        disc(m, c, h)
        if r.random() < 0.7:
            disc(m, c, h * r.uniform(0.3, 0.8), 0)
        if r.random() < 0.4:
            disc(m, c, h * r.uniform(0.1, 0.25))
    elif k == 4:  # moon
        disc(m, c, h)
        disc(m, (x + h * r.uniform(-0.8, 0.8), y + h * r.uniform(-0.8, 0.8)), h * r.uniform(0.6, 0.95), 0)
    elif k == 5:  # cross
        w = h * r.uniform(0.18, 0.42)
        a = r.choice([0, math.pi / 4])
        for b in (a, a + math.pi / 2):
            d = np.array([math.cos(b), math.sin(b)])
            stroke(m, [np.array(c) - d * (h - w / 2), np.array(c) + d * (h - w / 2)], w)
    elif k == 6:  # block arrow
        w, n = h * r.uniform(0.15, 0.4), h * r.uniform(-0.2, 0.3)
        q = np.array([[0, -h], [h * 0.9, n], [w, n], [w, h], [-w, h], [-w, n], [-h * 0.9, n]]) + c
        fill(m, turned(q - np.array(c) + 0.5, r.choice([0, 0, math.pi / 2, math.pi, math.pi * 0.25])) - 0.5 + c)
    elif k == 7:  # chevrons
        n = int(r.integers(1, 4))
        for i in range(n):
            o = (i - (n - 1) / 2) * h * 0.6
            stroke(m, [(x - h * 0.8, y + o + h * 0.35), (x, y + o - h * 0.35), (x + h * 0.8, y + o + h * 0.35)], h * r.uniform(0.15, 0.25))
    elif k == 8:  # lightning
        w = r.uniform(0.25, 0.5)
        fill(m, np.array([[0.2, -1], [-w - 0.2, 0.15], [-0.05, 0.15], [-0.25, 1], [w + 0.2, -0.2], [0.05, -0.2]]) * h + c)
    elif k == 9:  # shield
        q = curve([(-0.8, -0.8), (0, -1), (0.8, -0.8), (0.75, 0.1), (0, 1), (-0.75, 0.1), (-0.8, -0.8)])
        fill(m, q * h + c)
        if r.random() < 0.6:
            fill(m, q * h * r.uniform(0.6, 0.85) + c, 0)
    elif k == 10:  # rocket or house
        w = r.uniform(0.3, 0.6)
        fill(m, np.array([[0, -1], [w, -0.4], [w, 0.6], [-w, 0.6], [-w, -0.4]]) * h + c)
        if r.random() < 0.7:
            fill(m, np.array([[w, 0], [w + 0.4, 0.9], [w, 0.6]]) * h + c)
            fill(m, np.array([[-w, 0], [-w - 0.4, 0.9], [-w, 0.6]]) * h + c)
        if r.random() < 0.5:
            disc(m, (x, y - 0.2 * h), w * h * 0.5, 0)
    elif k == 11:  # waves
        n = int(r.integers(1, 4))
        t = np.linspace(-1, 1, 40)
        f, a, p = r.uniform(2, 8), r.uniform(0.15, 0.3), r.uniform(0, 6)
        for i in range(n):
            o = (i - (n - 1) / 2) * 0.6
            stroke(m, np.stack([x + t * h, y + (o + a * np.sin(f * t + p)) * h], 1), h * r.uniform(0.12, 0.22))
    elif k == 12:  # spiral
        t = np.linspace(0, r.uniform(1.2, 3) * 2 * math.pi, 90)
        q = np.stack([np.cos(t + 1), np.sin(t + 1)], 1) * (t / t[-1])[:, None]
        stroke(m, q * h * [r.choice([-1, 1]), 1] + c, h * r.uniform(0.12, 0.22))
    elif k == 13:  # arcs, as of waves that are sent
        n = int(r.integers(2, 4))
        a, w = r.uniform(-math.pi, math.pi), r.uniform(0.5, 1.3)
        o = np.array(c) - np.array([math.cos(a), math.sin(a)]) * h * 0.6
        for i in range(1, n + 1):
            t = np.linspace(a - w, a + w, 24)
            stroke(m, o + np.stack([np.cos(t), np.sin(t)], 1) * h * 1.5 * i / n, h * 0.17)
        disc(m, o, h * 0.17)
    elif k == 14:  # bent arrow
        q = r.uniform(-0.9, 0.9, (int(r.integers(3, 5)), 2))
        q[0, 1], q[-1, 1] = abs(q[0, 1]), -abs(q[-1, 1])
        arrow(m, curve(q) * h + c, h * r.uniform(0.16, 0.26), h * r.uniform(0.5, 0.7))
    elif k == 15:  # target
        for rad in (1.0, r.uniform(0.45, 0.65)):
            disc(m, c, h * rad * 0.85)
            disc(m, c, h * (rad * 0.85 - r.uniform(0.1, 0.16)), 0)
        for i in range(4):
            d = np.array([math.cos(i * math.pi / 2), math.sin(i * math.pi / 2)])
            stroke(m, [c + d * h * 0.3, c + d * h], h * r.uniform(0.08, 0.16))
    elif k == 16:  # spokes
        n, a, w = int(r.integers(3, 10)), r.uniform(0, 6), r.uniform(0.1, 0.2)
        for i in range(n):
            d = np.array([math.cos(a + i * 2 * math.pi / n), math.sin(a + i * 2 * math.pi / n)])
            stroke(m, [c + d * h * 0.35, c + d * h * 0.95], h * w)
        if r.random() < 0.5:
            disc(m, c, h * 0.25)
    elif k == 17:  # one outline that nobody has seen
        n = int(r.integers(4, 10))
        t = np.sort(r.uniform(0, 2 * math.pi, n))
        q = np.stack([np.cos(t), np.sin(t)], 1) * r.uniform(0.3, 1, n)[:, None]
        fill(m, (curve(np.vstack([q, q[:1]])) if r.random() < 0.4 else q) * h + c)
    else:  # strokes that nobody has seen
        w = h * r.uniform(0.12, 0.28)
        for _ in range(int(r.integers(1, 4))):
            q = r.uniform(-0.95, 0.95, (int(r.integers(2, 6)), 2)) * h + c
            stroke(m, curve(q) if r.random() < 0.4 and len(q) > 2 else q, w, bool(r.random() < 0.2))


def blank():
    return np.zeros((BIG, BIG), np.uint8)


def icon(r):
    """A picture of one to four shapes; half of them alike on both sides, as drawn icons are."""
    m = blank()
    k = r.random()
    if k < 0.4:
        shape(r, m, (0.5, 0.5), r.uniform(0.75, 0.95))
        if r.random() < 0.6:  # something cut out of it, or beside it
            t = blank()
            shape(r, t, (0.5 + r.normal(0, 0.06), 0.5 + r.normal(0, 0.06)), r.uniform(0.25, 0.5))
            m = np.maximum(m, t) if m[BIG // 4 : -BIG // 4, BIG // 4 : -BIG // 4].mean() < 90 else cv2.subtract(m, t)
    elif k < 0.75:
        for _ in range(int(r.integers(2, 5))):
            shape(r, m, r.uniform(0.27, 0.73, 2), r.uniform(0.3, 0.6))
        if r.random() < 0.65:
            m[:, BIG // 2 :] = m[:, : BIG // 2][:, ::-1]
            if r.random() < 0.25:
                m[BIG // 2 :] = m[: BIG // 2][::-1]
    elif k < 0.88:
        for _ in range(int(r.integers(1, 3))):
            shape(r, m, r.uniform(0.35, 0.65, 2), r.uniform(0.45, 0.8))
        t = blank()
        shape(r, t, r.uniform(0.3, 0.7, 2), r.uniform(0.2, 0.35))
        m = np.maximum(m, t)
    else:  # a cellular picture: blocks, alike on both sides
        n = int(r.integers(4, 7))
        g = (r.random((n, n)) < 0.5).astype(np.uint8) * 255
        g[:, n // 2 :] = g[:, : n - n // 2][:, ::-1]
        m = cv2.resize(g, (BIG, BIG), interpolation=cv2.INTER_NEAREST)
        m = cv2.copyMakeBorder(cv2.resize(m, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_NEAREST), BIG // 10, BIG // 10, BIG // 10, BIG // 10, cv2.BORDER_CONSTANT)
    ink = m > 128
    if not 0.04 < ink.mean() < 0.72:
        return icon(r)
    if r.random() < 0.25:  # line icon
        w = int(r.integers(13, 25))
        e = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (w, w))
        m = cv2.subtract(cv2.dilate(m, e), cv2.erode(m, e)) if r.random() < 0.3 else cv2.subtract(m, cv2.erode(m, e, iterations=1))
    ys, xs = np.nonzero(m > 100)
    if len(ys) < 600:
        return icon(r)
    return m[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


FRAMES = ["none", "disc", "ring", "square", "hexagon", "diamond", "shield", "octagon", "corners", "bars"]


def frame(kind, m, thick, solid):
    """The frame's ink in m; returns what share of the side is free inside."""
    outline = {"disc": regular(64, 0.47), "ring": regular(64, 0.47), "square": regular(4, 0.62, math.pi / 4), "hexagon": regular(6, 0.49), "octagon": regular(8, 0.49, math.pi / 8),
               "diamond": regular(4, 0.5), "shield": curve([(-0.8, -0.85), (0, -1), (0.8, -0.85), (0.75, 0.15), (0, 1), (-0.75, 0.15), (-0.8, -0.85)]) * 0.47 + 0.5}
    if kind in outline:
        fill(m, outline[kind])
        if not solid:
            fill(m, (outline[kind] - 0.5) * (1 - 2.2 * thick) + 0.5, 0)
        return {"diamond": 0.5, "hexagon": 0.62, "square": 0.68, "shield": 0.58}.get(kind, 0.62) - (0 if solid else thick)
    if kind == "corners":
        for i in range(4):
            q = turned([(0.05, 0.22), (0.05, 0.05), (0.22, 0.05)], i * math.pi / 2)
            stroke(m, q, thick)
        return 0.72
    if kind == "bars":
        stroke(m, [(0.08, 0.05), (0.92, 0.05)], thick)
        stroke(m, [(0.08, 0.95), (0.92, 0.95)], thick)
        return 0.74
    return 0.95


def marks(m, how, count, where, size):
    """One to four dots, bars, ticks or stars in a row or a corner."""
    for i in range(count):
        o = (i - (count - 1) / 2) * size * 2.5
        x, y = {"below": (0.5 + o, 0.93), "above": (0.5 + o, 0.07), "right": (0.93, 0.5 + o), "corner": (0.93 - i * size * 2.5, 0.93)}[where]
        if how == "dot":
            disc(m, (x, y), size)
        elif how == "bar":
            stroke(m, [(x, y - size), (x, y + size)] if where != "right" else [(x - size, y), (x + size, y)], size * 0.8)
        elif how == "tick":
            stroke(m, [(x - size, y + size), (x, y - size), (x + size, y + size)], size * 0.6)
        else:
            fill(m, regular(5, size * 1.25, 0, (x, y), size * 0.5))


def pips(value, r, size):
    """Spots of a die with its own habits (r): how large, how far apart, and what shape."""
    m = blank()
    rad, spread = r.uniform(0.075, 0.12), r.uniform(0.42, 0.62)
    ace = r.choice([1, 1, 1.3, 1.7])
    how = r.random()
    for x, y in PIPS[value]:
        c = (0.5 + x * spread / 2, 0.5 + y * spread / 2)
        q = rad * (ace if value == 1 else 1)
        if how < 0.86:
            disc(m, c, q)
            if how < 0.05:
                disc(m, c, q * 0.5, 0)
        elif how < 0.93:
            fill(m, regular(4, q * 1.3, math.pi / 4 * (how < 0.9), c))
        else:
            fill(m, regular(5, q * 1.4, 0, c, q * 0.6))
    return np.dstack([cv2.resize(m, (size, size), interpolation=cv2.INTER_AREA), np.zeros((size, size), np.uint8)])


def style(r):
    """How all symbols of one kind are printed, apart from what they show."""
    kind = FRAMES[int(r.choice(len(FRAMES), p=[0.46, 0.07, 0.09, 0.09, 0.07, 0.06, 0.05, 0.05, 0.03, 0.03]))]
    return dict(frame=kind, thick=r.uniform(0.035, 0.09), solid=bool(r.random() < 0.45) and kind not in ("none", "ring", "corners", "bars"), two=bool(r.random() < 0.35), scale=r.uniform(0.68, 0.95),
                font=pick_font(r), mark=str(r.choice(["dot", "bar", "tick", "star"])), where=str(r.choice(["below", "below", "above", "right", "corner"])), mark_size=r.uniform(0.075, 0.1))


def symbol(seed, size=96, looks=None):
    """The print of a symbol: uint8 (size, size, 2), main and second ink. `looks` (a `style`, or for pips a
    generator) replaces its own style."""
    seed = int(seed)
    if seed < 0:  # numerals 1 to 6 of a set
        which, n = divmod(-seed - 1, 8)
        q = np.random.default_rng([76, which])
        font, bare = pick_font(q), q.random() < 0.5
        m = blank()
        place(m, text_ink(q, str(n + 1), font), 0.5, 0.5 if bare else 0.47, q.uniform(0.5, 0.85))
        if n == 5 and not bare:
            stroke(m, [(0.36, 0.93), (0.64, 0.93)], 0.06)
        return np.dstack([cv2.resize(m, (size, size), interpolation=cv2.INTER_AREA), np.zeros((size, size), np.uint8)])
    if seed < 6:
        return pips(seed + 1, looks if isinstance(looks, np.random.Generator) else np.random.default_rng(7), size)
    family, variant = divmod(seed, 4)
    own = looks if isinstance(looks, dict) else None
    return family_print(family, variant, size, own, bool(far_apart(family) if own is None else _apart(family, own)))


@functools.lru_cache(1 << 16)
def far_apart(family):
    return _apart(family, None)


def _apart(family, looks):
    """Can a person tell the four prints of a family from each other, at the size of a die in a picture?"""
    p = [family_print(family, v, 48, looks, True).astype(np.float32) / 255 for v in range(4)]
    for v in range(4):
        for w in range(v):
            d = np.abs(p[v] - p[w]).sum()
            if d < 0.008 * 48 * 48 or d < 0.025 * max(p[v].sum(), p[w].sum()):
                return False
    return True


def family_print(family, variant, size, looks, alike):
    """One of a family of four; where they are not to be `alike`, four pictures that have nothing to do with each other."""
    r = np.random.default_rng([71, family])
    s = style(r)
    if looks is not None:
        s = looks
    how = r.random()
    if not alike:
        how = 1.0
    start = int(r.integers(0, 5))
    q = np.random.default_rng([72, family])  # the picture
    main, second = blank(), blank()
    marked, part = 0, None
    if how < 0.30:  # one picture with one to four marks
        ink, marked = icon(q), variant + 1
    elif how < 0.42:  # one picture beside a numeral
        ink, part = icon(q), str(start + variant)
    elif how < 0.52:  # numerals
        ink = text_ink(q, str(int(q.choice([start, start, start + 5, start + 16])) + variant), s["font"])
        if variant in (1, 2) and q.random() < 0.5:
            marked = 1
    elif how < 0.60:  # letters, one or two
        a = [chr(65 + int(v)) for v in q.permutation(26)[:4]]
        ink = text_ink(q, a[variant] + (a[(variant + 1) % 4] if q.random() < 0.25 else ""), s["font"])
    elif how < 0.72:  # signs of a font
        ink = None
        for _ in range(20):
            i = int(np.random.default_rng([73, family, variant, _]).integers(len(SIGNS)))
            ink = glyph(fonts()[0], chr(SIGNS[i])) if fonts() else None
            if ink is not None:
                break
        if ink is None:
            ink = icon(np.random.default_rng([73, family, variant]))
    elif how < 0.82:  # a picture, its mirror image, and both with a part more
        ink = icon(q)
        t = blank()
        place(t, ink, 0.5, 0.5, 0.95)
        if variant >= 2:  # where there is ink it is taken out
            c = q.uniform(0.18, 0.38, 2)
            disc(t, c, 0.13, 0 if t[int(c[1] * BIG), int(c[0] * BIG)] > 128 else 255)
        e = np.random.default_rng([74, family])
        shape(e, t, e.uniform(0.15, 0.35, 2), 0.3)
        ink = t[:, ::-1] if variant % 2 else t
    elif how < 0.9:  # the same small picture once to four times
        one, ink = icon(q), blank()
        at = {1: [(0.5, 0.5)], 2: [(0.25, 0.5), (0.75, 0.5)], 3: [(0.5, 0.25), (0.25, 0.75), (0.75, 0.75)], 4: [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]}[variant + 1]
        for x, y in at:
            place(ink, one, x, y, [0.8, 0.46, 0.45, 0.45][variant])
    else:  # four pictures that have nothing to do with each other
        ink = icon(np.random.default_rng([75, family, variant]))
    inside = frame(s["frame"], second, s["thick"], s["solid"])
    size_here = inside * (s["scale"] + 0.12 if s["frame"] != "none" else s["scale"])
    dy = 0.0
    if marked or part:
        size_here *= 0.82
        dy = {"below": -0.06, "above": 0.06}.get(s["where"], 0.0) if s["frame"] == "none" else 0.0
    if part:
        size_here *= 0.85
        place(main, ink, 0.42, 0.42, size_here)
        place(main, text_ink(q, part, s["font"]), 0.76, 0.76, inside * 0.36)
    else:
        place(main, ink, 0.5, 0.5 + dy, size_here)
    if marked:
        t = blank()
        marks(t, s["mark"], marked, s["where"], s["mark_size"])
        if s["frame"] not in ("none", "corners", "bars"):  # they would lie on the frame: into it, beside the picture
            t = cv2.warpAffine(t, np.float32([[0.78, 0, BIG * 0.11], [0, 0.78, BIG * 0.11]]), (BIG, BIG), flags=cv2.INTER_AREA)
        main = np.maximum(main, t)
    if s["solid"]:  # the picture is left out of a filled frame, or lies in it in another ink
        second = cv2.subtract(second, main)
        if not s["two"]:
            main = np.zeros_like(main)
    if not s["two"]:
        main, second = np.maximum(main, second), np.zeros_like(main)
    return np.dstack([cv2.resize(main, (size, size), interpolation=cv2.INTER_AREA), cv2.resize(second, (size, size), interpolation=cv2.INTER_AREA)])


def same_turns(print_):
    """Quarter turns (0 to 3) after which the print looks the same."""
    m = print_.astype(np.float32)
    m = np.dstack([cv2.GaussianBlur(m[..., i], (0, 0), m.shape[0] / 40) for i in range(2)])
    out = [0]
    for k in (1, 2, 3):
        if np.abs(m - np.rot90(m, k)).sum() < 0.12 * m.sum():
            out.append(k)
    return out


def noise(r, n, octaves=4, base=4):
    """Smooth noise that can be laid side by side."""
    out = np.zeros((n, n), np.float32)
    a = 1.0
    for o in range(octaves):
        k = min(base * 2**o, n)
        g = r.standard_normal((k, k)).astype(np.float32)
        g = np.pad(g, 2, mode="wrap")
        e = cv2.resize(g, None, fx=n / k, fy=n / k, interpolation=cv2.INTER_CUBIC)
        p = int(round(2 * n / k))
        out += a * e[p : p + n, p : p + n]
        a *= 0.55
    return out / 1.6
