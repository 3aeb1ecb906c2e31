"""Run the detector on whole pictures, as the program does (src/vision/detector.rs)."""
import math

import cv2
import numpy as np
import onnxruntime
import torch

from data import STRIDE
from nets import DET_CHANNELS, Detector, short_floats

MEAN, STD = 127.5, 64.0
AREA = 921_600


def load_floats(path, channels):
    """A detector from a checkpoint, ready to look."""
    net = Detector(channels=channels)
    held = torch.load(path, weights_only=False, map_location="cpu")
    net.load_state_dict(held["ema"] if "ema" in held else held["net"])
    return net.eval().to(memory_format=torch.channels_last)


def scaled(rgb, k):
    """A picture made k times as large, with an edge of grey to a multiple of 32, as a net takes it; and its pixels a pixel of that."""
    h, w = rgb.shape[:2]
    im = rgb if abs(k - 1) < 1e-3 else cv2.resize(rgb, (max(32, round(w * k)), max(32, round(h * k))), interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
    x = np.full((-(-im.shape[0] // 32) * 32, -(-im.shape[1] // 32) * 32, 3), 127, np.uint8)
    x[: im.shape[0], : im.shape[1]] = im
    t = torch.from_numpy((x.astype(np.float32) - MEAN) / STD).permute(2, 0, 1)[None].contiguous(memory_format=torch.channels_last)
    return t, np.array([w / im.shape[1], h / im.shape[0]])


def peaks(out, threshold):
    """[(score, x, y, channels there)] of a map's cells none beside which has more."""
    heat = 1 / (1 + np.exp(-out[0]))
    peak = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    return [(float(heat[y, x]), x, y, out[:, y, x]) for y, x in zip(*np.where((heat >= peak) & (heat >= threshold)))]


def load_detector(path):
    if path.endswith(".onnx"):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = torch.get_num_threads()
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        name = session.get_inputs()[0].name
        return lambda x: torch.from_numpy(session.run(None, {name: x.contiguous().numpy()})[0])
    return load_floats(path, DET_CHANNELS)


def decode(out, threshold):
    """out: (11, h, w) -> list of (score, centre, size, poly 4x2) in input pixels, best first."""
    found = []
    for score, x, y, g in peaks(out, threshold):
        g = g[1:]
        c = (np.array([x + g[0], y + g[1]]) + 0.5) * STRIDE - 0.5
        s = 32 * math.exp(min(max(g[2], -3), 4))
        fc = c + g[3:5] * s
        S = np.array([[g[5], g[6]], [g[6], g[7]]]) * s
        t = math.atan2(g[9], g[8]) / 4
        R = np.array([[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]])
        q = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
        found.append((score, c, s, fc + q @ (S @ R).T))
    found.sort(key=lambda f: -f[0])
    keep = []
    for f in found:
        if all(np.hypot(*(f[3].mean(0) - k[3].mean(0))) > 0.5 * min(f[2], k[2]) or max(f[2], k[2]) > 2.2 * min(f[2], k[2]) and np.hypot(*(f[3].mean(0) - k[3].mean(0))) > 0.5 * max(f[2], k[2]) for k in keep):
            keep.append(f)
    return keep


@torch.no_grad()
def detect(net, rgb, threshold=0.3, levels=(1.0,), area=AREA):
    h, w = rgb.shape[:2]
    every = []
    for level in levels:
        t, back = scaled(rgb, math.sqrt(area / (h * w)) * level)
        with short_floats():
            out = net(t)[0].float().numpy()
        for s, c, size, poly in decode(out, threshold):
            every.append((s, (c + 0.5) * back - 0.5, size * math.sqrt(back[0] * back[1]), (poly + 0.5) * back - 0.5))
    every.sort(key=lambda f: -f[0])
    keep = []
    for f in every:
        if all(np.hypot(*(f[3].mean(0) - k[3].mean(0))) > 0.5 * max(f[2], k[2]) for k in keep) or len(levels) == 1:
            keep.append(f)
    return keep
