"""The loop in which nets are trained: AdamW, a learning rate that rises over a hundred steps and falls as a cosine does, the mean of the net's weights
as what is kept, and checkpoints that carry on where they stopped."""
import copy
import math
import os
import time

import torch

from nets import follow, from_onnx


def options(parser, steps, batch, seed, workers=1):
    """What all who train here may be told."""
    parser.add_argument("--out")
    parser.add_argument("--init", help="a checkpoint (.pt) to go on from, or an exported file in floats (.onnx)")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--stop", type=int, help="leave off after so many steps, a multiple of those between checkpoints: what was reached stays")
    parser.add_argument("--seconds", type=float, help="ends after so long, the learning rate having fallen as after all steps")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--workers", type=int, default=workers, help="processes that make batches")
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--threads", type=int, default=2)


def begin(net, path, inputs):
    """Takes weights from a checkpoint, those that fit, or from an exported file in floats; `inputs()` gives a batch for the statistics of the latter."""
    if path and path.endswith(".onnx"):
        from_onnx(net, path, inputs())
    elif path:
        held, own = torch.load(path, weights_only=False, map_location="cpu")["net"], net.state_dict()
        net.load_state_dict({k: v if v.shape == own[k].shape else own[k] for k, v in held.items()})


def learn(a, net, batches, step_of, lr, decay=2e-2, device="cpu", every=500, names=()):
    """`batches(seed)` gives a DataLoader; step_of(net, batch) the losses, and what is to be shown of the step.

    `a`: as `options` has it."""
    stop, seconds = a.stop, a.seconds
    opt = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=decay)
    ema, start, spent = copy.deepcopy(net).eval(), 0, 0.0
    checkpoint = a.out + ".ckpt"
    if os.path.exists(checkpoint):
        c = torch.load(checkpoint, weights_only=False, map_location=device)
        net.load_state_dict(c["net"]), opt.load_state_dict(c["opt"]), ema.load_state_dict(c["ema"])
        start, spent = c["step"], c.get("spent", 0.0)
    loader = iter(batches(a.seed + start))
    t0, log, step = time.time(), 0, start
    net.train()
    while step < min(a.steps, stop or a.steps):
        far = (spent + time.time() - t0) / seconds if seconds else step / a.steps
        if far >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = lr * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * far)) + 1e-6
        losses, shown = step_of(net, next(loader))
        sum(losses).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        follow(ema, net, step)
        log = log + torch.stack([v.detach().float() for v in shown])
        step += 1
        if step % 100 == 0:
            said = [f"{n} {v:.4f}" for n, v in zip(names or [""] * len(log), (log / 100).tolist())]
            print(f"{step} of {a.steps}  {' '.join(said)}  {(time.time() - t0) / (step - start):.3f} s a step", flush=True)
            log = 0
        if step % every == 0:
            torch.save(dict(net=net.state_dict(), opt=opt.state_dict(), ema=ema.state_dict(), step=step, spent=spent + time.time() - t0), checkpoint)
    if stop and step < a.steps:
        return None
    torch.save(dict(net={k: v.cpu() for k, v in ema.state_dict().items()}, args=vars(a), steps=step), a.out)
    if os.path.exists(checkpoint):
        os.remove(checkpoint)
    return ema
