"""Soft shadows and dimmed skylight on flat things, as maps over the table: solids' outlines cast from many points of a lamp."""
import math

import cv2
import numpy as np

STEP = 1.25  # mm a texel


def _hulls(parts, point, z, far):
    """Outlines (mm) on the plane z of what solids cast from `point`, or along `-point` where it is `far` away."""
    out = []
    for w in parts:
        if w[:, 2].max() < z + 0.3:
            continue
        v = w
        h = np.maximum(v[:, 2] - z, 0)[:, None]
        if far:
            q = v[:, :2] - point[:2] / point[2] * h
        else:
            top = np.minimum(v[:, 2:3], point[2] - 5.0)
            q = point[:2] + (v[:, :2] - point[:2]) * ((point[2] - z) / (point[2] - top))
        out.append(q)
    return out


def _cast(parts, points, z, far, at, shape, weights=None):
    total = np.zeros(shape, np.float32)
    mask = np.zeros(shape, np.uint8)
    weights = np.full(len(points), 1 / len(points)) if weights is None else weights
    for p, w in zip(points, weights):
        mask[:] = 0
        for q in _hulls(parts, p, z, far):
            q = (q - at[:2]) * at[2]
            if q[:, 0].max() < 0 or q[:, 1].max() < 0 or q[:, 0].min() > shape[1] or q[:, 1].min() > shape[0]:
                continue
            q = np.clip(q, -4000, 6000)
            cv2.fillConvexPoly(mask, cv2.convexHull(np.int32(q * 16)), 255, cv2.LINE_8, 4)
        cv2.scaleAdd(mask.astype(np.float32), float(w) / 255, total, total)
    return total


def maps(r, solids, levels, lamps, sizes, area, looks=14):
    """(lamp, level) light that comes through and (level) open sky, float32, and where they lie (x0, y0, texels a mm).

    solids: world points of each (n, 3); levels: heights of the flat things; area: x0, y0, x1, y1 mm."""
    k = 1 / STEP
    shape = (int((area[3] - area[1]) * k) + 2, int((area[2] - area[0]) * k) + 2)
    at = np.array([area[0], area[1], k])
    lit = np.empty((len(lamps), len(levels), *shape), np.float32)
    sky = np.empty((len(levels), *shape), np.float32)
    dome = []
    for i in range(20):
        e, a = math.asin(math.sqrt((i + 0.5) / 20)), i * 2.39996
        dome.append([math.cos(a) * math.sin(e), math.sin(a) * math.sin(e), max(math.cos(e), 0.22)])
    for j, z in enumerate(levels):
        for i, lamp in enumerate(lamps):
            v = lamp[:3] / np.linalg.norm(lamp[:3])
            a = np.cross(v, [0, 0, 1.0]) + [1e-6, 0, 0]
            a /= np.linalg.norm(a)
            b = np.cross(v, a)
            n = looks if sizes[i] > 8 else 4
            pts = [lamp[:3] + sizes[i] * 0.7 * math.sqrt((s + 0.5) / n) * (a * math.cos(s * 2.39996) + b * math.sin(s * 2.39996)) for s in range(n)]
            lit[i, j] = cv2.GaussianBlur(1 - _cast(solids, pts, z, False, at, shape), (0, 0), 0.6)
        sky[j] = 1 - 0.9 * cv2.GaussianBlur(_cast(solids, np.array(dome), z, True, at, shape), (0, 0), 2.0)
    return lit, sky, at
