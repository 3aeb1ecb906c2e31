"""Flat printed things of a made copy: displays with their zones, the board, tokens, paper. sRGB, uint8.

Lengths in mm from the upper left, x right, y down; pictures have PPM pixels a mm.
"""
import math

import cv2
import numpy as np

import art
from dice import body_colour, hsv, ink_colour, lab

PPM = 4
WORDS = "ALPHA OMEGA DRIVE POWER CORE GRID WATCH RELAY VENT HOLD BAY LINE FORE AFT PORT STAR NOVA PULSE TRIM COIL HULL RANGE SIGNAL ORBIT BURN FUEL CREW DECK LOAD SPIN".split()


def palette(r):
    """Background, a second one, line, accent, text: on light or on dark ground."""
    dark = r.random() < 0.5
    h = r.random()
    ground = hsv(h, r.uniform(0, 0.7), r.uniform(0.06, 0.3)) if dark else hsv(h, r.uniform(0, 0.35), r.uniform(0.72, 1))
    if r.random() < 0.2:
        ground = hsv(h, r.uniform(0.4, 1), r.uniform(0.3, 0.8))
    other = np.clip(ground * r.uniform(0.6, 1.4) + r.normal(0, 0.04, 3), 0, 1)
    line = ink_colour(r, ground)
    return dict(ground=ground, other=other, line=line, accent=ink_colour(r, ground, None, 20), text=ink_colour(r, ground), font=art.pick_font(r))


def paint(im, mask, colour, share=1.0):
    w = mask.astype(np.float32)[..., None] * (share / 255)
    im[:] = im * (1 - w) + np.float32(colour) * w


def put(im, ink, centre, size, colour, share=1.0, turn=0):
    """Ink (uint8) fitted into a square of `size` mm at `centre` mm."""
    ink = np.ascontiguousarray(np.rot90(ink, turn))
    k = size * PPM / max(ink.shape)
    w, h = max(int(ink.shape[1] * k), 2), max(int(ink.shape[0] * k), 2)
    s = cv2.resize(ink, (w, h), interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
    x, y = int(centre[0] * PPM - w / 2), int(centre[1] * PPM - h / 2)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, im.shape[1]), min(y + h, im.shape[0])
    if x1 > x0 and y1 > y0:
        paint(im[y0:y1, x0:x1], s[y0 - y : y1 - y, x0 - x : x1 - x], colour, share)


def line(im, q, colour, width, closed=True):
    t = max(int(round(width * PPM)), 1)
    cv2.polylines(im, [np.int32(np.round(np.asarray(q) * PPM * 16))], closed, [float(c) for c in colour], t, cv2.LINE_AA, 4)


def area(im, q, colour):
    cv2.fillPoly(im, [np.int32(np.round(np.asarray(q) * PPM * 16))], [float(c) for c in colour], cv2.LINE_AA, 4)


def background(r, w, h, p):
    """A printed ground: plain, a slope of colour, clouds, stars, lines or blots."""
    W, H = int(round(w * PPM)), int(round(h * PPM))
    im = np.ones((H, W, 3), np.float32) * np.float32(p["ground"])
    k = r.random()
    if k < 0.3:
        a = r.uniform(0, 6.3)
        y, x = np.mgrid[:H, :W].astype(np.float32)
        t = ((x / W - 0.5) * math.cos(a) + (y / H - 0.5) * math.sin(a) + 0.5)[..., None]
        im = im * (1 - t) + np.float32(p["other"]) * t
    elif k < 0.6:
        t = cv2.resize(np.clip(art.noise(r, 256, 5, int(r.integers(2, 6))) * 0.5 + 0.5, 0, 1), (W, H))[..., None]
        im = im * (1 - t) + np.float32(p["other"]) * t
    elif k < 0.7:
        step = r.uniform(3, 12)
        for x in np.arange(0, w + h, step):
            line(im, [(x, 0), (x - h * r.choice([0, 1]), h)], p["other"], 0.4, False)
    if r.random() < 0.35:
        for _ in range(int(r.integers(40, 300))):
            c = r.uniform(0, 1, 2) * [W, H]
            cv2.circle(im, (int(c[0]), int(c[1])), int(r.integers(1, 4)), [float(v) for v in p["text"] * r.uniform(0.5, 1)], -1, cv2.LINE_AA)
    if r.random() < 0.35:
        for _ in range(int(r.integers(1, 4))):
            put(im, art.icon(r), r.uniform(0, 1, 2) * [w, h], r.uniform(0.2, 0.8) * h, p["other"], r.uniform(0.3, 0.8))
    return np.ascontiguousarray(im, np.float32)


def word(r, n=1):
    return " ".join(str(w) for w in r.choice(WORDS, n))


def small_print(r, im, x, y, w, lines, size, p):
    """Lines of words that stand for a rule's text."""
    for i in range(lines):
        t = word(r, int(r.integers(2, 5))).lower()
        ink = art.text_ink(r, t, p["font"])
        k = min(w / (ink.shape[1] / ink.shape[0] * size), 1)
        put(im, ink, (x + w / 2, y + i * size * 1.5), max(w * k, size), p["text"], 0.9)


def shape_of(r, x, y, w, h):
    """A zone's outline in its cell."""
    k = r.random()
    if k < 0.6:
        return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    c = min(w, h) * r.uniform(0.08, 0.2)
    if k < 0.8:
        return [(x + c, y), (x + w - c, y), (x + w, y + c), (x + w, y + h - c), (x + w - c, y + h), (x + c, y + h), (x, y + h - c), (x, y + c)]
    if k < 0.9:
        return [(x + c, y), (x + w, y), (x + w - c, y + h), (x, y + h)]
    return [(x + c, y), (x + w - c, y), (x + w, y + h / 2), (x + w - c, y + h), (x + c, y + h), (x, y + h / 2)]


def layout(r, zones, least):
    """Card size and outlines for named zones, each at least `least` mm wide: `energy` on a side, the others in a grid."""
    inner = [z for z in zones if z not in ("energy",)]
    n = len(inner)
    cols = int(r.integers(max(1, math.ceil(math.sqrt(n) * 0.7)), n + 1)) if n < 6 else int(r.choice([3, 4, 6]))
    rows = math.ceil(n / cols)
    cw, ch = least * r.uniform(1.08, 1.5 if n > 4 else 2.2), least * r.uniform(1.08, 1.4 if n > 4 else 2.4)
    if n == 1:
        cw, ch = least * r.uniform(3, 6), least * r.uniform(2, 4)
    margin, title, gap = r.uniform(4, 9), r.uniform(9, 16), r.uniform(1, 5)
    ew = least * r.uniform(1.15, 1.7) if "energy" in zones else 0
    w = 2 * margin + cols * cw + (cols - 1) * gap + (ew + gap * 2 if ew else 0) + r.uniform(0, 25)
    h = 2 * margin + title + rows * ch + (rows - 1) * gap + r.uniform(0, 20)
    w, h = max(w, 85.0), max(h, 65.0)
    left = r.random() < 0.6
    gx = margin + (ew + gap * 2 if left and ew else 0)
    room = w - 2 * margin - (ew + gap * 2 if ew else 0)
    cw = (room - (cols - 1) * gap) / cols
    ch = (h - 2 * margin - title - (rows - 1) * gap) / rows
    out = {}
    uniform = r.integers(1 << 30)
    for i, z in enumerate(inner):
        q = shape_of(np.random.default_rng(uniform), gx + (i % cols) * (cw + gap), margin + title + (i // cols) * (ch + gap), cw, ch)
        out[z] = [[round(float(a), 1), round(float(b), 1)] for a, b in q]
    if ew:
        x = margin if left else w - margin - ew
        q = [(x, margin + title), (x + ew, margin + title), (x + ew, h - margin), (x, h - margin)]
        out["energy"] = [[round(float(a), 1), round(float(b), 1)] for a, b in q]
    return (round(float(w), 1), round(float(h), 1)), {z: out[z] for z in zones}, margin, title


def display(r, p, name, size, zones, margin, title, icons):
    """The art of one display. `icons`: inks that may stand in zones, as a hint for what goes there."""
    w, h = size
    im = background(r, w, h, p)
    if r.random() < 0.7:
        q = r.uniform(0.8, 2.5)
        line(im, [(q, q), (w - q, q), (w - q, h - q), (q, h - q)], p["accent"], r.uniform(0.4, 1.6))
    k = r.random()
    band = p["ground"]
    if k < 0.55:
        band = p["accent"]
        area(im, [(margin * 0.5, margin * 0.5), (w - margin * 0.5, margin * 0.5), (w - margin * 0.5, margin * 0.5 + title * 0.8), (margin * 0.5, margin * 0.5 + title * 0.8)], band)
    ink = art.text_ink(r, word(r, int(r.integers(1, 3))), p["font"])
    tw = min(w * 0.5, title * 0.5 * ink.shape[1] / ink.shape[0])
    put(im, ink, (margin + tw / 2 if r.random() < 0.6 else w / 2, margin * 0.5 + title * 0.4), tw, ink_colour(r, band))
    put(im, icons[0], (w - margin - title * 0.4, margin * 0.5 + title * 0.4), title * 0.65, ink_colour(r, band))
    thick, filled, ghost = r.uniform(0.3, 1.2), r.random() < 0.5, r.uniform(0.15, 0.8)
    hints = r.random() < 0.75
    for i, (z, q) in enumerate(zones.items()):
        q = np.array(q)
        if filled:
            area(im, q, np.clip(p["other"] * r.uniform(0.8, 1.2), 0, 1))
        c = q.mean(0)
        s = min(np.ptp(q[:, 0]), np.ptp(q[:, 1]))
        if z == "energy" and r.random() < 0.6:  # hatched
            for x in np.arange(q[:, 0].min() - 40, q[:, 0].max(), 4):
                a, b = np.array([x, q[:, 1].max()]), np.array([x + 40, q[:, 1].min()])
                seg = cv2.clipLine((int(q[:, 0].min() * PPM), int(q[:, 1].min() * PPM), int(np.ptp(q[:, 0]) * PPM), int(np.ptp(q[:, 1]) * PPM)), tuple(int(v) for v in a * PPM), tuple(int(v) for v in b * PPM))
                if seg[0]:
                    cv2.line(im, seg[1], seg[2], [float(v) for v in p["accent"] * 0.6 + p["ground"] * 0.4], 3, cv2.LINE_AA)
        if hints:
            if r.random() < 0.7:
                put(im, icons[(i + 1) % len(icons)], c, s * r.uniform(0.4, 0.7), p["line"], ghost)
            else:
                put(im, art.text_ink(r, word(r) if r.random() < 0.6 else str(i + 1), p["font"]), c, s * r.uniform(0.5, 0.9), p["line"], ghost, int(r.integers(2)) if z == "energy" else 0)
        line(im, q, p["line"], thick)
    for _ in range(int(r.integers(0, 3))):
        x, y = r.uniform(0.05, 0.6) * w, h - margin * r.uniform(0.3, 0.7)
        small_print(r, im, x, y, w * 0.3, 1, margin * 0.35, p)
    return finish(r, im)


def finish(r, im):
    """Wear of cards and the grain of print."""
    if r.random() < 0.3:
        e = int(r.integers(1, 4))
        for s in (im[:e], im[-e:], im[:, :e], im[:, -e:]):
            s[:] = s * 0.6 + 0.35
    return np.uint8(np.clip(im, 0, 1) * 255)


def board(r, p, cols, rows, square, origin, size, zones, marked, start, marks):
    """The board: its grid and its marked squares (`marks`: inks by number)."""
    w, h = size
    im = background(r, w, h, p)
    x0, y0 = origin
    k = r.random()
    if k < 0.4:  # chequered
        for j in range(rows):
            for i in range(cols):
                if (i + j) % 2:
                    a = np.array([x0 + i * square, y0 + j * square])
                    m = im[int(a[1] * PPM) : int((a[1] + square) * PPM), int(a[0] * PPM) : int((a[0] + square) * PPM)]
                    m[:] = m * 0.8 + np.float32(p["other"]) * 0.2
    t = r.uniform(0.3, 1.0)
    for i in range(cols + 1):
        line(im, [(x0 + i * square, y0), (x0 + i * square, y0 + rows * square)], p["line"], t, False)
    for j in range(rows + 1):
        line(im, [(x0, y0 + j * square), (x0 + cols * square, y0 + j * square)], p["line"], t, False)
    if r.random() < 0.4:
        for i in range(cols):
            put(im, art.text_ink(r, chr(65 + i), p["font"]), (x0 + (i + 0.5) * square, y0 - 4), 4, p["text"])
    for n, (c, q) in marked.items():
        m = (x0 + (c + 0.5) * square, y0 + (q + 0.5) * square)
        cv2.circle(im, (int(m[0] * PPM), int(m[1] * PPM)), int(square * 0.36 * PPM), [float(v) for v in p["accent"]], int(r.choice([3, 6, -1])), cv2.LINE_AA)
        put(im, marks[0], m, square * 0.45, p["line"], 0.9)
        put(im, art.text_ink(r, n, p["font"]), (m[0] + square * 0.3, m[1] + square * 0.3), square * 0.16, p["text"])
    for team, s in start.items():
        c, q = s["square"]
        put(im, marks[1 if team == "white" else 2], (x0 + (c + 0.5) * square, y0 + (q + 0.5) * square), square * 0.6, p["accent"], 0.8)
    for z, q in zones.items():
        q = np.array(q)
        if r.random() < 0.5:
            area(im, q, p["other"])
        line(im, q, p["accent"], t)
        put(im, art.text_ink(r, z.rsplit("/", 1)[-1][:8], p["font"]), q.mean(0), min(np.ptp(q, 0)) * 0.5, p["text"], 0.6)
    ink = art.text_ink(r, word(r, 2), p["font"])
    put(im, ink, (w / 2, h - 4), min(w * 0.3, 5 * ink.shape[1] / ink.shape[0]), p["text"])
    return finish(r, im)


def token(r, p, radius, ink, dark=None):
    """The top of a token: a square picture of its two radii."""
    n = int(2 * radius * PPM)
    im = np.ones((n, n, 3), np.float32) * np.float32(p["ground"])
    if r.random() < 0.5:
        t = cv2.resize(np.clip(art.noise(r, 64, 3, 3) * 0.5 + 0.5, 0, 1), (n, n))[..., None]
        im = np.ascontiguousarray(im * (1 - t) + np.float32(p["other"]) * t, np.float32)
    if r.random() < 0.7:
        cv2.circle(im, (n // 2, n // 2), int(n * r.uniform(0.4, 0.47)), [float(v) for v in p["accent"]], int(r.integers(2, 8)), cv2.LINE_AA)
    put(im, ink, (radius, radius), radius * r.uniform(0.9, 1.3), p["line"])
    return finish(r, im)


def paper_ship(r, length):
    """A ship drawn from above, nose up, on a square picture `length` wide; and the outline that is cut out (mm, y up)."""
    n = int(length * PPM)
    colours = [hsv(r.random(), r.uniform(0, 1), r.uniform(0.05, 1)) for _ in range(4)]
    im = np.ones((n, n, 3), np.float32) * np.float32(colours[0])
    ys = np.array([0.96, r.uniform(0.2, 0.8), r.uniform(-0.3, 0.3), r.uniform(-0.8, -0.4), -0.94])
    xs = np.array([r.choice([0.03, r.uniform(0.05, 0.25)]), r.uniform(0.1, 0.45), r.uniform(0.15, 0.6), r.uniform(0.35, 0.75), r.uniform(0.15, 0.6)])
    half = np.stack([xs, ys], 1)
    both = lambda q: np.concatenate([q, (q * [-1, 1])[::-1]])
    to = lambda q: (np.asarray(q) * [1, -1] + 1) * length / 2
    area(im, to(both(half * 0.97)), colours[1])
    line(im, to(both(half * 0.97)), colours[2], r.uniform(0.3, 0.9))
    for _ in range(int(r.integers(1, 4))):  # windows, fins and drives, the same on both sides
        c, s = np.array([r.uniform(0, 0.35), r.uniform(-0.8, 0.6)]), r.uniform(0.05, 0.2)
        q = c + s * r.normal(0, 1, (int(r.integers(3, 6)), 2))
        q = cv2.convexHull(np.float32(q)).reshape(-1, 2)
        for e in (1, -1):
            area(im, to(q * [e, 1]), colours[3] if r.random() < 0.7 else colours[2])
    if r.random() < 0.6:
        y = r.uniform(-0.2, 0.7)
        cv2.circle(im, tuple(int(v) for v in to([0, y]) * PPM), int(r.uniform(0.05, 0.14) * n), [float(v) for v in colours[3]], -1, cv2.LINE_AA)
    if r.random() < 0.5:
        line(im, to([(0, r.uniform(0.3, 0.8)), (0, r.uniform(-0.8, -0.1))]), colours[2], r.uniform(0.4, 2), False)
    return finish(r, im), cv2.convexHull(np.float32(both(half))).reshape(-1, 2)[::-1] * length / 2


def phone(r, w, h):
    """A screen: a list, a grid of pictures, or a die's face, which is none."""
    p = palette(r)
    im = background(r, w, h, p)
    if r.random() < 0.3:
        s = art.symbol(int(r.integers(0, 6) if r.random() < 0.4 else r.integers(10**6, 2 * 10**6)), 96)
        a = w * 0.25
        area(im, [(w / 2 - a, h / 2 - a), (w / 2 + a, h / 2 - a), (w / 2 + a, h / 2 + a), (w / 2 - a, h / 2 + a)], p["accent"])
        put(im, np.maximum(s[..., 0], s[..., 1]), (w / 2, h / 2), a * 1.7, ink_colour(r, p["accent"]))
    else:
        for i in range(int(r.integers(2, 6))):
            for j in range(4):
                c = body_colour(r)
                x, y = w * (0.15 + 0.235 * j), 12 + i * w * 0.28
                cv2.rectangle(im, (int((x - 5) * PPM), int((y - 5) * PPM)), (int((x + 5) * PPM), int((y + 5) * PPM)), [float(v) for v in c], -1)
                put(im, art.icon(r), (x, y), 7, ink_colour(r, c))
    return np.uint8(np.clip(im, 0, 1) * 255)


def paper(r, w, h):
    """A sheet with lines of words, perhaps a sign."""
    p = dict(ground=np.full(3, r.uniform(0.85, 1)), other=np.full(3, 0.9), text=np.full(3, r.uniform(0, 0.3)), font=art.pick_font(r))
    im = np.ones((int(h * PPM), int(w * PPM), 3), np.float32) * np.float32(p["ground"])
    for y in np.arange(10, h - 8, r.uniform(5, 9)):
        if r.random() < 0.8:
            small_print(r, im, 8, y, (w - 16) * r.uniform(0.4, 1), 1, 3, p)
    if r.random() < 0.5:
        put(im, art.icon(r), r.uniform(0.3, 0.7, 2) * [w, h], r.uniform(15, 40), p["text"])
    return np.uint8(np.clip(im, 0, 1) * 255)
