"""The pictures that enrol the plain pip dice: our own, rendered, six looks a face.

    python enrolment.py --out ../../calibration/copies/plain-dice/faces --seed 3

Each picture shows one upright face with a margin of 20 % of its side all round, as an owner's own
enrolment would cut it out.
"""
import argparse
import math
import os
import sys

import cv2
import numpy as np

import scenes
from render import TEX, render

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "train"))
import reader  # noqa: E402

BODY_INK = [((0.93, 0.92, 0.88), (0.05, 0.05, 0.06)), ((0.08, 0.08, 0.09), (0.95, 0.95, 0.95)), ((0.75, 0.08, 0.1), (0.97, 0.97, 0.95)),
            ((0.95, 0.85, 0.55), (0.75, 0.05, 0.05)), ((0.1, 0.2, 0.6), (0.95, 0.8, 0.3)), ((0.2, 0.5, 0.25), (0.95, 0.95, 0.95))]
SIZE, EDGE = 160, 16.0


def face(r, grounds, body, ink, value):
    """One die that shows `value`, seen from a random side and cut out upright; None if it came out badly."""
    scenes.body_colour = lambda q: np.array(body)
    scenes.print_colour = lambda q, *_: np.array(ink)
    faces, turned = scenes.die_textures(r, "pips", value)
    plain = abs(float(faces[4, 2:8, 2:8, 0].mean()) - float(scenes.lin(np.float32(body))[0])) < 0.03
    if turned or not plain:
        return None
    tilt, az = math.radians(r.uniform(4, 38)), r.uniform(0, 2 * math.pi)
    focal = SIZE * 4.0
    dist = focal * EDGE / 62
    fwd = np.array([math.sin(tilt) * math.cos(az), math.sin(tilt) * math.sin(az), -math.cos(tilt)])
    right = np.array([math.sin(az), -math.cos(az), 0.0])
    cam_rot = np.stack([right, np.cross(fwd, right), fwd], 1)
    h = EDGE / 2
    cam_pos = -fwd * dist + np.array([0, 0, h])
    env, soft = grounds.env(r)
    one = lambda v, dt=np.float64: np.array([v], dt)
    light = np.array([[r.normal(), r.normal(), r.uniform(0.7, 1.6)]]) * dist
    img, _ = render(SIZE, SIZE, cam_pos, np.ascontiguousarray(cam_rot), focal, SIZE / 2 - 0.5, SIZE / 2 - 0.5, one(0, np.int64), one([0, 0, h]), one(np.eye(3)), one([h, h, h]), one(h * r.uniform(0.06, 0.2)), one(h * 1.5),
                    np.zeros((1, 20, 4)), np.zeros(1, np.int64), one(h * 1.5), one(1, np.int64), np.stack([np.zeros((6, TEX, TEX, 4), np.float32), faces]), one(0.5), one(80.0), one(0.0), one([0, 0, 0]), one(0.0),
                    grounds.make(r), 200.0, r.uniform(0, 200, 2), 0.05, 15.0, env, soft, 0.45, light, np.array([[0.5, 0.47, 0.42]]), np.array([dist * 0.1]), 1)
    img = (np.sqrt(np.clip(img, 0, 1)) * 255).astype(np.uint8)
    corners = np.array([[-h, h, EDGE], [h, h, EDGE], [h, -h, EDGE], [-h, -h, EDGE]]) - cam_pos
    q = corners @ cam_rot
    poly = q[:, :2] / q[:, 2:] * focal + SIZE / 2 - 0.5
    out = reader.rectify(img, np.float32(poly), 64)
    inner = out[12:-12, 12:-12]
    if out.std() < 25 or (inner > 250).all(2).mean() > 0.2 or inner.mean() < 25:  # too flat, or light has eaten it
        return None
    return out


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--out", required=True)
    a.add_argument("--seed", type=int, default=3)
    a = a.parse_args()
    os.makedirs(a.out, exist_ok=True)
    grounds = scenes.Grounds(None)
    for look, (body, ink) in enumerate(BODY_INK):
        for value in range(1, 7):
            picture, i = None, 0
            while picture is None:
                i += 1
                picture = face(np.random.default_rng([a.seed, look, value, i]), grounds, body, ink, value)
            cv2.imwrite(os.path.join(a.out, f"{value}-{'abcdef'[look]}.png"), picture[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
