"""Train the detector.

    python detector.py --base --synth DIR --photos DIR --out base.pt          pictures made, no scene that is measured
    python detector.py --fold tray --init base.pt --synth DIR --photos DIR --out tray.pt   all scenes but `tray`
    python detector.py --fold none ...                                          the one that ships

Seeded; `--steps` sets the length. Checkpoints carry on where they stopped.
"""
import argparse
import copy
import math
import os
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import data
from nets import Detector, from_onnx, short_floats

MEAN, STD = 127.5, 64.0


class Views(torch.utils.data.IterableDataset):
    def __init__(self, pools, weights, size, batch, seed):
        self.pools, self.weights, self.size, self.batch, self.seed = pools, np.array(weights) / sum(weights), size, batch, seed

    def __iter__(self):
        cv2.setNumThreads(1)
        w = torch.utils.data.get_worker_info()
        r = np.random.default_rng([self.seed, w.id if w else 0])
        while True:
            ims, tg = [], []
            for _ in range(self.batch):
                pool = self.pools[int(r.choice(len(self.pools), p=self.weights))]
                im, dice = data.random_view(r, pool[int(r.integers(len(pool)))], self.size)
                ims.append(im.transpose(2, 0, 1))
                tg.append(data.targets(dice, self.size))
            yield torch.from_numpy(np.stack(ims)), *[torch.from_numpy(np.stack(t)) for t in zip(*tg)]


def loss_of(out, heat, hw, geo, gw):
    z = out[:, 0].float()
    p = torch.sigmoid(z).clamp(1e-4, 1 - 1e-4)
    pos = (heat >= 0.999).float() * hw
    lp = -(1 - p) ** 2 * torch.log(p) * pos
    ln = -((1 - heat) ** 4) * p**2 * torch.log(1 - p) * (1 - pos) * hw
    n = pos.sum().clamp(min=1)
    g = out[:, 1:].float()
    w = torch.tensor([1.0, 1.0, 1.5, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1.0]).view(1, 10, 1, 1)
    near = (heat > 0.2).float() * hw
    off = (F.smooth_l1_loss(g[:, :2], geo[:, :2], reduction="none", beta=0.1).sum(1) * heat * near).sum() / (heat * near).sum().clamp(min=1)
    rest = (F.smooth_l1_loss(g[:, 2:], geo[:, 2:], reduction="none", beta=0.05) * w[:, 2:]).sum(1)
    rest = (rest * gw).sum() / gw.sum().clamp(min=1)
    return (lp.sum() + ln.sum()) / n, off, rest


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--base", action="store_true")
    a.add_argument("--fold")
    a.add_argument("--init")
    a.add_argument("--synth", nargs="+", required=True)
    a.add_argument("--photos", required=True)
    a.add_argument("--pseudo", help="top faces found on photographs by pseudo.py")
    a.add_argument("--out", required=True)
    a.add_argument("--steps", type=int, default=3500)
    a.add_argument("--size", type=int, default=384)
    a.add_argument("--batch", type=int, default=12)
    a.add_argument("--lr", type=float, default=2e-3)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--threads", type=int, default=2)
    a = a.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    pools = [data.synthetic(folder) for folder in a.synth]
    weights = [1.0 / len(pools)] * len(pools)
    others = data.photos(a.photos, ["numbered"], 700_000)
    if a.pseudo:
        import pseudo

        pseudo.attach(others, a.pseudo)
    poly = data.photos(a.photos, ["d20", "d8-d12"], 230_000)[::6]
    for it in poly:  # other shapes: nothing to be found here
        it["dice"] = []
    pools += [others, poly]
    weights += [0.05, 0.07]
    if not a.base:
        real = [i for i in data.photos(a.photos, ["tray", "table", "floor"], 921_600) if i["scene"] != a.fold]
        pseudo.attach(real, a.pseudo)
        scenes = sorted({i["scene"] for i in real})
        for s in scenes:
            pools.append([i for i in real if i["scene"] == s])
            weights.append(0.9 / len(scenes))
        print("real scenes", scenes, flush=True)
    net = Detector().to(memory_format=torch.channels_last)
    if a.init and a.init.endswith(".onnx"):
        x, *_ = next(iter(torch.utils.data.DataLoader(Views(pools, weights, a.size, a.batch, a.seed), batch_size=None)))
        from_onnx(net, a.init, (x.float() - MEAN) / STD)
    elif a.init:
        net.load_state_dict(torch.load(a.init, weights_only=False)["net"])
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=1e-2)
    ema = copy.deepcopy(net).eval()
    start = 0
    if os.path.exists(a.out + ".ckpt"):
        c = torch.load(a.out + ".ckpt", weights_only=False)
        net.load_state_dict(c["net"])
        opt.load_state_dict(c["opt"])
        ema.load_state_dict(c["ema"])
        start = c["step"]
    loader = iter(torch.utils.data.DataLoader(Views(pools, weights, a.size, a.batch, a.seed + start), batch_size=None, num_workers=1, prefetch_factor=6))
    t0 = time.time()
    log = np.zeros(3)
    net.train()
    for step in range(start, a.steps):
        lr = a.lr * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * step / a.steps)) + 1e-6
        for g in opt.param_groups:
            g["lr"] = lr
        x, *t = next(loader)
        x = ((x.float() - MEAN) / STD).to(memory_format=torch.channels_last)
        with short_floats():
            out = net(x)
        ls = loss_of(out, *t)
        (ls[0] + ls[1] + ls[2]).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        log += [float(v.detach()) for v in ls]
        k = min(0.998, (step + 1) / (step + 20))
        with torch.no_grad():
            for e, v in zip(ema.state_dict().values(), net.state_dict().values()):
                if e.dtype.is_floating_point:
                    e.mul_(k).add_(v, alpha=1 - k)
                else:
                    e.copy_(v)
        if (step + 1) % 100 == 0:
            print(f"{step + 1} of {a.steps}  heat {log[0] / 100:.3f} offset {log[1] / 100:.3f} face {log[2] / 100:.3f}  {(time.time() - t0) / (step + 1 - start):.2f} s a step", flush=True)
            log[:] = 0
        if (step + 1) % 500 == 0:
            torch.save(dict(net=net.state_dict(), opt=opt.state_dict(), ema=ema.state_dict(), step=step + 1), a.out + ".ckpt")
    torch.save(dict(net=ema.state_dict(), args=vars(a)), a.out)
    if os.path.exists(a.out + ".ckpt"):
        os.remove(a.out + ".ckpt")


if __name__ == "__main__":
    main()
