"""Polyhedral dice (d4, d8, d10, d12, d20) on random tables, with exact truth: what solids.py of ../train learns from, and copies to measure on.

    python solids.py --out DIR --count 3000 --seed 41 --photos ../../../shared/photos      pictures to train on
    python solids.py --sets DIR --count 3 --pictures 20 --seed 4100 --photos ...           copies: owner.json, enrol/, tables/, truth.jsonl
    python solids.py --faces DIR --count 2000 --seed 61 --photos ...                       single dice, for the reader: faces-*.npz

A picture's truth: for each die its shape, `poly` (the corners of its top face in pixels, clockwise; of a d10 from the corner at its pole; of a d4, which has
none, those of the face it lies on), `up` (where the middle of the top, or the point, is, less where the middle of the foot is; pixels), the box round all of
it, what it counts (`value`) and how much of it is seen. A copy's dice are in none of the pictures to train on: other plastics, inks, figures and sizes.
"""
import argparse
import functools
import hashlib
import itertools
import json
import math
import multiprocessing as mp
import os
import pathlib
import zlib

import cv2
import numpy as np

import art
import scenes
from scenes import TEX, body_colour, lin, noise, print_colour, rot_to, rotz

SHAPES = ["d4", "d8", "d10", "d12", "d20"]
CORNERS = dict(d4=3, d8=3, d10=4, d12=5, d20=3)
# Face to face, or point to face; millimetres, as dice are sold.
SIZE = dict(d4=(13, 19), d8=(13, 17), d10=(13, 18), d12=(16, 20), d20=(17, 23))
# How wide a print is laid, by how far a face's corners are from its middle.
WIDE = 1.1


@functools.lru_cache(None)
def solid(shape, tall=1.0):
    """Faces all of which touch the unit ball: (normals (n, 3), corners of each, clockwise as seen from outside, middle of each).

    `tall`: how far a d10's poles stick out, by the radius of its girdle."""
    g = (1 + 5**0.5) / 2
    signs = (-1, 1)
    if shape == "d4":
        n = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    elif shape == "d8":
        n = np.array(list(itertools.product(signs, signs, signs)), float)
    elif shape == "d12":
        n = np.array([q for s in signs for t in signs for q in ([0, s, t * g], [s, t * g, 0], [t * g, 0, s])], float)
    elif shape == "d20":
        n = np.array(list(itertools.product(signs, signs, signs)) + [q for s in signs for t in signs for q in ([0, s / g, t * g], [s / g, t * g, 0], [t * g, 0, s / g])], float)
    else:
        # flat kites: the girdle lies h above and below the middle (a line through pole, wide corners' middle and low corner)
        h = tall * (1 - math.cos(math.pi / 5)) / (1 + math.cos(math.pi / 5))
        a = np.arange(5) * 2 * math.pi / 5
        upper = np.stack([np.cos(a) * (tall + h), np.sin(a) * (tall + h), np.ones(5)], 1)
        n = np.concatenate([upper, -upper])
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    points = []
    for i, j, k in itertools.combinations(range(len(n)), 3):
        m = n[[i, j, k]]
        if abs(np.linalg.det(m)) < 1e-6:
            continue
        v = np.linalg.solve(m, np.ones(3))
        if (n @ v < 1 + 1e-6).all() and not any(np.linalg.norm(v - p) < 1e-6 for p in points):
            points.append(v)
    points = np.array(points)
    faces, middles = [], []
    for f in n:
        on = points[np.abs(points @ f - 1) < 1e-6]
        c = on.mean(0)
        x = on[0] - c
        if shape == "d10":
            pole = np.argmin(np.hypot(on[:, 0], on[:, 1]))
            x = on[pole] - c
        x /= np.linalg.norm(x)
        y = np.cross(x, f)  # right of x, seen from outside
        q = on - c
        on = on[np.argsort((np.arctan2(q @ y, q @ x) + 1e-6) % (2 * math.pi))]
        if shape == "d10":  # the circle that touches all four sides lies on the kite's axis
            q = on - on[0]
            half = math.acos((q[1] @ q[2]) / np.linalg.norm(q[1]) / np.linalg.norm(q[2]))
            side, low, axis = np.linalg.norm(q[1]), np.linalg.norm(on[2] - on[1]), np.linalg.norm(q[2])
            area = axis * side * math.sin(half)
            r = area / (side + low)
            c = on[0] + q[2] / axis * (r / math.sin(half))
        faces.append(on)
        middles.append(c)
    return n, faces, np.array(middles)


def incircle(corners, middle):
    out = 1e9
    for a, b in zip(corners, np.roll(corners, -1, 0)):
        out = min(out, np.linalg.norm(np.cross(b - a, middle - a)) / np.linalg.norm(b - a))
    return out


def window(corners, middle):
    return WIDE * np.linalg.norm(corners - middle, axis=1).max()


def frames(shape, tall, up):
    """(n, 3, 3): each face's middle, and what is right and down of its print, half a print long. `up`: turn of the prints from a face's first corner (radians)."""
    n, faces, middles = solid(shape, tall)
    out = np.zeros((len(n), 3, 3))
    for i, f in enumerate(n):
        x = faces[i][0] - middles[i]
        x /= np.linalg.norm(x)
        y = np.cross(x, f)
        u = math.cos(up) * x + math.sin(up) * y
        w = window(faces[i], middles[i])
        out[i] = middles[i], np.cross(u, f) * w, -u * w
    return out


def values(r, shape):
    if shape == "d10":
        return [[str(i) for i in range(10)], [str(i + 1) for i in range(10)], [f"{i}0" for i in range(10)]][int(r.choice(3, p=[0.6, 0.2, 0.2]))]
    return [str(i + 1) for i in range(int(shape[1:]))]


def look(r, shape=None):
    """A kind of polyhedral die: what it is made of, what is printed and how."""
    shape = shape or str(r.choice(SHAPES, p=[0.18, 0.18, 0.22, 0.18, 0.24]))
    body = body_colour(r)
    marbled = r.random() < 0.4
    second = body_colour(r) if r.random() < 0.6 else np.clip(body * r.uniform(0.3, 1.7), 0, 1)
    ink = print_colour(r, body, second if marbled else None)
    edge = r.random() < 0.06  # metal dice with a rim of ink about each face
    trans = r.uniform(0.3, 1) if r.random() < 0.18 else 0.0
    gloss, shiny = (r.uniform(0.4, 1.0), float(r.uniform(40, 350))) if r.random() < 0.75 else (r.uniform(0.05, 0.4), float(r.uniform(8, 40)))
    icons = r.random() < 0.2
    tall = float(r.uniform(0.85, 1.2)) if shape == "d10" else 1.0
    k = CORNERS[shape]
    up = 0.0
    if shape in ("d8", "d20", "d12") and r.random() < 0.2:
        up = math.pi / k
    if shape == "d10" and r.random() < 0.5:
        up = math.pi
    names = values(r, shape)
    order = list(r.permutation(len(names)))
    return dict(shape=shape, body=body, marbled=marbled, second=second, ink=ink, edge=edge, trans=trans, gloss=gloss, shiny=shiny, icons=icons, tall=tall, up=up, names=names, order=order,
                font=art.pick_font(r), tall_figures=r.uniform(0.85, 1.25), depth=r.uniform(0.1, 0.8) * r.choice([0, 1, 1, -0.15]), dot=r.random() < 0.5, base=r.random() < 0.4, size=float(r.uniform(*SIZE[shape])),
                sharp=float(r.uniform(0.006, 0.03) if r.random() < 0.7 else r.uniform(0.03, 0.07)), cut=float(r.uniform(0.9, 1.0)), wear=r.random() < 0.2, seed=int(r.integers(1 << 40)))


def ink_of(kind, name, wide, high):
    """A name as it is printed, 0 to 1, as large as fits."""
    if kind["icons"]:
        number = kind["names"].index(name)
        m = art.symbol(art.FIRST + (kind["seed"] + number * 4) % 100003, 96)
        m = np.clip(m[..., 0].astype(np.float32) + m[..., 1], 0, 255) / 255
        return cv2.resize(m, (int(min(wide, high)),) * 2, interpolation=cv2.INTER_AREA)
    text = name
    m = art.text_ink(np.random.default_rng(kind["seed"]), text, kind["font"]).astype(np.float32) / 255
    if name in ("6", "9") and len(kind["names"]) > 8:
        h, w = m.shape
        if kind["dot"]:
            mark = np.zeros((h, max(h // 4, 2)), np.float32)
            cv2.circle(mark, (mark.shape[1] // 2, h - h // 10 - 1), max(h // 11, 1), 1.0, -1, cv2.LINE_AA)
            m = np.hstack([m, mark])
        else:
            m = np.vstack([m, np.zeros((h // 8, w), np.float32), np.ones((max(h // 9, 2), w), np.float32)])
    k = min(wide / m.shape[1], high / m.shape[0])
    return cv2.resize(m, (max(2, int(m.shape[1] * k)), max(2, int(m.shape[0] * k))), interpolation=cv2.INTER_AREA)


def printed(kind, face):
    """A face's ink (TEX, TEX). `face`: its number among the solid's."""
    shape = kind["shape"]
    n, faces, middles = solid(shape, kind["tall"])
    corners, middle = faces[face], middles[face]
    pixels = TEX / 2 / window(corners, middle)
    rho = incircle(corners, middle) * pixels
    m = np.zeros((TEX, TEX), np.float32)

    def put(ink, at, turn):
        h, w = ink.shape
        a = cv2.getRotationMatrix2D((w / 2 - 0.5, h / 2 - 0.5), math.degrees(turn), 1)
        a[:, 2] += np.array(at) - [w / 2 - 0.5, h / 2 - 0.5]
        np.maximum(m, cv2.warpAffine(ink, a, (TEX, TEX), flags=cv2.INTER_LINEAR), out=m)

    c = TEX / 2 - 0.5
    if shape != "d4":
        name = kind["names"][kind["order"][face]]
        s = kind["tall_figures"]
        wide = {"d8": 1.5, "d20": 1.45, "d12": 1.35, "d10": 1.3}[shape]
        ink = ink_of(kind, name, min(wide, 1.7 * s) * rho, s * rho)
        put(ink, (c, c), 0.0)
        return m
    # a figure beside each corner, or along each edge; frames() has the first corner up
    # the face opposite of each corner: it lies on that one when the corner is up
    ids = [int(np.argmin(n @ p)) for p in corners]
    for i in range(3):
        a = 2 * math.pi / 3 * i
        name = kind["names"][kind["order"][ids[i]]]
        if kind["base"]:  # along the edge that lies on the table then, upright where it is below
            at = np.array([-math.sin(a), math.cos(a)]) * 0.42 * rho
        else:
            at = np.array([math.sin(a), -math.cos(a)]) * 0.85 * rho
        s = 0.62 * kind["tall_figures"] * rho
        put(ink_of(kind, name, 1.2 * s, s), np.array([c, c]) + at, -a)
    return m


def counts(kind, face):
    """What it counts when `face` is up; of a d4, when it lies on that face."""
    return kind["names"][kind["order"][face]]


@functools.lru_cache(64)
def _noise(seed):
    return noise(np.random.default_rng(seed), TEX * 3, 4, 4)


def textures(kind):
    """(faces, TEX, TEX, 4): linear RGB and depth."""
    r = np.random.default_rng(kind["seed"])
    n, faces, middles = solid(kind["shape"], kind["tall"])
    field = _noise(kind["seed"] % 61) if kind["marbled"] else None
    bend = r.uniform(1, 6)
    out = np.zeros((len(n), TEX, TEX, 4), np.float32)
    for f in range(len(n)):
        m = printed(kind, f)
        b = np.ones((TEX, TEX, 3), np.float32) * np.float32(kind["body"])
        if field is not None:
            i, j = r.integers(0, TEX * 2, 2)
            w = (np.clip(np.tanh(bend * field[i : i + TEX, j : j + TEX]) * 0.5 + 0.5, 0, 1))[..., None]
            b = b * (1 - w) + np.float32(kind["second"]) * w
        if kind["edge"]:
            frame = frames(kind["shape"], kind["tall"], kind["up"])[f]
            q = (faces[f] - middles[f]) @ np.stack([frame[1], frame[2]], 1) / (frame[1] @ frame[1])
            rim = np.zeros((TEX, TEX), np.uint8)
            cv2.polylines(rim, [np.int32(np.round((q * 0.5 + 0.5) * TEX * 16))], True, 255, 5, cv2.LINE_AA, 4)
            m = np.maximum(m, rim.astype(np.float32) / 255)
        mm = m * np.clip(0.75 + 0.5 * noise(r, TEX, 4, 8), 0, 1) if kind["wear"] else m
        out[f, ..., :3] = lin(np.clip(b * (1 - mm[..., None]) + np.float32(kind["ink"]) * mm[..., None], 0, 1))
        out[f, ..., 3] = cv2.GaussianBlur(m, (0, 0), 1.5) * kind["depth"]
    return out


def laid(kind, face, yaw, at, tex=None):
    """A die on the table for scenes.shot, with `face` up (a d4: down), turned by `yaw`."""
    n, faces, middles = solid(kind["shape"], kind["tall"])
    z = -n[face] if kind["shape"] == "d4" else n[face]
    x = faces[face][0] - middles[face]
    x /= np.linalg.norm(x)
    R = rotz(yaw) @ np.stack([x, np.cross(z, x), z])
    unit = kind["size"] / (4 if kind["shape"] == "d4" else 2)
    corner = max(np.linalg.norm(p) for q in faces for p in q) * unit
    # rounding takes a little off; it lies on the table with what is left
    planes = np.concatenate([n, np.full((len(n), 1), unit)], 1)
    fr = frames(kind["shape"], kind["tall"], kind["up"]) * unit
    return dict(kind=4, pos=np.array([at[0], at[1], unit]), rot=R, half=np.full(3, unit), round=kind["sharp"] * unit, cut=corner * kind["cut"], bound=corner * min(kind["cut"], 1.0) * 1.001,
                planes=planes, frames=fr, tex=textures(kind) if tex is None else tex, gloss=kind["gloss"], shiny=kind["shiny"], trans=kind["trans"], tint=np.zeros(3), die=dict(kind=kind, face=face, unit=unit))


class Camera:
    """Looks at the table's middle from `dist` mm, `tilt` off the vertical; pixels, y down."""

    def __init__(self, r, size, focal, dist, tilt, roll):
        az = r.uniform(0, 2 * np.pi)
        fwd = np.array([math.sin(tilt) * math.cos(az), math.sin(tilt) * math.sin(az), -math.cos(tilt)])
        right = np.array([math.sin(az), -math.cos(az), 0.0])
        down = np.cross(fwd, right)
        c, s = math.cos(roll), math.sin(roll)
        self.rot = np.stack([c * right + s * down, -s * right + c * down, fwd], 1)
        self.pos = -fwd * dist + np.array([0, 0, 1.0])
        self.focal, self.size, self.dist = focal, size, dist
        self.middle = np.array([size[0] / 2 - 0.5, size[1] / 2 - 0.5])

    def __call__(self, p):
        q = (np.asarray(p) - self.pos) @ self.rot
        return q[..., :2] / q[..., 2:] * self.focal + self.middle

    def ground_at(self, uv):
        d = self.rot @ np.array([*(np.asarray(uv) - self.middle), self.focal])
        if d[2] > -0.05 * np.linalg.norm(d):
            return None
        return self.pos - d * self.pos[2] / d[2]


def truth_of(o, i, cam, ids):
    """What a picture shows of a die, or None where it is outside."""
    d = o["die"]
    kind, face, unit = d["kind"], d["face"], d["unit"]
    n, faces, middles = solid(kind["shape"], kind["tall"])
    world = lambda p: np.asarray(p) * unit @ o["rot"].T + o["pos"]
    top = faces[face]
    poly = cam(world(top))
    middle = top.mean(0)
    if kind["shape"] == "d4":
        up = cam(world(-3 * n[face])) - cam(world(middle))
        poly = poly[[0, 2, 1]]  # clockwise from inside, where the camera is
    else:
        up = cam(world(middle)) - cam(world(middle - 2 * n[face]))
    hull = cam(world(np.unique(np.round(np.concatenate(faces), 9), axis=0) * 0.97))
    H, W = ids.shape
    (x0, y0), (x1, y1) = hull.min(0), hull.max(0)
    if x1 < 0 or y1 < 0 or x0 > W or y0 > H:
        return None
    see = poly if kind["shape"] != "d4" else hull
    mask = np.zeros(ids.shape, np.uint8)
    cv2.fillPoly(mask, [np.int32(np.round(cv2.convexHull(np.float32(see)) * 16))], 1, cv2.LINE_8, 4)
    area = cv2.contourArea(cv2.convexHull(np.float32(see)))
    ray = cam.pos - o["pos"]
    return dict(shape=kind["shape"], value=counts(kind, face), base=bool(kind["base"]), poly=np.round(poly, 2).tolist(), up=np.round(up, 2).tolist(), box=[round(float(v), 2) for v in (x0, y0, x1 - x0, y1 - y0)],
                visible=round(min(float(((ids == i) & (mask > 0)).sum()) / max(area, 1), 1.0), 3), off_deg=round(math.degrees(math.acos(ray[2] / np.linalg.norm(ray))), 1))


def clutter(r, cam, objs, free, edge):
    """Cubes, counters, bottles' caps, boxes, a hand: what is no such die."""
    W, H = cam.size
    for _ in range(int(r.choice([0, 0, 1, 2, 3, 5]))):
        p = cam.ground_at(r.uniform(0, 1, 2) * [W, H])
        if p is None or np.linalg.norm(p) > cam.dist * 2.5:
            continue
        k, s = r.random(), edge * r.uniform(0.6, 2.2)
        g, sh = r.uniform(0, 0.8), float(r.uniform(8, 200))
        if k < 0.5:
            e = edge * r.uniform(0.8, 1.2)
            if not free(p, e * 0.7):
                continue
            tex, _ = scenes.die_textures(r, str(r.choice(["pips", "numeral", "icon", "letter"], p=[0.5, 0.25, 0.2, 0.05])), int(r.integers(1, 7)))
            h = e / 2
            objs.append(dict(kind=0, pos=np.array([p[0], p[1], h]), rot=rotz(r.uniform(0, 6.28)), half=np.full(3, h), round=h * r.uniform(0.04, 0.4), cut=h * r.uniform(1.35, 1.74), bound=h * 1.74, planes=None, tex=tex, gloss=g, shiny=sh, trans=0.0, tint=np.zeros(3), die=None))
        elif k < 0.75:
            a, h = s * 0.5, s * r.choice([0.04, 0.1, 0.4, 0.9])
            if not free(p, a):
                continue
            objs.append(dict(kind=1, pos=np.array([p[0], p[1], h]), rot=rotz(r.uniform(0, 6.28)), half=np.array([a, a, h]), round=min(0.3, h * 0.5), cut=1e9, bound=math.hypot(a, h), planes=None, tex=scenes.token_texture(r), gloss=g, shiny=sh, trans=0.0, tint=np.zeros(3), die=None))
        else:
            a, b, h = s * 0.5, s * r.uniform(0.2, 0.5), s * r.choice([0.05, 0.1, 0.4])
            if not free(p, a):
                continue
            objs.append(dict(kind=0, pos=np.array([p[0], p[1], h]), rot=rotz(r.uniform(0, 6.28)), half=np.array([a, b, h]), round=0.3, cut=1e9, bound=math.sqrt(a * a + b * b + h * h), planes=None, tex=scenes.plain_texture(r) if r.random() < 0.6 else None, gloss=g, shiny=sh, trans=0.0, tint=lin(body_colour(r)), die=None))
    if r.random() < 0.12:
        p = cam.ground_at(r.uniform(0.1, 0.9, 2) * [W, H])
        if p is not None:
            skin = lin(np.array([0.85, 0.62, 0.5]) * r.uniform(0.35, 1.1))
            a = r.uniform(0, 6.28)
            palm = np.array([p[0], p[1], 25.0])
            for i in range(5):
                b = a + (i - 2) * r.uniform(0.15, 0.3)
                fd, L = np.array([math.cos(b), math.sin(b), -0.45]), r.uniform(18, 28)
                objs.append(dict(kind=2, pos=palm + fd * (L + 8), rot=rot_to(fd), half=np.array([L, r.uniform(6.5, 8.5), 1.0]), round=0, cut=1e9, bound=L + 9, planes=None, tex=None, gloss=0.1, shiny=15.0, trans=0.2, tint=skin, die=None))


def scene(r, grounds, size=(512, 512), kinds=None, pixels=(11, 75), tilted=None):
    """A table with dice of random kinds, or of `kinds` (and of others: a third of a third)."""
    W, H = size
    focal = W * r.uniform(0.8, 2.2)
    tilt = abs(r.normal(0, 10)) if r.random() < 0.4 else r.uniform(5, 60)
    tilt = math.radians(min(tilt, tilted or 62))
    edge = 16.0
    px = math.exp(r.uniform(math.log(pixels[0]), math.log(pixels[1])))
    cam = Camera(r, size, focal, focal * edge / px, tilt, r.normal(0, 0.12))
    objs, placed = [], []

    def free(p, rad):
        if any((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 < (rad + q[2]) ** 2 for q in placed):
            return False
        placed.append((p[0], p[1], rad))
        return True

    own = [look(r) for _ in range(int(r.integers(1, 6)))] if kinds is None else kinds
    prints = {}
    n = int(r.choice([0, 1, 2, 4, 6, 9, 12])) if kinds is None else int(r.integers(4, 13))
    for _ in range(min(n, 6) if px > 50 and kinds is None else n):
        kind = own[int(r.integers(len(own)))]
        p = cam.ground_at(r.uniform(0.02, 0.98, 2) * [W, H])
        if placed and r.random() < 0.3:
            q, a = placed[int(r.integers(len(placed)))], r.uniform(0, 6.28)
            p = np.array([q[0] + math.cos(a) * (q[2] + kind["size"] * 0.62), q[1] + math.sin(a) * (q[2] + kind["size"] * 0.62), 0])
        if p is None or np.linalg.norm(p) > cam.dist * 2.2 or not free(p, kind["size"] * 0.58):
            continue
        if id(kind) not in prints:
            prints[id(kind)] = textures(kind)
        objs.append(laid(kind, int(r.integers(int(kind["shape"][1:]))), r.uniform(0, 6.28), p, prints[id(kind)]))
    clutter(r, cam, objs, free, edge)
    img, ids = scenes.shot(r, grounds, objs, size, cam.pos, cam.rot, focal, cam.dist, edge, hard=r.random() < 0.3)
    dice = []
    for i, o in enumerate(objs):
        t = truth_of(o, i, cam, ids) if o["die"] else None
        if t:
            dice.append(dict(t, kind=o["die"]["kind"].get("name")))
    return (img * 255 + 0.5).astype(np.uint8), dice, dict(tilt=math.degrees(tilt), px=round(px, 1))


def copy(folder, index, seed, grounds, pictures):
    """A copy of six kinds, two of one shape among them, its owner's photographs, and tables."""
    r = np.random.default_rng([seed, index])
    kinds = []
    for i, shape in enumerate([*SHAPES, str(r.choice(["d8", "d10", "d12", "d20"]))]):
        k = look(r, shape)
        kinds.append(dict(k, name=f"{shape}-{'ab'[i == 5]}"))
    (folder / "enrol").mkdir(parents=True, exist_ok=True)
    (folder / "tables").mkdir(exist_ok=True)
    names = {k["name"]: sorted(k["names"], key=lambda s: (len(s), s)) for k in kinds}
    owner = dict(game="nearspace", teams=[], die_mm={k["name"]: round(k["size"], 1) for k in kinds}, faces=names, shapes={k["name"]: k["shape"] for k in kinds},
                 reads={k["name"]: "base" if k["base"] else "point" for k in kinds if k["shape"] == "d4"})
    (folder / "owner.json").write_text(json.dumps(owner, indent=1))
    for which, k in enumerate(kinds):
        tex = textures(k)
        for face in range(len(tex)):
            for n in range(2):
                path = folder / "enrol" / f"die_{k['name']}_{counts(k, face)}_{n + 1}.jpg"
                if path.exists():
                    continue
                q = np.random.default_rng([seed, index, 1, which, face, n])
                focal = 900.0
                cam = Camera(q, (640, 480), focal, focal * k["size"] / q.uniform(110, 170), abs(q.normal(0, 0.12)), q.normal(0, 0.1))
                img, _ = scenes.shot(q, grounds, [laid(k, face, q.uniform(0, 6.28), (q.normal(0, 2), q.normal(0, 2)), tex)], (640, 480), cam.pos, cam.rot, focal, cam.dist, 16.0)
                cv2.imwrite(str(path), (img * 255 + 0.5).astype(np.uint8)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 94])
    with (folder / "truth.jsonl").open("w") as f:
        for number in range(pictures):
            q = np.random.default_rng([seed, index, 2, number])
            img, dice, info = scene(q, grounds, (1280, 720), kinds, (28, 75), 50)
            cv2.imwrite(str(folder / "tables" / f"{number:03d}.jpg"), img[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(q.integers(75, 95))])
            f.write(json.dumps(dict(image=f"{number:03d}.jpg", dice=dice, **info)) + "\n")
            f.flush()


WIDTH, PRINT_PX = 96, 38  # pixels of a picture of a single die, and about those that a print is wide in it


class Few:
    """Grounds and lights made once, since single dice hardly show them."""

    def __init__(self, r, grounds, n=24):
        self.made, self.lit = [grounds.make(r) for _ in range(n)], [grounds.env(r) for _ in range(n)]

    def make(self, r, hard=False):
        return self.made[int(r.integers(len(self.made)))]

    def env(self, r):
        return self.lit[int(r.integers(len(self.lit)))]


def alike(kind):
    """(faces, turns) of each face in each turn: the number of the first of them that looks the same."""
    shape = kind["shape"]
    n = int(shape[1:])
    if shape == "d4":  # it is read on three sides: each tells which way it lies
        return np.arange(n)[:, None]
    k = 2 if shape == "d10" else CORNERS[shape]
    looks = []
    for f in range(n):
        m = cv2.GaussianBlur(printed(kind, f), (0, 0), 1.2)
        for t in range(k):
            a = cv2.getRotationMatrix2D((TEX / 2 - 0.5,) * 2, -360 * t / k, 1)
            q = cv2.warpAffine(m, a, (TEX, TEX)).ravel()
            q = q - q.mean()
            looks.append(q / max(np.linalg.norm(q), 1e-6))
    likeness = np.array(looks) @ np.array(looks).T
    return (likeness > 0.9).argmax(1).reshape(n, k)


def single(r, grounds, kind, face, tex):
    """(picture, corners of its top face, point or none) of one die that fills it, or none where a side hides it."""
    shape, size = kind["shape"], (WIDTH, WIDTH)
    n, faces, middles = solid(shape, kind["tall"])
    unit = kind["size"] / (4 if shape == "d4" else 2)
    wide = 2 * incircle(faces[0], middles[0]) * unit
    focal = WIDTH * math.exp(r.uniform(0.5, 2.2))
    tilt = math.radians(abs(r.normal(0, 8)) if r.random() < 0.4 else r.uniform(0, 50))
    cam = Camera(r, size, focal, focal * wide / (PRINT_PX * r.uniform(0.8, 1.1)), tilt, r.uniform(0, 6.28))
    high = (0.3 if shape == "d4" else 1.0) * kind["size"]
    cam.middle = cam.middle - (cam((0, 0, high)) - cam.middle)
    o = laid(kind, face, r.uniform(0, 6.28), r.normal(0, 1, 2), tex)
    objs = [o]
    for _ in range(int(r.choice([0, 0, 0, 1, 2]))):  # what lies beside it
        a = r.uniform(0, 6.28)
        objs.append(laid(kind, int(r.integers(len(n))), r.uniform(0, 6.28), np.array([math.cos(a), math.sin(a)]) * kind["size"] * r.uniform(1.25, 1.6), tex))
    img, ids = scenes.shot(r, grounds, objs, size, cam.pos, cam.rot, focal, cam.dist, 16.0, centre=cam.middle)
    t = truth_of(o, 0, cam, ids)
    if t is None or t["visible"] < 0.8 or (np.array(t["poly"]) < 0).any() or (np.array(t["poly"]) > WIDTH).any():
        return None
    corners = np.array(t["poly"])
    return (img * 255 + 0.5).astype(np.uint8), corners, corners.mean(0) + t["up"] if shape == "d4" else None


def sides(base, point):
    """Of a d4 that stands on this triangle (clockwise) and whose point is there: its sides that are seen, each its point first, clockwise."""
    base = np.asarray(base, float)
    area = lambda t: float((t[1, 0] - t[0, 0]) * (t[2, 1] - t[0, 1]) - (t[1, 1] - t[0, 1]) * (t[2, 0] - t[0, 0])) / 2
    out = [np.array([point, base[i], base[(i + 1) % 3]]) for i in range(3)]
    return [t for t in out if area(t) > 0.12 * area(base)]


def faces_of(r, few):
    """A random kind's faces, each seen three times: pictures, corners, and (shape, face, corners, what it looks like in each of five turns, what is printed there): -1 where it has no such turn."""
    kind = look(r)
    tex, same = textures(kind), alike(kind)
    turns = same.shape[1]
    symbol = np.array([[zlib.crc32(f"{kind['seed'] if kind['icons'] else ''} {counts(kind, i // turns)} {i % turns}".encode()) % (1 << 30) for i in row] for row in same])
    filled = lambda row: [*row, *[-1] * (5 - turns)]
    shown = r.permutation(len(tex))[:12]
    pictures, corners, about = [], [], []
    for face in shown:
        for _ in range(3):
            got = single(r, few, kind, int(face), tex)
            if got is None:
                continue
            img, poly, point = got
            for c in [poly] if point is None else sides(poly, point)[: int(r.integers(1, 3))]:
                pictures.append(img)
                corners.append(np.concatenate([c, np.full((5 - len(c), 2), np.nan)]))
                about.append([SHAPES.index(kind["shape"]), int(face), len(c), *filled(same[face]), *filled(symbol[face])])
    return np.array(pictures, np.uint8).reshape(-1, WIDTH, WIDTH, 3), np.array(corners, np.float32).reshape(-1, 5, 2), np.array(about, np.int32).reshape(-1, 13)


def work(args):
    job, jobs, a = args
    cv2.setNumThreads(1)
    grounds = scenes.Grounds(a.photos)
    if a.faces:
        few = Few(np.random.default_rng([a.seed, job, 7]), grounds)
        for i in range(a.first + job, a.first + a.count, jobs):
            path = os.path.join(a.faces, f"faces-{i:05d}.npz")
            if not os.path.exists(path):
                pictures, corners, about = faces_of(np.random.default_rng([a.seed, i]), few)
                np.savez(path + ".part.npz", pictures=pictures, corners=corners, about=about)
                os.replace(path + ".part.npz", path)
            if job == 0 and (i // jobs) % 20 == 0:
                print(f"{i} of {a.first + a.count}", flush=True)
        return
    if a.sets:
        for i in range(job, a.count, jobs):
            copy(pathlib.Path(a.sets) / f"set-{i:02d}", i, a.seed, grounds, a.pictures)
            print(f"set {i} is made", flush=True)
        return
    path = os.path.join(a.out, f"truth-{job}.jsonl")
    done = {json.loads(l)["image"] for l in open(path) if l.endswith("\n")} if os.path.exists(path) else set()
    with open(path, "a") as f:
        for i in range(a.first + job, a.first + a.count, jobs):
            name = f"{i:05d}.jpg"
            if name in done:
                continue
            img, dice, info = scene(np.random.default_rng([a.seed, i]), grounds)
            cv2.imwrite(os.path.join(a.out, name), img[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 96])
            f.write(json.dumps(dict(image=name, dice=dice, **info)) + "\n")
            f.flush()
            if job == 0 and (i // jobs) % 50 == 0:
                print(f"{i} of {a.first + a.count}", flush=True)


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--out")
    a.add_argument("--sets", help="makes copies with their owners' photographs here, instead")
    a.add_argument("--faces", help="makes pictures of single dice here, instead")
    a.add_argument("--pictures", type=int, default=20, help="tables of each copy")
    a.add_argument("--count", type=int, default=3000)
    a.add_argument("--first", type=int, default=0)
    a.add_argument("--seed", type=int, default=41)
    a.add_argument("--photos", default="../../../shared/photos")
    a.add_argument("--jobs", type=int, default=2)
    a = a.parse_args()
    if not (a.out or a.sets or a.faces):
        raise SystemExit("--out, --sets or --faces is wanted")
    os.makedirs(a.out or a.sets or a.faces, exist_ok=True)
    if a.faces:
        source = hashlib.sha256(b"".join((pathlib.Path(__file__).parent / f).read_bytes() for f in ("solids.py", "scenes.py", "render.py", "art.py"))).hexdigest()
        (pathlib.Path(a.faces) / "made.json").write_text(json.dumps(dict(seed=a.seed, first=a.first, count=a.count, source=source)))
    with mp.get_context("spawn").Pool(a.jobs) as pool:
        pool.map(work, [(j, a.jobs, a) for j in range(a.jobs)])
