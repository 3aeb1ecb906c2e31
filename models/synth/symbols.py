"""Single top faces of cubes as a camera sees them, by the thousand a second, for metric learning.

    python symbols.py --faces DIR --count 5000 --seed 81      by kinds of dice, for ../train/face_reader.py: faces-*.npz
    import symbols
    crop = symbols.face(symbol_seed, kind_seed, view_seed)          # uint8 RGB (64, 64, 3)
    crop, seen = symbols.face(s, k, v, info=True)                   # and what was done to it
    batch = symbols.faces([s...], [k...], [v...])                   # uint8 (n, 64, 64, 3)

* symbol_seed: what is printed. 0 to 5 are one to six pips (their habits follow the kind); from art.FIRST = 8 on
  four in a row are a family of prints that are alike (marks counted, numerals, mirrored, a part more); below 0 numerals (art.py).
  `turns(symbol_seed)`: the quarter turns (0 to 3) after which it looks the same; [0] for most.
* kind_seed: the die: plastic (plain, dark, marbled, translucent, speckled), ink(s), printed, engraved, foil or
  sticker, round or sharp edges, gloss, wear. The same print on two kinds: the same symbol_seed.
* view_seed: light, shadow, glare, line of sight (0 to 60 degrees), pixels a face (19 to 60; more than a crop shows would be for nothing), blur, noise, JPEG,
  wrongly found corners, what stands behind and beside. Same three seeds, same crop.

The crop is upright as the symbol is, with a margin of 20 % of the face's side all round (`margin`), cut with the same
mapping as train/reader.py `rectify`. To turn the crop in training take np.rot90 of it: what is seen at the sides
does not depend on it. `python symbols.py --out sheet.png` draws a sheet and says how fast it is.
Symbols are drawn once (some 10 ms) and kept in memory (KEEP of them, 18 kB each).
"""
import argparse
import functools
import hashlib
import json
import math
import multiprocessing as mp
import os
import time

import cv2
import numba as nb
import numpy as np

import art
import dice

cv2.setNumThreads(1)
TEX, KEEP = 96, 20000
FAMILY = 40_000  # symbols of `--faces` from here on: far below those of copies.py


@functools.lru_cache(KEEP)
def print_of(symbol_seed, kind_seed):
    """The print and the same at half size; pips have the kind's habits, all else is the same on every kind."""
    looks = np.random.default_rng([82, kind_seed]) if symbol_seed < 6 else None
    t = art.symbol(symbol_seed, TEX, looks)
    return t, cv2.resize(t, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def texture(symbol_seed, kind_seed):
    return print_of(int(symbol_seed), int(kind_seed) if symbol_seed < 6 else 0)


@functools.lru_cache(KEEP)
def turns(symbol_seed):
    return art.same_turns(texture(symbol_seed, 0)[0])


@functools.lru_cache(KEEP)
def kind_of(kind_seed):
    k = dice.kind(kind_seed)
    return k, dice.vector(k), dice.noises()[k["noise"]]


@functools.lru_cache(1)
def grain():
    return np.random.default_rng(3).standard_normal(1 << 20).astype(np.float32)


@nb.njit(fastmath=True, cache=True)
def _draw(w, h, ss, x0, y0, cam, rot, focal, top, side_a, side_b, kv, nz, nu, nv, key, key_col, amb_up, amb_down, glare, glare_col, shadow, ground, ground2, ground_scale, beside, beside_col, quad, img):
    """One die (half edge 1, centre at 0, top at z = 1) into img (h, w, 3), linear. Pixel (0, 0) is x0, y0 off the principal point."""
    n = np.empty(3)
    uv = np.empty(2)
    lk = np.empty(7)
    lk[:] = 0
    r = kv[22]
    for y in range(h):
        # only what is cut out, and two pixels more: where this row crosses the four sides
        left, right = 1e9, -1e9
        for i in range(4):
            ax, ay, bx, by = quad[i, 0], quad[i, 1], quad[(i + 1) % 4, 0], quad[(i + 1) % 4, 1]
            lo, hi = max(min(ay, by), y - 3.0), min(max(ay, by), y + 3.0)
            if lo > hi:
                continue
            for e in (lo, hi):
                q = ax + (bx - ax) * (e - ay) / (by - ay) if abs(by - ay) > 1e-6 else ax
                left, right = min(left, q), max(right, q)
            if abs(by - ay) <= 1e-6:
                left, right = min(left, bx), max(right, bx)
        first, last = max(int(left) - 2, 0), min(int(right) + 3, w)
        if first >= last:
            first, last = 0, 1
        for x in range(first, last):
            s0, s1, s2 = 0.0, 0.0, 0.0
            for sub in range(ss * ss):
                ux = (x + x0 + (sub % ss + 0.5) / ss - 0.5) / focal
                uy = (y + y0 + (sub // ss + 0.5) / ss - 0.5) / focal
                m = 1 / math.sqrt(ux * ux + uy * uy + 1)
                dx = (rot[0, 0] * ux + rot[1, 0] * uy + rot[2, 0]) * m
                dy = (rot[0, 1] * ux + rot[1, 1] * uy + rot[2, 1]) * m
                dz = (rot[0, 2] * ux + rot[1, 2] * uy + rot[2, 2]) * m
                t = dice.hit_box(cam[0], cam[1], cam[2], dx, dy, dz, 1.0, 1.0, 1.0, r)
                gloss, metal, shade, trans = 0.0, 0.0, 1.0, 0.0
                if t > 0:
                    px, py, pz = cam[0] + t * dx, cam[1] + t * dy, cam[2] + t * dz
                    f = dice.box_normal(px, py, pz, 1.0, 1.0, 1.0, r, n)
                    dice.face_uv(f, px, py, pz, uv)
                    tx = top if f == 4 else (side_a if f < 2 else side_b)
                    dice.face_look(tx, uv[0], uv[1], kv, nz, nu + 0.37 * f, nv, lk)
                    dice.bend(f, lk[3], lk[4], kv[23] * (uv[0] - 0.5) * 2, kv[23] * (uv[1] - 0.5) * 2, n)
                    a0, a1, a2 = lk[0], lk[1], lk[2]
                    gloss = kv[24] * lk[6]
                    metal = lk[5]
                    trans = kv[26]
                    shade = 0.65 + 0.35 * min(pz * 0.5 + 0.5, 1.0)
                    # a hard or soft shadow that falls across
                    q = (px * shadow[0] + py * shadow[1] - shadow[2]) / shadow[3]
                    lit = 1 - shadow[4] * min(max(q + 0.5, 0.0), 1.0)
                    if trans > 0:  # light gathers on the side away from the lamp
                        k = 1 + 0.7 * trans * (-(px * key[0] + py * key[1]) * 0.5 + 0.3 * (1 - pz))
                        a0 *= k
                        a1 *= k
                        a2 *= k
                else:
                    tb = -1.0
                    if beside[3] > 0:
                        tb = dice.hit_box(cam[0] - beside[0], cam[1] - beside[1], cam[2] - beside[2], dx, dy, dz, beside[3], beside[3], beside[3], beside[3] * 0.15)
                    tg = -(cam[2] + 1) / dz
                    if tb > 0 and tb < tg:
                        px, py, pz = cam[0] + tb * dx - beside[0], cam[1] + tb * dy - beside[1], cam[2] + tb * dz - beside[2]
                        dice.box_normal(px, py, pz, beside[3], beside[3], beside[3], beside[3] * 0.15, n)
                        a0, a1, a2 = beside_col[0], beside_col[1], beside_col[2]
                        lit = 1.0
                        gloss = 0.3
                    else:
                        px, py = cam[0] + tg * dx, cam[1] + tg * dy
                        n[0], n[1], n[2] = 0.0, 0.0, 1.0
                        k = min(max(0.5 + 0.7 * dice._wrapped(nz, px * ground_scale + nv, py * ground_scale + nu), 0.0), 1.0)
                        a0 = ground[0] * (1 - k) + ground2[0] * k
                        a1 = ground[1] * (1 - k) + ground2[1] * k
                        a2 = ground[2] * (1 - k) + ground2[2] * k
                        # the die's own shadow: is the lamp hidden from here?
                        lit = 1.0
                        if key[2] > 0.05:
                            mx = max(abs(px + key[0] / key[2]), abs(py + key[1] / key[2]))
                            lit = min(max((mx - 0.8) * 2, 0.15), 1.0)
                            q = max(abs(px), abs(py))
                            shade = min(max(0.35 + (q - 0.9) * 1.2, 0.35), 1.0)
                up = 0.5 + 0.5 * n[2]
                nl = n[0] * key[0] + n[1] * key[1] + n[2] * key[2]
                nl = max((nl + 0.4 * trans) / (1 + 0.4 * trans), 0.0) * lit
                dn = dx * n[0] + dy * n[1] + dz * n[2]
                rx, ry, rz = dx - 2 * dn * n[0], dy - 2 * dn * n[1], dz - 2 * dn * n[2]
                e0 = amb_down[0] * (1 - up) + amb_up[0] * up
                e1 = amb_down[1] * (1 - up) + amb_up[1] * up
                e2 = amb_down[2] * (1 - up) + amb_up[2] * up
                dif = 1 - 0.75 * metal
                c0 = a0 * (e0 * shade + key_col[0] * nl) * dif
                c1 = a1 * (e1 * shade + key_col[1] * nl) * dif
                c2 = a2 * (e2 * shade + key_col[2] * nl) * dif
                if gloss > 0 or metal > 0:
                    fres = 1 - min(abs(dn), 1.0)
                    fres = 0.04 + 0.96 * fres * fres * fres * fres * fres
                    cosr = rx * key[0] + ry * key[1] + rz * key[2]
                    sp = (cosr ** kv[25] * (kv[25] + 2) * 0.16 * lit) if cosr > 0.5 else 0.0
                    # a window or a lamp's shade, mirrored
                    gx = (rx - glare[0]) * glare[3] + (ry - glare[1]) * glare[4]
                    gy = -(rx - glare[0]) * glare[4] + (ry - glare[1]) * glare[3]
                    ex = abs(gx) / glare[5]
                    ey = abs(gy) / glare[6]
                    ed = max(ex, ey) if glare[7] > 0 else math.sqrt(ex * ex + ey * ey)
                    gl = 0.0
                    if rz > 0 and ed < 3:
                        gl = 1 / (1 + ed ** (4 + glare[8]))
                    ru = 0.5 + 0.5 * rz
                    for i in range(3):
                        env = amb_down[i] * (1 - ru) + amb_up[i] * ru
                        sh = key_col[i] * sp + glare_col[i] * gl + env
                        q = gloss * fres * (0.6 * sh + 0.4 * key_col[i] * sp * 6)
                        if metal > 0:
                            q += metal * lk[i] * (key_col[i] * sp * 1.2 + glare_col[i] * gl * 0.35 + env * 1.5 * (0.35 + 0.65 * rz))
                        if i == 0:
                            c0 += q
                        elif i == 1:
                            c1 += q
                        else:
                            c2 += q
                s0 += c0
                s1 += c1
                s2 += c2
            q = 1.0 / (ss * ss)
            img[y, x, 0] = s0 * q
            img[y, x, 1] = s1 * q
            img[y, x, 2] = s2 * q
        for i in range(3):
            for x in range(first):
                img[y, x, i] = img[y, first, i]
            for x in range(last, w):
                img[y, x, i] = img[y, last - 1, i]


@nb.njit(fastmath=True, cache=True)
def _develop(img, gain, bend, lift, sat, shot, read, grain, at, out):
    """Linear light to bytes: white balance, saturation, noise, a curve with a shoulder."""
    h, w, _ = img.shape
    n = grain.shape[0]
    curve = np.empty(1024, np.uint8)
    for i in range(1024):  # by the root, so that the dark has as many steps as the light
        v = (i / 1023.0) ** 2 * 2
        if v > 0.75:
            v = 0.75 + 0.25 * (1 - math.exp(-(v - 0.75) * 4))
        curve[i] = min(max((lift + (1 - lift) * v**bend) * 255 + 0.5, 0.0), 255.0)
    for y in range(h):
        for x in range(w):
            g0, g1, g2 = img[y, x, 0] * gain[0], img[y, x, 1] * gain[1], img[y, x, 2] * gain[2]
            m = 0.3 * g0 + 0.59 * g1 + 0.11 * g2
            for i in range(3):
                v = g0 if i == 0 else (g1 if i == 1 else g2)
                v = max(m + (v - m) * sat, 0.0)
                v += grain[at] * math.sqrt(shot * v + read)
                at = at + 1 if at + 1 < n else 0
                out[y, x, i] = curve[int(min(math.sqrt(max(v, 0.0) * 0.5), 1.0) * 1023)]


def face(symbol_seed, kind_seed, view_seed, size=64, margin=0.2, info=False, least=19.0, most=60.0, steep=60.0, careful=False, habits=None):
    """The crop; with `info` also {"tilt", "px" (side of the face in the picture), "lit", "quad" (found corners, px)}. `careful`: neither blurred nor noisy, as who
    photographs a die on purpose takes it again. `habits`: the kind whose pips it has, if not its own."""
    k, kv, nz = kind_of(kind_seed)
    r = np.random.default_rng((symbol_seed % (1 << 62), kind_seed, view_seed, 17))
    u = r.random(90).tolist()
    g = r.standard_normal(40).tolist()
    px = least * (most / least) ** u[0]
    tilt = math.radians(steep * u[1] ** 1.3)
    az, roll = u[2] * 2 * math.pi, u[3] * 2 * math.pi
    dist = 50 + 70 * u[4]
    # camera: looks at the die's middle from `dist` half edges
    fwd = np.array([math.sin(tilt) * math.cos(az), math.sin(tilt) * math.sin(az), -math.cos(tilt)])
    right = np.array([-math.sin(az), math.cos(az), 0.0])
    right = right * math.cos(roll) + np.cross(fwd, right) * math.sin(roll)
    rot = np.stack([right, np.cross(fwd, right), fwd])
    cam = -fwd * dist
    focal = px / 2 * (dist - 1)
    quad = np.array([[-1, 1, 1], [1, 1, 1], [1, -1, 1], [-1, -1, 1.0]]) - cam
    quad = quad @ rot.T
    quad = quad[:, :2] / quad[:, 2:] * focal
    # what is cut out, with wrongly found corners: shift, scale, turn and a bit of everything
    e = px * (0.004 + 0.03 * u[5] ** 2)
    found = quad + np.array(g[:8]).reshape(4, 2) * e + np.array(g[8:10]) * (px * 0.03 * u[6])
    c = found.mean(0)
    a = g[10] * 0.045
    found = (found - c) @ np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]]) * (1 + 0.035 * g[11]) + c
    lo, hi = size * margin / (1 + 2 * margin), size * (1 + margin) / (1 + 2 * margin)
    dst = np.float32([[lo, lo], [hi, lo], [hi, hi], [lo, hi]]) - np.float32(0.5)
    M = cv2.getPerspectiveTransform(dst, found.astype(np.float32))
    box = cv2.perspectiveTransform(np.float32([[[-1, -1], [size, -1], [size, size], [-1, size]]]), M)[0]
    x0, y0 = math.floor(box[:, 0].min()) - 2, math.floor(box[:, 1].min()) - 2
    w, h = int(math.ceil(box[:, 0].max())) + 3 - x0, int(math.ceil(box[:, 1].max())) + 3 - y0
    # light in the die's frame
    la, le = u[7] * 2 * math.pi, math.radians(20 + 68 * u[8])
    key = np.array([math.cos(la) * math.cos(le), math.sin(la) * math.cos(le), math.sin(le)])
    warm = np.array([1 + 0.25 * (u[9] - 0.3), 1.0, 1 - 0.35 * (u[9] - 0.3)])
    share = 0.25 + 0.65 * u[10]
    key_col = warm * share / max(key[2], 0.4)
    cold = np.array([1 - 0.1 * (u[11] - 0.5), 1.0, 1 + 0.25 * (u[11] - 0.4)])
    amb_up, amb_down = cold * (1 - share), cold * (1 - share) * (0.2 + 0.6 * u[12])
    mirror = fwd * np.array([1, 1, -1])
    near = 0.03 + 0.1 * u[13] if u[14] < 0.2 else 0.25 + 0.5 * u[13]  # one in five: it lies on the face
    ga = u[15] * 6.283
    turn = u[16] * 6.283
    glare = np.array([mirror[0] + near * math.cos(ga), mirror[1] + near * math.sin(ga), 0, math.cos(turn), math.sin(turn), 0.03 + 0.15 * u[17], 0.03 + 0.2 * u[18], 1.0 if u[19] < 0.5 else 0.0, 14 * u[20]])
    glare_col = warm * (1.0 + 9 * u[21] ** 2)
    sa = u[22] * 6.283
    shadow = np.array([math.cos(sa), math.sin(sa), 2.4 * u[23] - 1.2, 0.05 + 1.2 * u[24], (0.3 + 0.6 * u[25]) if u[26] < 0.25 else 0.0])
    other = kind_of(int(u[27] * 997))[1]
    ground, ground2 = other[0:3].astype(np.float64), other[6:9].astype(np.float64)
    if u[28] < 0.6:
        ground2 = ground * (0.7 + 0.5 * u[29])
    beside = np.zeros(4)
    if u[30] < 0.3:  # a die that touches or nearly
        far = 2.0 + 0.6 * u[31] ** 2
        ba = math.floor(u[32] * 4) * math.pi / 2
        beside[:] = far * math.cos(ba) + 0.5 * g[12] * math.sin(ba), far * math.sin(ba) + 0.5 * g[12] * math.cos(ba), 0, 1.0
    beside_col = kind_of(int(u[33] * 997) if u[34] < 0.6 else kind_seed)[1][0:3].astype(np.float64)
    ss = 2 if px < 27 else 1
    habits = kind_seed if habits is None else habits
    t = texture(symbol_seed, habits)[1 if px < 36 else 0]
    if symbol_seed < 0:
        which, n = divmod(-symbol_seed - 1, 8)
        sides = [texture(-(8 * which + (n + 1 + i) % 6 + 1), habits)[1] for i in (0, 2)]
    elif symbol_seed < 6:
        sides = [texture((symbol_seed + 1 + i) % 6, habits)[1] for i in (0, 2)]
    else:
        family = symbol_seed // 4 * 4
        sides = [texture(max(family + int(4 * u[35 + i]), 8), habits)[1] for i in (0, 1)]
    v = kv
    if u[37] < 0.3:  # this one is more worn, or duller, than its kind
        v = kv.copy()
        v[27] = max(v[27], 0.7 * u[38])
        v[24] *= u[39]
    img = np.empty((h, w, 3), np.float32)
    _draw(w, h, ss, float(x0), float(y0), cam, rot, focal, t, sides[0], sides[1], v, nz, u[40], u[41], key, key_col, amb_up, amb_down, glare, glare_col, shadow, ground, ground2, 0.05 + 0.3 * u[42], beside, beside_col, (box - [x0, y0]).astype(np.float64), img)
    blur = 0.35 + 0.35 * u[43] + (px * 0.045 * u[44] if u[45] < 0.25 and not careful else 0)
    img = cv2.GaussianBlur(img, (0, 0), blur)
    if u[46] < 0.12 and not careful:  # the die or the camera moved
        n = 3 + 2 * int(u[47] * px / 12)
        ker = np.zeros((n, n), np.float32)
        a = u[48] * math.pi
        d = np.array([math.cos(a), math.sin(a)]) * (n // 2)
        cv2.line(ker, tuple(int(q) for q in np.round(n // 2 - d)), tuple(int(q) for q in np.round(n // 2 + d)), 1, 1)
        img = cv2.filter2D(img, -1, ker / ker.sum())
    ev = math.exp(0.45 * g[13]) * 0.95
    gain = np.array([ev * (1 + 0.1 * g[14]), ev * (1 + 0.03 * g[15]), ev * (1 + 0.1 * g[16])])
    noisy = u[49] ** 2 * (0.2 if careful else 1)
    out = np.empty((h, w, 3), np.uint8)
    _develop(img, gain, 1 / (1.7 + 0.9 * u[50]), 0.06 * u[51] ** 2, 0.55 + 0.75 * u[52], 0.0035 * noisy, 0.0006 * noisy * u[53], grain(), int(u[54] * (1 << 20)), out)
    if u[55] < 0.3:
        out = cv2.addWeighted(out, 1.6, cv2.GaussianBlur(out, (0, 0), 1.0), -0.6, 0)
    if u[56] < 0.6:
        out = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(35 + 60 * u[57])])[1], cv2.IMREAD_COLOR)
    M = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ M
    if px * math.cos(tilt) > 1.6 * size / (1 + 2 * margin):
        out = cv2.GaussianBlur(out, (0, 0), 0.6)
    crop = cv2.warpPerspective(out, M, (size, size), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
    if info:
        return crop, dict(tilt=math.degrees(tilt), px=px, lit=share, quad=found - [x0, y0])
    return crop


def faces(symbol_seeds, kind_seeds, view_seeds, **more):
    return np.stack([face(int(s), int(k), int(v), **more) for s, k, v in zip(symbol_seeds, kind_seeds, view_seeds)])


def faces_of(r, number, size=96, margin=0.5, each=4):
    """Eight faces of a random kind, most of them alike in twos to fours, each seen a few times: pictures with a wide rim, where their corners should be,
    and rows as solids.faces_of has them (a square is shape 5, what is printed there in one turn a number of its own)."""
    kind = int(r.integers(1 << 40))
    shown, family = [], FAMILY + 32 * number
    if r.random() < 0.12:
        shown = list(range(6))
    while len(shown) < 8:
        some = [family + int(i) for i in r.permutation(4)[: int(r.choice([1, 2, 3, 4], p=[0.3, 0.2, 0.2, 0.3]))]]
        shown += some[: 8 - len(shown)]
        family += 4
    lo, hi = size * margin / (1 + 2 * margin) - 0.5, size * (1 + margin) / (1 + 2 * margin) - 0.5
    square = np.array([[lo, lo], [hi, lo], [hi, hi], [lo, hi], [np.nan, np.nan]])
    pictures, about = [], []
    for n, symbol in enumerate(shown):
        same = turns(symbol) if symbol >= 6 else art.same_turns(texture(symbol, kind)[0])
        least = [min((t + k) % 4 for k in same) for t in range(4)]
        for _ in range(each):
            pictures.append(face(symbol, kind, int(r.integers(1 << 40)), size=size, margin=margin, least=17.0))
            about.append([5, n, 4, *[8 * n + t for t in least], -1, *[(4 * symbol + t) % (1 << 30) for t in least], -1])
    return np.array(pictures, np.uint8), np.repeat(square[None], len(pictures), 0).astype(np.float32), np.array(about, np.int32)


def work(args):
    job, jobs, a = args
    for i in range(a.first + job, a.first + a.count, jobs):
        path = os.path.join(a.faces, f"faces-{i:05d}.npz")
        if not os.path.exists(path):
            pictures, corners, about = faces_of(np.random.default_rng([a.seed, i]), a.seed % 1000 * 5000 + i)
            print_of.cache_clear(), turns.cache_clear(), kind_of.cache_clear()
            np.savez(path + ".part.npz", pictures=pictures, corners=corners, about=about)
            os.replace(path + ".part.npz", path)
        if job == 0 and (i // jobs) % 20 == 0:
            print(f"{i} of {a.first + a.count}", flush=True)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--out", default="symbols.png")
    a.add_argument("--seed", type=int, default=0)
    a.add_argument("--faces", help="makes pictures of single dice by kinds here, instead")
    a.add_argument("--count", type=int, default=5000)
    a.add_argument("--first", type=int, default=0)
    a.add_argument("--jobs", type=int, default=2)
    a = a.parse_args()
    if a.faces:
        os.makedirs(a.faces, exist_ok=True)
        here = os.path.dirname(os.path.abspath(__file__))
        source = hashlib.sha256(b"".join(open(os.path.join(here, f), "rb").read() for f in ("symbols.py", "dice.py", "art.py"))).hexdigest()
        with open(os.path.join(a.faces, "made.json"), "w") as f:
            json.dump(dict(seed=a.seed, first=a.first, count=a.count, source=source), f)
        with mp.get_context("spawn").Pool(a.jobs) as pool:
            pool.map(work, [(j, a.jobs, a) for j in range(a.jobs)])
        return
    r = np.random.default_rng(a.seed)
    rows = []
    for _ in range(14):
        s, k = int(r.integers(0, 6) if r.random() < 0.15 else r.integers(8, 12000)), int(r.integers(0, 5000))
        rows.append(np.hstack([face(s, k, v) for v in range(7)] + [np.zeros((64, 6, 3), np.uint8)] + [face(int(r.integers(8, 12000)), int(r.integers(0, 5000)), v) for v in range(13)]))
    cv2.imwrite(a.out, cv2.resize(np.vstack(rows), None, fx=1.2, fy=1.2)[..., ::-1])
    picks = [(int(r.integers(8, 400)), int(r.integers(0, 200)), i) for i in range(3000)]
    for s, k, v in picks:
        texture(s, k)
        kind_of(k)
    t, cpu = time.time(), time.process_time()
    for p in picks:
        face(*p)
    print(f"{len(picks) / (time.process_time() - cpu):.0f} crops a second of processor time ({len(picks) / (time.time() - t):.0f} by the clock)")


if __name__ == "__main__":
    main()
