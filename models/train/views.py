"""Views of pictures as cameras give them, a batch at once, on whatever device the pictures are: what data.random_view and data.camera_effects do to one.

Pictures (N, 3, H, W) uint8; an integer coordinate is a pixel's centre. All chance comes from a torch.Generator of that device.
"""
import functools
import math

import torch
import torch.nn.functional as F


def warped(pictures, index, back, size, fill=None):
    """(B, 3, size, size), 0 to 255: picture `index` as seen through `back`, which takes a view's pixels to the picture's (B, 2, 3 or B, 3, 3).

    Two by two samples a pixel where there are processors for it. `fill`: (B, 3) colours of what lies outside, NaN where the picture's edge goes on."""
    device, n = pictures.device, len(index)
    fine = 2 if pictures.is_cuda else 1
    m = fine * size
    u = (torch.arange(m, device=device) + 0.5) / fine - 0.5
    at = torch.stack([u.expand(m, -1), u[:, None].expand(-1, m), torch.ones(m, m, device=device)], -1).reshape(1, -1, 3)
    p = at @ back.to(device).transpose(1, 2)
    if p.shape[2] == 3:
        p = p[..., :2] / p[..., 2:].clamp(min=1e-6)
    wide = torch.tensor([pictures.shape[3], pictures.shape[2]], device=device)
    grid = ((p + 0.5) / wide * 2 - 1).view(n, m, m, 2)
    x = F.grid_sample(pictures[index].float(), grid, mode="bilinear", padding_mode="border", align_corners=False)
    if fill is not None:
        fill = fill.to(device)
        out = (grid.abs().amax(-1) > 1) & ~fill[:, :1, None].isnan()
        x = torch.where(out[:, None], torch.nan_to_num(fill)[:, :, None, None], x)
    return F.avg_pool2d(x, fine)


def filtered(x, kernels):
    """Each picture by its own kernel (B, k, k)."""
    b, c, h, w = x.shape
    k = kernels.shape[-1]
    q = F.pad(x, [k // 2] * 4, mode="replicate").reshape(1, b * c, h + k - 1, w + k - 1)
    return F.conv2d(q, kernels.repeat_interleave(c, 0)[:, None], groups=b * c).view(b, c, h, w)


@functools.lru_cache(None)
def _cosines(device):
    i = torch.arange(8.0, device=device)
    m = torch.cos((2 * i[None] + 1) * i[:, None] * math.pi / 16) * 0.5
    m[0] *= math.sqrt(0.5)
    return m


# what a step of each frequency is, about as the standard's example has it: coarser with the frequency
_STEP = [[16 + 5.5 * max(i + j - 1, 0) * (1 + 0.06 * max(i + j - 6, 0)) for i in range(8)] for j in range(8)]


def compressed(x, quality):
    """As a JPEG of this quality (B) has them: blocks of eight, colours at half the resolution."""
    b, _, h, w = x.shape
    x = F.pad(x, (0, -w % 16, 0, -h % 16), mode="replicate")
    r, g, bl = x.unbind(1)
    y = 0.299 * r + 0.587 * g + 0.114 * bl
    colour = F.avg_pool2d(torch.stack([bl - y, r - y], 1) * torch.tensor([0.564, 0.713], device=x.device)[:, None, None], 2)
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50).clamp(min=0.02)
    m, step = _cosines(x.device), torch.tensor(_STEP, device=x.device)

    def rounded(p, coarse):
        n, hh, ww = p.shape[0], p.shape[-2], p.shape[-1]
        blocks = p.reshape(n, -1, hh // 8, 8, ww // 8, 8).transpose(3, 4)
        f = m @ blocks @ m.T
        s = (step * coarse).clamp(max=255 / 4) * scale.view(-1, *[1] * (f.dim() - 1))
        f = torch.round(f / s.clamp(min=1)) * s.clamp(min=1)
        return (m.T @ f @ m).transpose(3, 4).reshape(p.shape)

    y = rounded(y[:, None] - 128, 1.0)[:, 0] + 128
    u, v = F.interpolate(rounded(colour, 1.3), scale_factor=2, mode="bilinear", align_corners=False).unbind(1)
    rgb = torch.stack([y + 1.402 * v, y - 0.344 * u - 0.714 * v, y + 1.772 * u], 1)
    return rgb[:, :, :h, :w].clamp(0, 255)


def coloured(x, g, strength):
    """Hue and saturation, of each picture its own: chroma turned and stretched about grey; now and then all grey."""
    b, dev = len(x), x.device
    u = lambda lo, hi, *s: torch.rand(b, *s, generator=g, device=dev) * (hi - lo) + lo
    yes = lambda p: (torch.rand(b, generator=g, device=dev) < p).view(-1, 1, 1, 1)
    nrm = lambda: torch.randn(b, generator=g, device=dev)
    luma = torch.tensor([0.299, 0.587, 0.114], device=dev)
    turn = torch.where(torch.rand(b, generator=g, device=dev) < 0.5, nrm() * 0.4 * strength, torch.zeros(b, device=dev))
    axis = torch.full((3,), 3**-0.5, device=dev)
    cross = torch.tensor([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]], device=dev)
    rot = torch.eye(3, device=dev) + turn.sin()[:, None, None] * cross + (1 - turn.cos())[:, None, None] * (cross @ cross)
    sat = torch.where(torch.rand(b, generator=g, device=dev) < 0.05, torch.zeros(b, device=dev), u(0.4, 1.5))[:, None, None, None]
    grey = (x * luma[:, None, None]).sum(1, keepdim=True)
    x = torch.where(yes(0.5), (grey + (torch.einsum("bij,bjhw->bihw", rot, x - grey)) * sat).clamp(0, 255), x)
    grey = (x * luma[:, None, None]).sum(1, keepdim=True)
    return torch.where(yes(0.05), grey.expand_as(x), x)


def camera(x, g, strength=1.0, quality=25.0, hues=True):
    """Colour, light, blur, noise and compression, of each picture its own (B, 3, H, W; 0 to 255). Without `hues` colours stay what they are, but for their light."""
    b, dev = len(x), x.device
    u = lambda lo, hi, *s: torch.rand(b, *s, generator=g, device=dev) * (hi - lo) + lo
    nrm = lambda *s: torch.randn(b, *s, generator=g, device=dev)
    yes = lambda p: (torch.rand(b, generator=g, device=dev) < p).view(-1, 1, 1, 1)
    x = coloured(x, g, strength) if hues else x
    curve = torch.exp(nrm(1, 1, 1) * 0.25)
    x = (x / 255) ** curve * torch.exp(nrm(1, 1, 1) * 0.2) + nrm(1, 1, 1) * 0.04
    x = (x.clamp(0, 1) * (1 + nrm(3, 1, 1) * 0.07)).clamp(0, 1) * 255
    if hues:
        order = torch.argsort(torch.rand(b, 3, generator=g, device=dev), 1)
        order = torch.where(yes(0.15)[:, :, 0, 0], order, torch.arange(3, device=dev)[None])
        x = torch.gather(x, 1, order[:, :, None, None].expand_as(x))
    # blur, in focus' way or in motion's, and sharpening
    k = 9
    i = torch.arange(k, device=dev) - k // 2
    d2 = (i[:, None] ** 2 + i[None] ** 2).float()
    which = torch.rand(b, generator=g, device=dev)[:, None, None]
    soft = torch.exp(-d2 / (2 * torch.where(which < 0.2, u(0.4, 1.8 * strength, 1, 1), u(0.7, 2, 1, 1)) ** 2))
    soft = soft / soft.sum((1, 2), keepdim=True)
    a, length = u(0, math.pi, 1, 1), u(1, 4, 1, 1)
    along = i[None, None] * a.cos() + i[None, :, None] * a.sin()
    across = -i[None, None] * a.sin() + i[None, :, None] * a.cos()
    line = torch.exp(-((across / 0.6) ** 2)) * torch.sigmoid(4 * (length - along.abs()))
    line = line / line.sum((1, 2), keepdim=True)
    same = torch.zeros(k, k, device=dev)
    same[k // 2, k // 2] = 1
    kernel = torch.where(which < 0.2, soft, torch.where(which < 0.28, line, torch.where(which < 0.36, 1.8 * same - 0.8 * soft, same.expand(b, -1, -1))))
    x = filtered(x, kernel).clamp(0, 255)
    # fewer pixels, as streams have them
    f = float(torch.rand((), generator=g, device=dev)) * 0.45 + 0.45
    small = F.interpolate(x, scale_factor=f, mode="area")
    x = torch.where(yes(0.25), F.interpolate(small, size=x.shape[2:], mode="bilinear", align_corners=False), x)
    noise = torch.randn(x.shape, generator=g, device=dev)
    noise = torch.where(yes(0.4), F.avg_pool2d(noise, 3, 1, 1) * 2, noise) * u(1, 12 * strength, 1, 1, 1)
    x = torch.where(yes(0.45), x + noise, x).clamp(0, 255)
    part, dot = u(0.001, 0.02, 1, 1, 1) / 2, torch.rand(b, 1, *x.shape[2:], generator=g, device=dev)
    spotted = torch.where(dot < part, torch.zeros_like(x), torch.where(dot > 1 - part, torch.full_like(x, 255), x))
    x = torch.where(yes(0.15), spotted, x)
    return torch.where(yes(0.4), compressed(x, u(quality, 95)), x)
