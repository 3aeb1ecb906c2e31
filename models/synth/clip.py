"""The demo's clip: white dice are rolled, the sixes once more, a hand passes; a strange die lies by.

    python clip.py --out ../../calibration/demo/energy.mp4      (wants ffmpeg)

Frames already rendered are kept in --work and not made again.
"""
import argparse
import math
import os
import subprocess

import cv2
import numpy as np

import scenes
from render import TEX, render

W, H, FPS, SECONDS = 960, 540, 12, 11
EDGE = 16.0


def rot(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return cv2.Rodrigues(axis * angle)[0]


# die: (kind, face up, body, ink, rolls: [(start s, where it ends, yaw, face up)])
WHITE = ((0.95, 0.94, 0.9), (0.05, 0.05, 0.07))
DICE = [
    ("pips", WHITE, [(0.3, (-48, 22), 0.4, 4)]),
    ("pips", WHITE, [(0.5, (-10, -18), 1.1, 6), (4.6, (-24, 46), 2.2, 1)]),
    ("pips", WHITE, [(0.7, (28, 26), 2.0, 2)]),
    ("pips", WHITE, [(0.9, (52, -22), 0.2, 6), (4.9, (62, 2), 1.5, 3)]),
    ("pips", ((0.7, 0.07, 0.1), (0.97, 0.97, 0.95)), [(1.1, (-66, -28), 2.6, 5)]),
    ("numeral", ((0.15, 0.3, 0.65), (0.95, 0.85, 0.4)), [(-9.0, (92, 40), 0.7, 3)]),
]


def pose(rolls, t):
    """Where a die is at time t, how it is turned, and which roll it is in; None before it comes."""
    now = None
    for i, r in enumerate(rolls):
        if t >= r[0]:
            now = (i, *r)
    if now is None:
        return None
    i, start, (x, y), yaw, up = now
    k = min((t - start) / 0.9, 1.0)
    if i > 0 and k < 0.25:  # picked up: it is gone for a moment
        return None
    e = (1 - k) ** 2
    dx, dy = math.cos(yaw * 3), -1.0
    spin = e * 9
    lift = abs(math.sin(k * math.pi * 2.5)) * 22 * (1 - k)
    R = scenes.rotz(yaw + spin * 0.3) @ rot((dy, -dx, 0.2), spin)
    low = (np.abs(R[2]).sum() - 1) * EDGE / 2
    return np.array([x - dx * e * 130, y - dy * e * 130, EDGE / 2 + low + lift]), R, i


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--out", required=True)
    a.add_argument("--work", default="/tmp/sightline-clip")
    a.add_argument("--seed", type=int, default=5)
    a = a.parse_args()
    os.makedirs(a.work, exist_ok=True)
    r = np.random.default_rng(a.seed)
    grounds = scenes.Grounds(None)
    n = 768
    cloth = np.ones((n, n, 3), np.float32) * np.float32((0.16, 0.3, 0.27))
    cloth = np.clip(cloth * (1 + (scenes.noise(r, n, 5, 48) * 0.12)[..., None]), 0, 1)
    ground = scenes.lin(cloth)
    env, soft = grounds.env(np.random.default_rng(8))
    tex = [np.zeros((6, TEX, TEX, 4), np.float32)]
    index = {}
    for d, (kind, (body, ink), rolls) in enumerate(DICE):
        scenes.body_colour = lambda q, c=body: np.array(c)
        scenes.print_colour = lambda q, b, c=ink: np.array(c)
        for i, roll in enumerate(rolls):
            for seed in range(99):  # plain pips: no rings, no marbling
                q = np.random.default_rng([a.seed, d, i, seed])
                faces, _ = scenes.die_textures(q, kind, roll[3])
                if faces[4].std() > 0 and abs(float(faces[4][2:8, 2:8, 0].mean()) - float(scenes.lin(np.float32(body))[0])) < 0.02:
                    break
            index[d, i] = len(tex)
            tex.append(faces)
    tilt, dist, focal = math.radians(33), 430.0, 1250.0 * W / 1280
    fwd = np.array([0, math.sin(tilt), -math.cos(tilt)])
    right = np.array([1.0, 0, 0])
    cam_rot = np.stack([right, np.cross(fwd, right), fwd], 1)
    cam_pos = -fwd * dist + np.array([8, 6, 0.0])
    lights = np.array([[-300, 250, 520.0], [420, -60, 380.0]])
    light_col = np.array([[0.62, 0.58, 0.5], [0.2, 0.22, 0.26]])
    for f in range(FPS * SECONDS):
        path = os.path.join(a.work, f"{f:04d}.png")
        if os.path.exists(path):
            continue
        t = f / FPS
        objs = []
        for d, (kind, _, rolls) in enumerate(DICE):
            p = pose(rolls, t)
            if p:
                objs.append((0, p[0], p[1], np.full(3, EDGE / 2), 1.1, EDGE / 2 * 1.5, EDGE / 2 * 1.5, index[d, p[2]], 0.5, 90.0, 0.0, np.zeros(3)))
        k = (t - 8.0) / 1.6
        if 0 <= k <= 1:  # a hand reaches over the table and goes again
            reach = math.sin(k * math.pi) * 165 - 165
            skin = scenes.lin(np.array([0.83, 0.62, 0.5]))
            palm = np.array([-48.0, reach - 40, 34.0])
            a0 = math.pi / 2
            for i in range(5):
                b = a0 + (i - 2) * 0.2
                fd = np.array([math.cos(b), math.sin(b), -0.15])
                objs.append((2, palm + fd * 38, scenes.rot_to(fd), np.array([24, 7.5, 1.0]), 0, 1e9, 33.0, -1, 0.1, 15.0, 0.1, skin))
            back = np.array([0.0, -1.0, 0.25])
            objs.append((2, palm + back * 90, scenes.rot_to(back), np.array([100, 26.0, 1.0]), 0, 1e9, 127.0, -1, 0.05, 12.0, 0.0, skin))
        col = lambda i, dt=np.float64: np.array([o[i] for o in objs], dt)
        m = len(objs)
        img, _ = render(W, H, cam_pos, np.ascontiguousarray(cam_rot), focal, W / 2 - 0.5, H / 2 - 0.5, col(0, np.int64), col(1), col(2), col(3), col(4), col(5), np.zeros((m, 20, 4)), np.zeros(m, np.int64),
                        col(6), col(7, np.int64), np.stack(tex), col(8), col(9), col(10), col(11), np.zeros(m), ground, 300.0, np.array([150.0, 150.0]), 0.03, 12.0, env, soft, 0.5, lights, light_col, np.array([40.0, 120.0]), 1)
        img = np.sqrt(np.clip(img * 1.15, 0, 1)) * 255
        img = cv2.GaussianBlur(img, (0, 0), 0.6) + np.random.default_rng([a.seed, f]).normal(0, 2.2, img.shape)
        cv2.imwrite(path, np.clip(img, 0, 255).astype(np.uint8)[..., ::-1])
        if f % 12 == 0:
            print(f"{f} of {FPS * SECONDS}", flush=True)
    os.makedirs(os.path.dirname(a.out), exist_ok=True)
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-framerate", str(FPS), "-i", os.path.join(a.work, "%04d.png"), "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", a.out], check=True)


if __name__ == "__main__":
    main()
