"""Random tables: dice of any colour and print, clutter, boards, light. Exact truth beside them.

    python scenes.py --out DIR --count 5000 --seed 1 --photos ../../../shared/photos --jobs 2

Writes DIR/NNNNN.jpg and DIR/truth-JOB.jsonl; what is there already is not made again. Grounds
borrow the corners (where no die lies) of photographs of the sets `kinds` and `d20`; light borrows
`light`. Nothing of the sets that the figures are measured on is used here.
"""
import argparse
import json
import math
import multiprocessing as mp
import os
import string

import cv2
import numpy as np

from render import TEX, render

PIPS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, -1), (-1, 1), (1, 1)], 5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)]}
# +x -x +y -y +z -z when 1..6 stand so that opposite faces add up to seven
OPPOSITE = {1: 6, 6: 1, 2: 5, 5: 2, 3: 4, 4: 3}


def lin(c):
    c = np.asarray(c, np.float32)  # a gamma of two is near enough and ten times faster than 2.2
    return c * c


def hsv(h, s, v):
    c = cv2.cvtColor(np.float32([[[h * 360, s, v]]]), cv2.COLOR_HSV2RGB)[0, 0]
    return np.clip(c, 0, 1)


def body_colour(r):
    k = r.random()
    if k < 0.25:
        w = r.uniform(0.75, 1.0)
        return np.clip(np.array([w, w * r.uniform(0.93, 1), w * r.uniform(0.78, 1)]), 0, 1)
    if k < 0.37:
        return np.full(3, r.uniform(0.02, 0.15)) + r.uniform(0, 0.04, 3)
    if k < 0.55:
        return hsv(r.choice([0.98, 0.0, 0.01, 0.02, 0.04, 0.95]), r.uniform(0.6, 1), r.uniform(0.3, 0.95))
    return hsv(r.random(), r.uniform(0.35, 1), r.uniform(0.15, 1))


def lab(c):
    return cv2.cvtColor(np.float32([[c]]), cv2.COLOR_RGB2LAB)[0, 0]


def print_colour(r, body, second=None):
    """Ink that a person tells from the body: by lightness, or, on one die in three, by its hue alone."""
    lum = body @ [0.3, 0.59, 0.11]
    hue_will_do = r.random() < 0.35
    for _ in range(30):
        k = r.random()
        if k < 0.45:
            c = np.full(3, r.uniform(0.85, 1.0)) if lum < 0.5 else np.full(3, r.uniform(0.0, 0.15))
        elif k < 0.55:
            c = np.array([r.uniform(0.7, 0.95), r.uniform(0.55, 0.75), r.uniform(0.1, 0.4)])
        elif k < 0.65:
            c = np.array([r.uniform(0.6, 0.95), 0.05, 0.08])
        else:
            c = hsv(r.random(), r.uniform(0, 1), r.uniform(0, 1))
        if hue_will_do:
            far = np.linalg.norm(lab(c) - lab(body))
            if far > 28 and (second is None or np.linalg.norm(lab(c) - lab(second)) > 22):
                return c
        elif abs(c @ [0.3, 0.59, 0.11] - lum) + 0.4 * np.abs(c - body).mean() > r.uniform(0.22, 0.4):
            return c
    return np.full(3, 1.0 if lum < 0.5 else 0.0)


def noise(r, n, octaves=4, base=4):
    out = np.zeros((n, n), np.float32)
    a = 1.0
    for o in range(octaves):
        k = min(base * 2**o, n)
        out += a * cv2.resize(r.standard_normal((k, k)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)
        a *= 0.55
    return out / 1.6


FONTS = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
         cv2.FONT_HERSHEY_SCRIPT_COMPLEX]


def text_mask(r, s, n, big=0.62):
    m = np.zeros((n * 2, n * 2), np.uint8)
    font = int(r.choice(FONTS))
    th = int(r.integers(5, 14))
    (w, h), _ = cv2.getTextSize(s, font, 3, th)
    k = 3 * min(2 * n * big / max(w, 1), 2 * n * big / max(h, 1))
    (w, h), _ = cv2.getTextSize(s, font, k, th)
    cv2.putText(m, s, (n - w // 2, n + h // 2), font, k, 255, th, cv2.LINE_AA)
    return cv2.resize(m, (n, n), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def write(t, text, at, font, size, colour, weight):
    """On a picture of floats, which OpenCV's newer writing does not take."""
    m = np.zeros(t.shape[:2], np.uint8)
    cv2.putText(m, text, tuple(int(v) for v in at), font, size, 255, weight, cv2.LINE_AA)
    m = (m.astype(np.float32) / 255)[..., None]
    t[:] = t * (1 - m) + np.float32(colour) * m


def icon_mask(r, n):
    """A random symbol from strokes, polygons and dots: any print there might be."""
    m = np.zeros((n * 2, n * 2), np.uint8)
    if r.random() < 0.2:  # dots, but not as a pip die has them
        k, rad, big = int(r.integers(1, 10)), int(r.uniform(0.05, 0.13) * 2 * n), r.uniform(0.2, 0.36) * 2 * n
        how = r.random()
        for i in range(k):
            a = 2 * np.pi * i / k + 0.3
            if how < 0.35 and k > 2:
                q = n + big * np.array([np.cos(a), np.sin(a)])
            elif how < 0.6:
                q = np.array([n + (i - (k - 1) / 2) * 2.6 * rad, n + r.uniform(-1, 1)])
            else:
                q = r.uniform(0.18, 0.82, 2) * 2 * n
            cv2.circle(m, tuple(np.int32(q)), rad, 255, -1, cv2.LINE_AA)
        if r.random() < 0.5:
            return cv2.resize(m, (n, n), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    for _ in range(int(r.integers(1, 5))):
        k = r.random()
        c = r.uniform(0.25, 0.75, 2) * 2 * n
        if k < 0.35:
            a = np.sort(r.uniform(0, 2 * np.pi, int(r.integers(3, 8))))
            rad = r.uniform(0.1, 0.35, len(a)) * 2 * n
            cv2.fillPoly(m, [np.int32(c + np.stack([np.cos(a), np.sin(a)], 1) * rad[:, None])], 255, cv2.LINE_AA)
        elif k < 0.6:
            q = r.uniform(0.15, 0.85, (int(r.integers(2, 5)), 2)) * 2 * n
            cv2.polylines(m, [np.int32(q)], bool(r.random() < 0.3), 255, int(r.integers(6, 20)), cv2.LINE_AA)
        elif k < 0.8:
            cv2.circle(m, tuple(np.int32(c)), int(r.uniform(0.08, 0.3) * 2 * n), 255, int(r.choice([-1, 8, 14])), cv2.LINE_AA)
        else:
            p, q = r.uniform(0.15, 0.85, (2, 2)) * 2 * n
            cv2.arrowedLine(m, tuple(np.int32(p)), tuple(np.int32(q)), 255, int(r.integers(8, 20)), cv2.LINE_AA, 0, 0.4)
    return cv2.resize(m, (n, n), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def pip_mask(value, style, n, turn):
    m = np.zeros((n * 4, n * 4), np.uint8)
    rad = style["radius"] * (style["ace"] if value == 1 else 1.0)
    for x, y in PIPS[value]:
        if turn:
            x, y = -y, x
        sx = style["spread"] * (style["six"] if value == 6 and ((x == 0) != turn or True) and not turn else 1.0)
        c = (np.array([x * sx, y * style["spread"]]) * 0.5 + 0.5) * n * 4
        cv2.circle(m, tuple(np.int32(c)), int(rad * n * 4), 255, -1, cv2.LINE_AA)
        if style["ring"]:
            cv2.circle(m, tuple(np.int32(c)), int(rad * n * 2.2), 90, -1, cv2.LINE_AA)
    return cv2.resize(m, (n, n), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def die_textures(r, kind, top, dark=False):
    """Six faces (TEX, TEX, 4): linear RGB and depth of the print. Face 4 (+z) carries `top`."""
    n = TEX
    body = body_colour(r)
    marbled = r.random() < 0.42
    second = body_colour(r) if r.random() < 0.6 else np.clip(body * r.uniform(0.3, 1.7), 0, 1)
    ink = print_colour(r, body, second if marbled else None)
    if dark:  # two dark plastics in one mould, with ink that is hardly lighter
        marbled = True
        body = np.full(3, r.uniform(0.03, 0.16)) if r.random() < 0.5 else hsv(r.random(), r.uniform(0.4, 1), r.uniform(0.1, 0.4))
        second = hsv(r.random(), r.uniform(0.4, 1), r.uniform(0.15, 0.75)) if r.random() < 0.7 else np.full(3, r.uniform(0.05, 0.3))
        ink = hsv(r.choice([0, 0.98, 0.02, 0.08, 0.12, r.random()]), r.uniform(0.6, 1), r.uniform(0.45, 0.95))
    style = dict(radius=r.uniform(0.075, 0.125), spread=r.uniform(0.42, 0.62), ace=r.choice([1, 1, 1, 1.3, 1.7]),
                 six=r.uniform(0.85, 1.05), ring=r.random() < 0.04)
    marble = None
    if marbled:
        field = noise(r, n * 3, 4, int(r.integers(2, 7)))
        if r.random() < 0.6:  # swirls with sharp edges, as two plastics make in one mould
            y, x = np.mgrid[: n * 3, : n * 3] / n
            a = r.uniform(0, 2 * np.pi)
            field = np.tanh(r.uniform(1, 6) * np.sin(2 * np.pi * r.uniform(0.3, 1.6) * (x * np.cos(a) + y * np.sin(a)) + r.uniform(0.5, 4) * field)).astype(np.float32)
        marble = (np.clip(field, -1, 1), second, r.uniform(0.3, 1))
    depth = r.uniform(0.15, 1.0) * r.choice([0, 1, 1, -0.15])
    red_ace = r.random() < 0.06
    values = [0] * 6
    values[4], values[5] = top, OPPOSITE[top]
    rest = [v for v in (1, 2, 3, 4, 5, 6) if v not in (top, OPPOSITE[top])]
    a = int(r.choice(rest))
    values[0], values[1] = a, OPPOSITE[a]
    b = int(r.choice([v for v in rest if v not in (a, OPPOSITE[a])]))
    values[2], values[3] = b, OPPOSITE[b]
    letters = [str(c) for c in r.choice(list(string.ascii_uppercase), 6)]
    wear = r.random() < 0.2
    out = np.zeros((6, n, n, 4), np.float32)
    turned = False
    for f, v in enumerate(values):
        turn = bool(r.random() < 0.5)
        if kind == "pips":
            m = pip_mask(v, style, n, turn)
            if f == 4:
                turned = turn
        elif kind == "numeral":
            m = text_mask(r, str(v), n, r.uniform(0.45, 0.7))
        elif kind == "letter":
            m = text_mask(r, letters[f], n, r.uniform(0.45, 0.7))
        elif kind == "blank":
            m = np.zeros((n, n), np.float32)
        else:
            m = icon_mask(r, n)
        if kind == "pips" and v == 1 and r.random() < 0.04:
            t = np.zeros((n, n), np.uint8)
            cv2.putText(t, "".join(r.choice(list(string.ascii_uppercase), int(r.integers(3, 7)))), (4, int(r.integers(12, 24))), int(r.choice(FONTS)), 0.55, 255, 1, cv2.LINE_AA)
            m = np.maximum(m, t.astype(np.float32) / 255)
        b = np.ones((n, n, 3), np.float32) * body.astype(np.float32)
        if marble is not None:
            i, j = r.integers(0, n * 2, 2)
            w = (np.clip(marble[0][i:i + n, j:j + n] * 0.5 + 0.5, 0, 1) * marble[2])[..., None]
            b = b * (1 - w) + marble[1].astype(np.float32) * w
        i = np.float32(hsv(0, 0.9, 0.8) if red_ace and v == 1 else ink)
        mm = m
        if wear:
            mm = m * np.clip(0.75 + 0.5 * noise(r, n, 4, 8), 0, 1)
        out[f, ..., :3] = lin(np.clip(b * (1 - mm[..., None]) + i * mm[..., None], 0, 1))
        blur = cv2.GaussianBlur(m, (0, 0), r.uniform(1, 2.5))
        out[f, ..., 3] = blur * depth
    return out, turned


def plain_texture(r):
    c = body_colour(r).astype(np.float32)
    t = np.ones((TEX, TEX, 3), np.float32) * c
    if r.random() < 0.7:
        for _ in range(int(r.integers(1, 12))):
            k = np.clip(hsv(r.random(), r.random(), r.random()), 0, 1)
            if r.random() < 0.4:
                cv2.circle(t, tuple(int(v) for v in r.integers(0, TEX, 2)), int(r.integers(2, 20)), k.tolist(), -1, cv2.LINE_AA)
            else:
                p = r.integers(0, TEX, (2, 2))
                cv2.rectangle(t, tuple(map(int, p[0])), tuple(map(int, p[1])), k.tolist(), int(r.choice([-1, 2])), cv2.LINE_AA)
    out = np.zeros((6, TEX, TEX, 4), np.float32)
    out[..., :3] = lin(np.clip(t, 0, 1))
    return out


def token_texture(r):
    """The top of a counter: one colour, a rim, and a number, a symbol or dots. Nothing to be read as a die."""
    n = TEX
    c = np.clip(np.array([1, r.uniform(0.9, 1), r.uniform(0.7, 1)]) * r.uniform(0.7, 1), 0, 1) if r.random() < 0.6 else body_colour(r)
    t = np.ones((n, n, 3), np.float32) * np.float32(c)
    ink = np.float32(print_colour(r, np.asarray(c)))
    if r.random() < 0.5:
        cv2.circle(t, (n // 2, n // 2), int(n * r.uniform(0.36, 0.48)), ink.tolist(), int(r.integers(1, 5)), cv2.LINE_AA)
    k = r.random()
    if k < 0.55:
        m = text_mask(r, str(r.integers(1, 13)), n, r.uniform(0.25, 0.5))
        m = np.roll(m, -int(r.integers(0, 8)), 0)
        if r.random() < 0.6:
            k = int(r.integers(1, 6))
            for i in range(k):
                cv2.circle(m, (int(n / 2 + (i - (k - 1) / 2) * n * 0.07), int(n * r.uniform(0.72, 0.78))), 2, 1.0, -1, cv2.LINE_AA)
    elif k < 0.85:
        m = icon_mask(r, n)
    else:
        m = np.zeros((n, n), np.float32)
    t = t * (1 - m[..., None]) + ink * m[..., None]
    out = np.zeros((6, n, n, 4), np.float32)
    out[..., :3] = lin(np.clip(t, 0, 1))
    return out


class Grounds:
    """Corner patches of photographs, seamless by mirroring, and procedural ones."""

    def __init__(self, photos):
        self.files = []
        for s in ("kinds", "d20"):
            d = os.path.join(photos, s) if photos else ""
            if os.path.isdir(d):
                self.files += [os.path.join(d, f) for f in sorted(os.listdir(d))]
        d = os.path.join(photos, "light") if photos else ""
        self.lights = [os.path.join(d, f) for f in sorted(os.listdir(d)) if f.endswith((".hdr", ".exr"))] if os.path.isdir(d) else []

    def photo(self, r, n):
        im = cv2.imread(self.files[int(r.integers(len(self.files)))], cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
        if im is None:
            return None
        im = im[..., ::-1].astype(np.float32) / 255
        h, w = im.shape[:2]
        k = int(min(h, w) * 0.2)
        c = [im[:k, :k], im[:k, -k:], im[-k:, :k], im[-k:, -k:]][int(r.integers(4))]
        c = np.vstack([np.hstack([c, c[:, ::-1]]), np.hstack([c[::-1], c[::-1, ::-1]])])
        reps = int(r.integers(1, 4))
        c = np.tile(c, (reps, reps, 1))
        return cv2.resize(c, (n, n), interpolation=cv2.INTER_AREA if c.shape[0] > n else cv2.INTER_LINEAR)

    def pictured(self, r, t, n):
        """Pictures of solid things, as boards and cards show them: a light or coloured patch with bent edges, a
        sign in it, darker sides and a shadow beside it. Nothing of it has a height."""
        s = r.uniform(n / 30, n / 9)
        signs = [cv2.resize(icon_mask(r, TEX) if r.random() < 0.6 else text_mask(r, str(r.integers(1, 99)), TEX, 0.5), (int(s), int(s))) for _ in range(3)]
        light = np.float32(hsv(r.random(), r.uniform(0, 0.25), r.uniform(0.75, 1)) if r.random() < 0.7 else body_colour(r))
        for _ in range(int(r.integers(3, 28))):
            c = r.uniform(s, n - s, 2)
            q = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * r.uniform(0.7, 1.2, 2)
            a = r.uniform(0, 2 * np.pi)
            q = (q + r.normal(0, 0.08, (4, 2))) @ np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ np.array([[1, r.normal(0, 0.4)], [0, r.uniform(0.5, 1)]]) * s
            edge = []
            bend = r.normal(0, 0.08, 4)
            for i in range(4):
                u, v = q[i], q[(i + 1) % 4]
                w = np.linspace(0, 1, 7)[:-1, None]
                edge.append(u + (v - u) * w + bend[i] * 4 * w * (1 - w) * np.array([v[1] - u[1], u[0] - v[0]]))
            edge = np.concatenate(edge)
            off = r.normal(0, 0.18, 2) * s + [0, 0.15 * s]
            for k in range(int(r.integers(1, 3))):
                cv2.fillPoly(t, [np.int32(c + off * (k + 1) + edge * r.uniform(0.7, 1.1))], (light * r.uniform(0.1, 0.6) * np.float32(r.uniform(0.7, 1, 3))).tolist(), cv2.LINE_AA)
            cv2.fillPoly(t, [np.int32(c + edge)], np.clip(light * r.uniform(0.85, 1.1), 0, 1).tolist(), cv2.LINE_AA)
            m = cv2.warpAffine(signs[int(r.integers(3))], cv2.getRotationMatrix2D((s / 2, s / 2), r.uniform(-40, 40), r.uniform(0.5, 0.9)), (int(s), int(s)))[..., None] * r.uniform(0.5, 1)
            x, y = int(c[0] - s / 2), int(c[1] - s / 2)
            part = t[y:y + int(s), x:x + int(s)]
            if part.shape[:2] == m.shape[:2]:
                part[:] = part * (1 - m) + np.float32(hsv(r.random(), r.random(), r.uniform(0, 0.6))) * m

    def make(self, r, n=768, hard=False):
        k = r.random()
        t = None
        if k < 0.3 and self.files:
            t = self.photo(r, n)
        if t is None:
            if r.random() < 0.4:
                v = r.uniform(0.35, 0.97)
                c = np.clip(v + r.uniform(-0.06, 0.06, 3), 0, 1)
            else:
                c = hsv(r.random(), r.uniform(0, 0.9), r.uniform(0.08, 0.95))
            t = np.ones((n, n, 3), np.float32) * c.astype(np.float32)
            k = r.random()
            if k < 0.3:  # wood
                g = noise(r, n, 3, 3)
                s = np.sin((np.arange(n)[None, :] * r.uniform(0.02, 0.1) + g * r.uniform(2, 10)))
                fine = cv2.resize(r.standard_normal((8, n)).astype(np.float32), (n, n), interpolation=cv2.INTER_LINEAR)
                w = (s * r.uniform(0.02, 0.15) + fine * r.uniform(0, 0.06))[..., None]
                t = np.clip(t * (1 + w), 0, 1)
                if r.random() < 0.5:
                    for x in np.arange(0, n, n / int(r.integers(3, 9))):
                        t[:, int(x):int(x) + 2] *= 0.5
            elif k < 0.6:  # cloth, felt, speckled stone
                t = np.clip(t * (1 + (noise(r, n, 5, int(r.integers(4, 64))) * r.uniform(0.02, 0.25))[..., None]), 0, 1)
                if r.random() < 0.4:
                    w = np.sin(np.arange(n) * r.uniform(0.3, 1.5))
                    t = np.clip(t * (1 + 0.06 * w[:, None, None] * w[None, :, None]), 0, 1)
        t = np.ascontiguousarray(t, np.float32)
        if r.random() < 0.35:
            t = self.board(r, t, n)
        if r.random() < 0.6:
            self.print_on(r, t, n)
        if hard and r.random() < 0.45:
            self.pictured(r, t, n)
        return lin(np.clip(t, 0, 1))

    def art(self, r, n):
        """A busy picture: a piece of a photographed place, or noise of several colours."""
        if self.lights and r.random() < 0.6:
            e = cv2.imread(self.lights[int(r.integers(len(self.lights)))], cv2.IMREAD_UNCHANGED)[..., 2::-1]
            k = int(r.integers(60, 400))
            y, x = int(r.integers(0, e.shape[0] - k)), int(r.integers(0, e.shape[1] - k))
            e = e[y:y + k, x:x + k].astype(np.float32)
            e = np.sqrt(np.clip(e / (2 * np.median(e) + 1e-6), 0, 1))
            if r.random() < 0.5:
                h = cv2.cvtColor(e, cv2.COLOR_RGB2HSV)
                h[..., 0] = (h[..., 0] + r.uniform(0, 360)) % 360
                h[..., 1] = np.clip(h[..., 1] * r.uniform(0.5, 3), 0, 1)
                e = cv2.cvtColor(h, cv2.COLOR_HSV2RGB)
            return cv2.resize(e, (n, n), interpolation=cv2.INTER_LINEAR)
        e = np.ones((n, n, 3), np.float32) * hsv(r.random(), r.uniform(0.2, 1), r.uniform(0.2, 0.9)).astype(np.float32)
        for _ in range(int(r.integers(1, 4))):
            w = np.clip(noise(r, n, 5, int(r.integers(3, 40))) * 1.5, 0, 1)[..., None]
            e = e * (1 - w) + hsv(r.random(), r.uniform(0.2, 1), r.uniform(0.1, 1)).astype(np.float32) * w
        return np.ascontiguousarray(e, np.float32)

    def board(self, r, t, n):
        """A printed board: tiles of art, hexagonal or square, with tokens, numbers and dots on them."""
        s = r.uniform(n / 14, n / 4)
        arts = [self.art(r, 256) for _ in range(int(r.integers(2, 6)))]
        hexa = r.random() < 0.6
        line = hsv(r.random(), r.random(), r.random()).tolist()
        cells = []
        if hexa:
            for iy, y in enumerate(np.arange(0, n + s, s * 1.5)):
                cells += [(x + (s * 0.866 if iy % 2 else 0), y) for x in np.arange(0, n + s, s * 1.732)]
        else:
            cells = [(x + s / 2, y + s / 2) for x in np.arange(0, n, s) for y in np.arange(0, n, s)]
        for cx, cy in cells:
            k = int(s) if hexa else int(s / 2)
            x0, y0, x1, y1 = max(int(cx) - k, 0), max(int(cy) - k, 0), min(int(cx) + k + 1, n), min(int(cy) + k + 1, n)
            if x1 - x0 < 4 or y1 - y0 < 4:
                continue
            a = cv2.resize(arts[int(r.integers(len(arts)))], (x1 - x0, y1 - y0))
            m = np.zeros((y1 - y0, x1 - x0), np.uint8)
            if hexa:
                g = np.arange(6) * np.pi / 3 + np.pi / 6
                q = np.int32(np.stack([cx - x0 + s * 0.95 * np.cos(g), cy - y0 + s * 0.95 * np.sin(g)], 1))
                cv2.fillPoly(m, [q], 255, cv2.LINE_AA)
            else:
                m[1:-1, 1:-1] = 255
            w = m[..., None].astype(np.float32) / 255
            t[y0:y1, x0:x1] = t[y0:y1, x0:x1] * (1 - w) + a * w
            if r.random() < 0.35:
                rad = int(s * r.uniform(0.15, 0.4))
                col = hsv(r.random(), r.uniform(0, 0.5), r.uniform(0.6, 1)).tolist()
                if r.random() < 0.6:
                    cv2.circle(t, (int(cx), int(cy)), rad, col, -1, cv2.LINE_AA)
                else:
                    cv2.rectangle(t, (int(cx) - rad, int(cy) - rad), (int(cx) + rad, int(cy) + rad), col, -1, cv2.LINE_AA)
                ink = [0.05, 0.05, 0.05] if r.random() < 0.7 else line
                if r.random() < 0.6:
                    txt = str(r.integers(1, 13))
                    cv8 = np.clip(t[y0:y1, x0:x1] * 255, 0, 255).astype(np.uint8)
                    cv2.putText(cv8, txt, (int(cx - x0 - rad * 0.5), int(cy - y0 + rad * 0.35)), int(r.choice(FONTS)), rad / 24, [int(c * 255) for c in ink], 2, cv2.LINE_AA)
                    t[y0:y1, x0:x1] = cv8.astype(np.float32) / 255
                if r.random() < 0.5:
                    for i in range(int(r.integers(1, 6))):
                        cv2.circle(t, (int(cx - rad * 0.5 + i * rad * 0.25), int(cy + rad * 0.6)), max(1, rad // 10), ink, -1, cv2.LINE_AA)
        return t

    def print_on(self, r, t, n):
        """Cards, boards, grids, hexagons, text, round and square marks that are not dice."""
        if r.random() < 0.35:
            s = r.uniform(n / 24, n / 6)
            c = hsv(r.random(), r.random(), r.random()).tolist()
            if r.random() < 0.5:
                for v in np.arange(0, n, s):
                    cv2.line(t, (int(v), 0), (int(v), n), c, int(r.integers(1, 6)), cv2.LINE_AA)
                    cv2.line(t, (0, int(v)), (n, int(v)), c, int(r.integers(1, 6)), cv2.LINE_AA)
            else:
                for iy, y in enumerate(np.arange(0, n + s, s * 1.5)):
                    for x in np.arange(0, n + s, s * 1.732):
                        cx = x + (s * 0.866 if iy % 2 else 0)
                        a = np.arange(6) * np.pi / 3 + np.pi / 6
                        q = np.int32(np.stack([cx + s * 0.97 * np.cos(a), y + s * 0.97 * np.sin(a)], 1))
                        cv2.fillPoly(t, [q], hsv(r.random(), r.random(), r.random()).tolist(), cv2.LINE_AA)
                        if r.random() < 0.4:
                            cv2.circle(t, (int(cx), int(y)), int(s * 0.3), (0.9, 0.85, 0.7), -1, cv2.LINE_AA)
                            write(t, str(r.integers(2, 13)), (int(cx - s * 0.2), int(y + s * 0.12)), cv2.FONT_HERSHEY_SIMPLEX, s / 90, (0.1, 0.1, 0.1), 2)
        for _ in range(int(r.integers(0, 14))):
            c = r.uniform(0, n, 2)
            s = r.uniform(n / 40, n / 5)
            col = hsv(r.random(), r.random(), r.random()).tolist()
            k = r.random()
            a = r.uniform(0, np.pi)
            box = cv2.boxPoints(((float(c[0]), float(c[1])), (float(s), float(s * r.uniform(0.5, 1.6))), float(a * 57.3)))
            if k < 0.35:
                cv2.fillPoly(t, [np.int32(box)], col, cv2.LINE_AA)
                if r.random() < 0.5:
                    cv2.polylines(t, [np.int32(box)], True, hsv(r.random(), r.random(), r.random()).tolist(), int(r.integers(1, 8)), cv2.LINE_AA)
            elif k < 0.5:
                cv2.polylines(t, [np.int32(box)], True, col, int(r.integers(1, 8)), cv2.LINE_AA)
            elif k < 0.75:
                cv2.circle(t, tuple(np.int32(c)), int(s * 0.3), col, int(r.choice([-1, -1, 3, 6])), cv2.LINE_AA)
            else:
                write(t, "".join(r.choice(list(string.ascii_letters + string.digits), int(r.integers(1, 12)))), tuple(np.int32(c)), int(r.choice(FONTS)), float(s / 60), col, int(r.integers(1, 5)))
        for _ in range(int(r.choice([0, 0, 1, 3]))):  # pips that lie on no die: pictures of die faces, dots
            v = int(r.integers(1, 7))
            st = dict(radius=r.uniform(0.06, 0.12), spread=r.uniform(0.4, 0.65), ace=1, six=1, ring=False)
            m = pip_mask(v, st, TEX, False)
            s = int(r.uniform(24, 120))
            m = cv2.resize(m, (s, s))
            x, y = r.integers(0, n - s, 2)
            col = np.float32(hsv(r.random(), r.random(), r.random()))
            t[y:y + s, x:x + s] = t[y:y + s, x:x + s] * (1 - m[..., None]) + col * m[..., None]

    def env(self, r):
        if self.lights and r.random() < 0.6:
            e = cv2.imread(self.lights[int(r.integers(len(self.lights)))], cv2.IMREAD_UNCHANGED)
            e = np.ascontiguousarray(e[..., 2::-1], np.float32)
            e = np.roll(e, int(r.integers(e.shape[1])), 1)
            e = cv2.resize(e, (256, 128), interpolation=cv2.INTER_AREA)
            e = np.minimum(e / (e[:64].mean() + 1e-6), 25)
        else:
            up = np.clip(1 - np.arange(128) / 64, -1, 1)[:, None, None]
            base = r.uniform(0.5, 1.0, 3) * r.uniform(0.3, 1)
            e = (base * (0.6 + 0.4 * up) * np.ones((128, 256, 1))).astype(np.float32)
            for _ in range(int(r.integers(0, 5))):
                x, y = int(r.integers(0, 256)), int(r.integers(0, 55))
                w, h = r.integers(3, 40), r.integers(3, 25)
                e[y:y + h, x:x + w] = np.float32(r.uniform(0.8, 1.0, 3) * r.uniform(2, 15))
            e = e / (e[:64].mean() + 1e-6)
        if r.random() < 0.35:  # a ring lamp or a window round the camera: its mirror image lies across top faces
            y, h = int(r.integers(1, 34)), int(r.integers(1, 6))
            x, w = int(r.integers(0, 256)), int(r.choice([30, 90, 256]))
            e[y:y + h, [(x + i) % 256 for i in range(w)]] += np.float32(r.uniform(4, 25))
        soft = cv2.resize(cv2.GaussianBlur(cv2.resize(np.tile(e, (1, 3, 1)), (192, 32), interpolation=cv2.INTER_AREA), (0, 0), 4)[:, 64:128], (64, 32))
        return np.ascontiguousarray(e, np.float32), np.ascontiguousarray(soft, np.float32)


def polyhedron(kind):
    g = (1 + 5**0.5) / 2
    if kind == 8:
        v = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    elif kind == 12:
        v = np.array([[0, s, t * g] for s in (-1, 1) for t in (-1, 1)] + [[s, t * g, 0] for s in (-1, 1) for t in (-1, 1)] + [[t * g, 0, s] for s in (-1, 1) for t in (-1, 1)], float)
    elif kind == 20:
        v = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)] + [[0, s / g, t * g] for s in (-1, 1) for t in (-1, 1)] + [[s / g, t * g, 0] for s in (-1, 1) for t in (-1, 1)] + [[t * g, 0, s / g] for s in (-1, 1) for t in (-1, 1)], float)
    elif kind == 4:
        v = -np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    else:  # d10
        a = np.arange(5) * 2 * np.pi / 5
        v = np.vstack([np.stack([np.cos(a), np.sin(a), np.full(5, 0.85)], 1), np.stack([np.cos(a + np.pi / 5), np.sin(a + np.pi / 5), np.full(5, -0.85)], 1)])
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    # lay it on a face
    z = -v[0]
    x = np.cross([0.3, 0.5, 0.81], z)
    x /= np.linalg.norm(x)
    R = np.stack([x, np.cross(z, x), z])
    return v @ R.T


def rotz(a):
    c, s = math.cos(a), math.sin(a)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def rot_to(dirv):
    x = dirv / np.linalg.norm(dirv)
    h = np.array([0, 0, 1.0]) if abs(x[2]) < 0.9 else np.array([0, 1.0, 0])
    y = np.cross(h, x)
    y /= np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], 1)


def shot(r, grounds, objs, size, cam_pos, cam_rot, focal, dist, edge, hard=False, centre=None):
    """The picture of things on a random table in a random light, as a camera gives it (0 to 1), and which is seen where. `centre`: where the optical axis is, if not in the middle."""
    W, H = size
    cx, cy = (W / 2 - 0.5, H / 2 - 0.5) if centre is None else centre
    n = max(len(objs), 1)
    if not objs:
        objs.append(dict(kind=2, pos=np.array([0, 0, -500.0]), rot=np.eye(3), half=np.ones(3), round=0, cut=1e9, bound=2.0, planes=None, tex=None, gloss=0, shiny=8.0, trans=0, tint=np.zeros(3), die=None))
    planes = np.zeros((n, 20, 4))
    npl = np.zeros(n, np.int64)
    frames = np.zeros((n, max([1] + [len(o["frames"]) for o in objs if "frames" in o]), 3, 3))
    faces = max([6] + [len(o["tex"]) for o in objs if o["tex"] is not None])
    texs, texid = [np.zeros((faces, TEX, TEX, 4), np.float32)], np.full(n, -1)
    for i, o in enumerate(objs):
        if o.get("planes") is not None:
            planes[i, : len(o["planes"])] = o["planes"]
            npl[i] = len(o["planes"])
        if "frames" in o:
            frames[i, : len(o["frames"])] = o["frames"]
        if o["tex"] is not None:
            texid[i] = len(texs)
            texs.append(np.concatenate([o["tex"], np.zeros((faces - len(o["tex"]), TEX, TEX, 4), np.float32)]))
    env, soft = grounds.env(r)
    nl = int(r.choice([1, 1, 2, 3]))
    lights = np.stack([np.array([r.normal(0, 1), r.normal(0, 1), r.uniform(0.4, 1.6)]) * dist * r.uniform(0.6, 2) for _ in range(nl)])
    lcol = np.stack([np.clip(np.array([1, r.uniform(0.85, 1), r.uniform(0.65, 1.1)]), 0, 1.1) for _ in range(nl)]) * r.uniform(0.2, 0.9) / nl * 1.5
    lsize = np.array([dist * r.choice([0.02, 0.05, 0.15, 0.35]) for _ in range(nl)])
    amb = r.uniform(0.25, 0.8)
    A = lambda k, dt=np.float64: np.array([o[k] for o in objs], dt)
    gtex = grounds.make(r, hard=hard)
    img, ids = render(W, H, cam_pos, np.ascontiguousarray(cam_rot), focal, cx, cy, A("kind", np.int64), A("pos"), A("rot"), A("half"), A("round"), A("cut"), planes, npl, A("bound"),
                      texid, np.stack(texs), A("gloss"), A("shiny"), A("trans"), A("tint"), np.array([o.get("bulge", 0.0) for o in objs]), gtex, float(edge * r.uniform(8, 40)), r.uniform(0, 500, 2), float(r.choice([0.0, 0.05, 0.3, 0.8])), float(r.uniform(10, 150)),
                      env, soft, amb, lights, lcol, lsize, int(r.integers(1 << 30)), frames)
    # exposure so that a wanted part of the picture is near white, then a camera's curve
    q = np.quantile(img.mean(2), 0.9)
    img = img * (r.uniform(0.35, 1.0) / max(q, 1e-3))
    img = np.clip(np.where(img > 0.8, 0.8 + (1 - np.exp(-(img - 0.8) * 3)) * 0.2, img), 0, 1)
    img = np.sqrt(img)
    return img, ids


def scene(r, grounds, size=512, camera=None, hard=False):
    W = H = size
    focal = size * r.uniform(0.8, 2.4)
    tilt = 0.0
    k = r.random()
    tilt = abs(r.normal(0, 8)) if k < 0.4 else r.uniform(5, 35) if hard and k < 0.7 else r.uniform(5, 62)
    tilt = math.radians(min(tilt, 64))
    edge = r.uniform(9, 20)
    px = math.exp(r.uniform(math.log(13), math.log(95)))
    dist = focal * edge / px
    az = r.uniform(0, 2 * np.pi)
    roll = r.normal(0, 0.12) if r.random() < 0.85 else r.uniform(-0.6, 0.6)
    fwd = np.array([math.sin(tilt) * math.cos(az), math.sin(tilt) * math.sin(az), -math.cos(tilt)])
    right = np.array([math.sin(az), -math.cos(az), 0.0])
    down = np.cross(fwd, right)
    c, s = math.cos(roll), math.sin(roll)
    cam_rot = np.stack([c * right + s * down, -s * right + c * down, fwd], 1)
    cam_pos = -fwd * dist + np.array([0, 0, 1.0])
    cx, cy = W / 2 - 0.5, H / 2 - 0.5

    def project(p):
        q = (np.asarray(p) - cam_pos) @ cam_rot
        return np.stack([q[..., 0] / q[..., 2] * focal + cx, q[..., 1] / q[..., 2] * focal + cy], -1), q[..., 2]

    def ground_at(u, v):
        d = cam_rot @ np.array([u - cx, v - cy, focal])
        if d[2] > -0.05 * np.linalg.norm(d):
            return None
        return cam_pos - d * cam_pos[2] / d[2]

    objs = []  # dict(kind, pos, rot, half, round, cut, planes, bound, tex, gloss, shiny, trans, tint, die)
    placed = []

    def free(p, rad, gap):
        return all((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 > (rad + q[2]) ** 2 * gap for q in placed)

    def material():
        k = r.random()
        if k < 0.55:
            return r.uniform(0.3, 1.0), float(r.uniform(40, 300))
        if k < 0.8:
            return r.uniform(0.1, 0.5), float(r.uniform(8, 40))
        return 0.02, 8.0

    def add_die(p, z0, e, yaw, same=None):
        k = r.random()
        kind = "pips" if k < 0.76 else "numeral" if k < 0.84 else "letter" if k < 0.88 else "icon" if k < 0.97 else "blank"
        top = int(r.integers(1, 7))
        moulded = hard and r.random() < 0.5
        tex, turned = die_textures(r, kind, top, moulded and r.random() < 0.6)
        h = e / 2
        g, sh = material()
        trans = r.uniform(0.3, 1) if r.random() < 0.15 else 0.0
        bulge = r.uniform(-0.05, 0.3) if r.random() < 0.5 else 0.0
        cut = h * (r.uniform(1.36, 1.6) if r.random() < 0.6 else 1.74)
        objs.append(dict(kind=0, pos=np.array([p[0], p[1], z0 + h]), rot=rotz(yaw), half=np.full(3, h), round=h * (r.uniform(0.02, 0.12) if cut > 1.7 * h else r.uniform(0.04, 0.35)),
                         cut=cut, bound=min(h * 1.74, cut * 1.001), tex=tex, bulge=bulge, gloss=g, shiny=sh, trans=trans, tint=np.zeros(3), die=dict(kind=kind, value=top, turned=turned, edge=e, yaw=yaw)))
        if moulded:  # as most dice that are sold: well rounded, glossy, faces a little domed
            cut = h * r.uniform(1.3, 1.55)
            objs[-1].update(round=h * r.uniform(0.2, 0.5), cut=cut, bound=min(h * 1.74, cut * 1.001), gloss=r.uniform(0.5, 1), shiny=float(r.uniform(60, 400)), bulge=r.uniform(0, 0.35))

    n = int(r.choice([0, 1, 2, 4, 6, 8, 12, 16, 20, 32]))
    if px > 50:
        n = min(n, 8)
    clump = r.random() < 0.35
    for _ in range(n):
        e = edge * (r.uniform(0.8, 1.25) if r.random() < 0.5 else 1.0)
        yaw = r.uniform(0, 2 * np.pi)
        for _try in range(12):
            if clump and placed and r.random() < 0.7:
                q = placed[int(r.integers(len(placed)))]
                a = r.uniform(0, 2 * np.pi)
                k = (q[2] + e * 0.5) * r.uniform(1.0, 1.4)
                p = np.array([q[0] + math.cos(a) * k, q[1] + math.sin(a) * k, 0])
                if r.random() < 0.5:
                    yaw = q[3]
                    a = yaw + r.integers(4) * np.pi / 2
                    k = (q[2] + e * 0.5) * 1.01
                    p = np.array([q[0] + math.cos(a) * k, q[1] + math.sin(a) * k, 0])
                gap = 0.98
            else:
                p = ground_at(*r.uniform(-0.04, 1.04, 2) * size)
                gap = 1.9
            if p is None or np.linalg.norm(p) > dist * 2.5 or not free(p, e * 0.5, gap):
                continue
            add_die(p, 0.0, e, yaw)
            placed.append((p[0], p[1], e * 0.5, yaw))
            if r.random() < 0.02:
                add_die(p, e, e, r.uniform(0, 6.28))
            break
    # clutter
    for _ in range(int(r.choice([0, 0, 1, 2, 4]))):
        p = ground_at(*r.uniform(0, 1, 2) * size)
        if p is None:
            continue
        k = r.random()
        s = edge * r.uniform(0.4, 2.5)
        g, sh = material()
        o = dict(rot=rotz(r.uniform(0, 6.28)), round=0.3, cut=1e9, planes=None, tex=plain_texture(r) if r.random() < 0.6 else None, gloss=g, shiny=sh, trans=0.0,
                 tint=lin(body_colour(r)), die=None)
        if k < 0.3:
            a, b, h = s * 0.5, s * r.uniform(0.2, 0.5), s * r.choice([0.05, 0.1, 0.3])
            o.update(kind=0, half=np.array([a, b, h]), bound=math.sqrt(a * a + b * b + h * h))
        elif k < 0.65:
            a, h = s * 0.5, s * r.choice([0.04, 0.1, 0.3, 0.8])
            o.update(kind=1, half=np.array([a, a, h]), bound=math.hypot(a, h), round=min(0.3, h * 0.5))
        else:
            v = polyhedron(int(r.choice([4, 8, 10, 12, 20])))
            d = edge * r.uniform(0.4, 0.62)
            o.update(kind=3, half=np.array([d, d, d]), bound=d * (3.0 if len(v) == 4 else 1.75), planes=np.concatenate([v, np.full((len(v), 1), d)], 1))
            h = d
        if not free(p, min(o["bound"], 3 * edge), 1.0):
            continue
        o["pos"] = np.array([p[0], p[1], h])
        placed.append((p[0], p[1], o["bound"], 0))
        objs.append(o)
    if r.random() < 0.35:  # counters, some on the table, some in heaps
        size = edge * r.uniform(0.35, 0.9)
        thick = size * r.choice([0.03, 0.06, 0.15])
        looks = [token_texture(r) for _ in range(int(r.integers(1, 4)))]
        for _ in range(int(r.integers(1, 12))):
            p = ground_at(*r.uniform(0, 1, 2) * W)
            if p is None or np.linalg.norm(p) > dist * 2.5 or not free(p, size, 0.9):
                continue
            for level in range(int(r.choice([1, 1, 1, 2, 4]))):
                g, sh = material()
                objs.append(dict(kind=1, pos=np.array([p[0] + r.normal(0, 0.1) * size, p[1] + r.normal(0, 0.1) * size, thick * (1 + 2 * level)]), rot=rotz(r.uniform(0, 6.28)), half=np.array([size, size, thick]),
                                 round=min(0.3, thick * 0.5), cut=1e9, bound=math.hypot(size, thick), planes=None, tex=looks[int(r.integers(len(looks)))], gloss=g * 0.4, shiny=sh, trans=0.0, tint=np.zeros(3), die=None))
            placed.append((p[0], p[1], size, 0))
    if r.random() < 0.12:  # a hand: a few capsules
        p = ground_at(*r.uniform(0.1, 0.9, 2) * size)
        if p is not None:
            skin = lin(np.array([0.85, 0.62, 0.5]) * r.uniform(0.35, 1.1))
            a = r.uniform(0, 6.28)
            dirv = np.array([math.cos(a), math.sin(a), 0.25])
            palm = np.array([p[0], p[1], 25.0])
            for i in range(5):
                b = a + (i - 2) * r.uniform(0.15, 0.3)
                fd = np.array([math.cos(b), math.sin(b), -0.45])
                L = r.uniform(18, 28)
                objs.append(dict(kind=2, pos=palm + fd * (L + 8), rot=rot_to(fd), half=np.array([L, r.uniform(6.5, 8.5), 1.0]), round=0, cut=1e9, bound=L + 9, planes=None, tex=None, gloss=0.1, shiny=15.0, trans=0.2, tint=skin, die=None))
            objs.append(dict(kind=2, pos=palm - dirv * 100, rot=rot_to(dirv), half=np.array([100.0, 28.0, 1.0]), round=0, cut=1e9, bound=130, planes=None, tex=None, gloss=0.05, shiny=12.0, trans=0.0, tint=skin if r.random() < 0.5 else lin(body_colour(r)), die=None))
    img, ids = shot(r, grounds, objs, (W, H), cam_pos, cam_rot, focal, dist, edge, hard)
    dice = []
    grid = (np.stack(np.meshgrid(np.linspace(-0.85, 0.85, 9), np.linspace(-0.85, 0.85, 9)), -1).reshape(-1, 2))
    for i, o in enumerate(objs):
        d = o["die"]
        if d is None:
            continue
        h = o["half"][0]
        corners = np.array([[-h, h, h], [h, h, h], [h, -h, h], [-h, -h, h]]) @ o["rot"].T + o["pos"]
        poly, z = project(corners)
        if (z <= 1).any():
            continue
        cube = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * h * 0.95 @ o["rot"].T + o["pos"]
        cp, _ = project(cube)
        g3 = np.concatenate([grid * h, np.full((len(grid), 1), h)], 1) @ o["rot"].T + o["pos"]
        gp = np.round(project(g3)[0]).astype(int)
        inside = (gp[:, 0] >= 0) & (gp[:, 0] < W) & (gp[:, 1] >= 0) & (gp[:, 1] < H)
        vis = sum(ids[y, x] == i for x, y in gp[inside]) / len(gp)
        x0, y0 = cp.min(0)
        x1, y1 = cp.max(0)
        if x1 < 0 or y1 < 0 or x0 > W or y0 > H:
            continue
        dice.append(dict(kind=d["kind"], value=d["value"], turned=d["turned"], poly=np.round(poly, 2).tolist(), box=[round(float(v), 2) for v in (x0, y0, x1 - x0, y1 - y0)], visible=round(float(vis), 3)))
    return (img * 255 + 0.5).astype(np.uint8), dice, dict(tilt=math.degrees(tilt), roll=math.degrees(roll))


def work(args):
    job, jobs, out, first, count, seed, photos, hard = args
    grounds = Grounds(photos)
    path = os.path.join(out, f"truth-{job}.jsonl")
    done = set()
    if os.path.exists(path):
        done = {json.loads(l)["image"] for l in open(path) if l.endswith("\n")}
    with open(path, "a") as f:
        for i in range(first + job, first + count, jobs):
            name = f"{i:05d}.jpg"
            if name in done:
                continue
            img, dice, info = scene(np.random.default_rng([seed, i]), grounds, hard=hard)
            cv2.imwrite(os.path.join(out, name), img[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 96])
            f.write(json.dumps(dict(image=name, dice=dice, **info)) + "\n")
            f.flush()
            if job == 0 and (i // jobs) % 50 == 0:
                print(f"{i} of {count}", flush=True)


if __name__ == "__main__":
    a = argparse.ArgumentParser()
    a.add_argument("--out", required=True)
    a.add_argument("--count", type=int, default=5000)
    a.add_argument("--first", type=int, default=0, help="number of the first picture")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--photos", default="../../../shared/photos")
    a.add_argument("--jobs", type=int, default=2)
    a.add_argument("--hard", action="store_true", help="more well rounded, dark and marbled dice, and pictures of solid things")
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    work((0, 10**9, a.out, a.first, 1, a.seed, a.photos, a.hard))  # compile once, before the processes part
    with mp.get_context("spawn").Pool(a.jobs) as pool:
        pool.map(work, [(j, a.jobs, a.out, a.first, a.count, a.seed, a.photos, a.hard) for j in range(a.jobs)])
