"""The networks, small enough to be trained on two processor cores.

Detector: one picture in, one map of stride 8 out. Per cell, in this order:
  0      logit: a die's centre (centre of the box round the whole die) lies in this cell
  1, 2   where in the cell the centre is, in cells, from the cell's centre
  3      log(size / 32), size = square root of the top face's area, in pixels of the input
  4, 5   top face's centre less the die's centre, in units of size
  6..8   a, b, c of the symmetric matrix S = [[a, b], [b, c]], in units of size
  9, 10  cos 4t, sin 4t
The top face is centre + S R(t) (+-1/2, +-1/2). A square turned by 90 degrees is the same
square: an angle that counts four times has no seam where the network would have to jump.

Solid detector (d4, d8, d10, d12, d20): the same net with other channels (solids.py): 0 to 8 as above, of a face with any number of corners
and an area of 1 where S is none; 9 to 14 the cosine and sine of its turn once (d10), three times (d4, d8, d20) and five
times (d12); 15, 16 the middle of what is up less the middle of the foot, in units of size; 17 to 21 logits of the five shapes.

Card detector (cards, boards): the same net (card_detector.py): 0 to 3 as above, of the card's own middle and area; 4, 5 the perspective, parts of
a size by which what lies a size further on is smaller; 6 to 10 as above, of the card.

Reader: a rectified top face in, a unit vector out (metric learning, not turn-invariant).
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

DET_CHANNELS = 11
SOLID_CHANNELS = 22
CARD_CHANNELS = 11


def short_floats(device="cpu"):
    """bfloat16 where the processor computes in it; elsewhere it is emulated, ten times slower than float32."""
    return torch.autocast(device, dtype=torch.bfloat16, enabled=device != "cpu" or torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())


@torch.no_grad()
def follow(ema, net, step):
    """The mean of what the net was lately, which is what is kept of it."""
    k = min(0.998, (step + 1) / (step + 20))
    e, n = ema.state_dict().values(), net.state_dict().values()
    floats = [(a, b) for a, b in zip(e, n) if a.dtype.is_floating_point]
    torch._foreach_lerp_([a for a, _ in floats], [b for _, b in floats], 1 - k)
    for a, b in zip(e, n):
        if not a.dtype.is_floating_point:
            a.copy_(b)


def conv(cin, cout, k=3, s=1):
    return nn.Sequential(
        nn.Conv2d(cin, cout, k, s, k // 2, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True)
    )


class Block(nn.Module):
    """1x1 down, 3x3 up, added to its input."""

    def __init__(self, c, mid):
        super().__init__()
        self.a = conv(c, mid, 1)
        self.b = nn.Sequential(nn.Conv2d(mid, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x):
        return F.relu(x + self.b(self.a(x)))


class Detector(nn.Module):
    def __init__(self, c=(16, 24, 64, 112, 160), neck=64, channels=DET_CHANNELS):
        super().__init__()
        self.s2 = conv(3, c[0], 3, 2)
        self.s4 = nn.Sequential(conv(c[0], c[1], 3, 2), Block(c[1], c[1]))
        self.s8 = nn.Sequential(conv(c[1], c[2], 3, 2), *[Block(c[2], c[2] // 2) for _ in range(2)])
        self.s16 = nn.Sequential(conv(c[2], c[3], 3, 2), *[Block(c[3], c[3] // 2) for _ in range(3)])
        self.s32 = nn.Sequential(conv(c[3], c[4], 3, 2), *[Block(c[4], c[4] // 2) for _ in range(3)])
        self.l32 = conv(c[4], neck, 1)
        self.l16 = conv(c[3], neck, 1)
        self.l8 = conv(c[2], neck, 1)
        self.m16 = conv(neck, neck)
        self.m8 = conv(neck, neck)
        self.heat = nn.Sequential(conv(neck, 32), nn.Conv2d(32, 1, 1))
        self.geom = nn.Sequential(conv(neck, 48), nn.Conv2d(48, channels - 1, 1))
        nn.init.constant_(self.heat[1].bias, -4.0)

    def forward(self, x):
        x8 = self.s8(self.s4(self.s2(x)))
        x16 = self.s16(x8)
        x32 = self.s32(x16)
        up = lambda t: F.interpolate(t, scale_factor=2.0, mode="nearest")
        n16 = self.m16(self.l16(x16) + up(self.l32(x32)))
        n8 = self.m8(self.l8(x8) + up(n16))
        return torch.cat([self.heat(n8), self.geom(n8)], 1)


def face_body(c):
    """What readers share: 48 pixels down to a map of six by six."""
    return nn.Sequential(
        conv(3, c[0], 3, 2), Block(c[0], c[0]),
        conv(c[0], c[1], 3, 2), Block(c[1], c[1] // 2),
        conv(c[1], c[2], 3, 2), Block(c[2], c[2] // 2),
        conv(c[2], c[3], 3, 1),
    )


class Reader(nn.Module):
    def __init__(self, dim=64, c=(32, 64, 96, 128)):
        super().__init__()
        self.body = face_body(c)
        self.head = nn.Linear(c[3] * 36, dim)

    def forward(self, x):
        return F.normalize(self.head(self.body(even(x)).flatten(1)), dim=1)


class Comparer(nn.Module):
    """Two upright faces of 64 pixels, RGB each, what is seen and what an owner's picture shows: log-odds that they show the same print (comparer.py)."""

    def __init__(self, c=(24, 48), d=(48, 80, 64)):
        super().__init__()
        self.body = nn.Sequential(conv(3, c[0], 3, 2), Block(c[0], c[0]), conv(c[0], c[1], 3, 2), Block(c[1], c[1] // 2))
        self.pair = nn.Sequential(
            conv(3 * c[1], d[0], 1), Block(d[0], d[0]),
            conv(d[0], d[1], 3, 2), Block(d[1], d[1]),
            conv(d[1], d[2], 3, 2),
        )
        self.head = nn.Sequential(nn.Linear(d[2] * 16, 48), nn.ReLU(inplace=True), nn.Linear(48, 1))

    def look(self, x):
        return self.body(x)

    def compare(self, a, b):
        return self.head(self.pair(torch.cat([a, b, (a - b).abs()], 1)).flatten(1))[:, 0]

    def forward(self, pairs):
        return self.compare(self.look(pairs[:, :3]), self.look(pairs[:, 3:]))


class Chooser(nn.Module):
    """Three upright faces of 64 pixels, RGB each, what is seen and two owner's pictures: log-odds that it shows what the first does and not what the second (chooser.py)."""

    def __init__(self, c=(24, 48), d=(64, 80, 64)):
        super().__init__()
        self.body = nn.Sequential(conv(3, c[0], 3, 2), Block(c[0], c[0]), conv(c[0], c[1], 3, 2), Block(c[1], c[1] // 2))
        self.pair = nn.Sequential(conv(6 * c[1], d[0], 1), Block(d[0], d[0]), conv(d[0], d[1], 3, 2), Block(d[1], d[1] // 2), conv(d[1], d[2], 3, 2))
        self.head = nn.Sequential(nn.Linear(d[2] * 16, 48), nn.ReLU(inplace=True), nn.Linear(48, 1))

    def look(self, x):
        return self.body(x)

    def first(self, a, b, c):
        all_of = torch.cat([a, b, c, (a - b).abs(), (a - c).abs(), (b - c).abs()], 1)
        return self.head(self.pair(all_of).flatten(1))[:, 0]

    def choose(self, a, b, c):
        """The other way round it is the opposite."""
        return self.first(a, b, c) - self.first(a, c, b)

    def forward(self, triples):
        return self.choose(*(self.look(triples[:, 3 * k : 3 * k + 3]) for k in range(3)))


class Refiner(nn.Module):
    """A die's neighbourhood, laid straight by an outline that is a little off: how far each corner lies off, x and y in
    sides of the outline, clockwise from the upper left (8), and the log of how far off the middle may be after that."""

    def __init__(self, c=(24, 48, 96, 48)):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, c[0], 3, 2), Block(c[0], c[0]),
            conv(c[0], c[1], 3, 2), Block(c[1], c[1] // 2), Block(c[1], c[1] // 2),
            conv(c[1], c[2], 3, 2), Block(c[2], c[2] // 2), Block(c[2], c[2] // 2),
            conv(c[2], c[3], 1),
        )
        self.head = nn.Sequential(nn.Linear(c[3] * 64, 128), nn.ReLU(inplace=True), nn.Linear(128, 9))
        nn.init.normal_(self.head[2].weight, 0, 0.01)
        nn.init.constant_(self.head[2].bias, 0)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


class PieceDetector(nn.Module):
    """A flattened square of a surface in, maps of stride 4 out.

    In: what it shows now and its print (RGB each), and how far a point 1 mm above each pixel seems shifted (mm).
    Out, per cell:
      0..3   logits: a ship, a token, a crystal, a die stands with its middle in this cell
      4      logit: neither the surface nor anything of the game is what is seen here
      5..9   a ship: where it stands, in cells, from the cell's centre (2); cosine and sine of its heading, clockwise
             from up; log(half its length / 12), in pixels
      10..12 a token: where, and log(half its width / 12)
      13..15 a crystal: the same
      16..20 a die: where its middle is over the surface, cosine and sine of four times its heading, log(half its edge / 8)
    """

    def __init__(self, c=(24, 48, 64, 96), neck=48):
        super().__init__()
        self.s2 = conv(8, c[0], 3, 2)
        self.s4 = nn.Sequential(conv(c[0], c[1], 3, 2), Block(c[1], c[1] // 2))
        self.s8 = nn.Sequential(conv(c[1], c[2], 3, 2), *[Block(c[2], c[2] // 2) for _ in range(2)])
        self.s16 = nn.Sequential(conv(c[2], c[3], 3, 2), *[Block(c[3], c[3] // 2) for _ in range(3)])
        self.l16, self.l8, self.l4 = conv(c[3], neck, 1), conv(c[2], neck, 1), conv(c[1], neck, 1)
        self.m8, self.m4 = conv(neck, neck), conv(neck, neck)
        self.heat = nn.Sequential(conv(neck, 32), nn.Conv2d(32, 5, 1))
        self.geom = nn.Sequential(conv(neck, 48), nn.Conv2d(48, 16, 1))
        nn.init.constant_(self.heat[1].bias, -4.0)

    def forward(self, x):
        x4 = self.s4(self.s2(x))
        x8 = self.s8(x4)
        up = lambda t: F.interpolate(t, scale_factor=2.0, mode="nearest")
        n8 = self.m8(self.l8(x8) + up(self.l16(self.s16(x8))))
        n4 = self.m4(self.l4(x4) + up(n8))
        return torch.cat([self.heat(n4), self.geom(n4)], 1)


class PieceJudge(nn.Module):
    """A place where something may stand, upright and filling the picture, in (see judge.py; planes as PieceDetector has them).
    Out: logits of a ship, a token, a crystal (3); a ship: how far its foot is from where it was thought to be, right and down, in half
    lengths (2), log of how much longer, cosine and sine of how much further clockwise it is turned (2); a token and a crystal: where (2), log of how much larger."""

    def __init__(self, c=(24, 48, 80, 112)):
        super().__init__()
        self.body = nn.Sequential(
            conv(8, c[0], 3, 2), Block(c[0], c[0]),
            conv(c[0], c[1], 3, 2), Block(c[1], c[1] // 2), Block(c[1], c[1] // 2),
            conv(c[1], c[2], 3, 2), Block(c[2], c[2] // 2), Block(c[2], c[2] // 2),
            conv(c[2], c[3], 3, 2), Block(c[3], c[3] // 2),
        )
        self.head = nn.Sequential(nn.Linear(c[3] * 16, 128), nn.ReLU(inplace=True), nn.Linear(128, 14))

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


class PieceReader(nn.Module):
    """A piece cut out of a flattened surface or of its owner's photograph in, a unit vector out. Colours count."""

    def __init__(self, dim=32, c=(24, 40, 56, 72)):
        super().__init__()
        self.body = face_body(c)
        self.head = nn.Linear(c[3] * 36, dim)

    def forward(self, x):
        return F.normalize(self.head(self.body(x).flatten(1)), dim=1)


def even(x):
    """Each face with its own mean and contrast taken out: exposure and white balance tell nothing of a print."""
    x = x - x.mean((2, 3), keepdim=True)
    return x / ((x * x).mean((1, 2, 3), keepdim=True) + 0.01).sqrt()


@torch.no_grad()
def from_onnx(net, path, x):
    """Takes the weights of an exported file, so that training can go on from what ships.

    Exporting folds each normalisation into its convolution; here it is taken out again with the statistics
    of the batch x (N, 3, H, W), so that what the net computes stays the same and training finds its footing.
    """
    import onnx
    from onnx import numpy_helper

    m = onnx.load(path)
    held = {i.name: torch.from_numpy(numpy_helper.to_array(i).astype("float32")) for i in m.graph.initializer}
    for n in m.graph.node:
        if n.op_type == "Cast" and n.input[0] in held:
            held[n.output[0]] = held[n.input[0]]
    folded = [[held[i] for i in n.input[1:]] for n in m.graph.node if n.op_type in ("Conv", "Gemm")]
    bias = None

    def take(module, inputs):
        nonlocal bias
        if isinstance(module, nn.BatchNorm2d):
            var, mean = torch.var_mean(inputs[0].float(), (0, 2, 3), unbiased=False)
            module.running_mean.copy_(mean)
            module.running_var.copy_(var)
            module.weight.copy_((var + module.eps).sqrt())
            module.bias.copy_(bias + mean)
            return
        weight, bias = folded.pop(0)
        module.weight.copy_(weight)
        if module.bias is not None:
            module.bias.copy_(bias)

    hooks = [k.register_forward_pre_hook(take) for k in net.modules() if isinstance(k, (nn.Conv2d, nn.Linear, nn.BatchNorm2d))]
    net.eval()(x)
    for h in hooks:
        h.remove()
    assert not folded, f"{path} holds more layers than this net"
    return net
