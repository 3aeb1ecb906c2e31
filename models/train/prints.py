"""Made prints for metric learning: batches in which alike faces meet, and the loss that parts them.

A batch holds groups. A group is one print on one kind of die, seen `VIEWS` times in one quarter turn (turns that
look the same count as one). Half the groups come from families of four that are alike (../synth/art.py), on the
same kind of die, as the faces of a copy are; the others from anywhere. What is enrolled later was never here.
"""
import os
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "synth"))
import symbols  # noqa: E402

VIEWS = 4
FAMILIES, KINDS = 3000, 4000
FIRST = 8


def batch(r, n, size):
    """n faces (n, size, size, 3), and for each its group, print and kind (n, 3)."""
    groups = []
    while len(groups) < n // VIEWS:
        kind = int(r.integers(KINDS))
        family = FIRST + 4 * int(r.integers(FAMILIES))
        if len(groups) < n // VIEWS // 2:
            groups += [(family + i, kind, int(r.integers(4))) for i in range(4)]
            if r.random() < 0.5:  # the same print a quarter or half a turn round
                groups.append((groups[-1][0], kind, (groups[-1][2] + int(r.integers(1, 4))) % 4))
        else:
            groups.append((family + int(r.integers(4)), kind, int(r.integers(4))))
    faces, labels = [], []
    seen = {}
    for symbol, kind, turn in groups[: n // VIEWS]:
        same = symbols.turns(symbol)
        least = min((turn + t) % 4 for t in same)
        group = seen.setdefault((symbol, kind, least), len(seen))
        for _ in range(VIEWS):
            # easy views more often than those that hardly show a print
            view = int(r.integers(1 << 40))
            im = symbols.face(symbol, kind, view, size=size, least=18.0, steep=55.0)
            faces.append(np.rot90(im, turn))
            labels.append((group, symbol, kind))
    return np.stack(faces), np.array(labels)


def pips(r, size):
    """A made pip face, turned anyhow, and its value."""
    value = int(r.integers(1, 7))
    im = symbols.face(value - 1, int(r.integers(KINDS)), int(r.integers(1 << 40)), size=size, least=16.0)
    return np.rot90(im, int(r.integers(4))), value


def loss(e, labels, others, scale, margin, none):
    """Each face against its group's other faces: the group must be nearer than every other print, every enrolled
    face of another game (`others`, unit vectors), and what is no face at all (likeness `none`).

    The same sum of exp(scale * cosine) decides in the program (src/vision/reader.rs). Faces of the same print on
    another kind, should they meet, neither pull nor push.
    """
    group, symbol, kind = labels.T
    cos = e @ e.T
    eye = torch.eye(len(e), dtype=torch.bool, device=e.device)
    same = (group[:, None] == group[None]) & ~eye
    apart = (group[:, None] != group[None]) & ~((symbol[:, None] == symbol[None]) & (kind[:, None] != kind[None]))
    rest = torch.cat([(scale * cos).masked_fill(~apart, -1e4), scale * (e @ others.T), cos.new_full((len(e), 1), scale * none)], 1)
    rest = torch.logsumexp(rest, 1)
    each = torch.logaddexp(scale * (cos - margin), rest[:, None]) - scale * (cos - margin)
    right = (cos.masked_fill(~same, -2).amax(1) > cos.masked_fill(~apart, -2).amax(1)).float().mean()
    return (each * same).sum() / same.sum().clamp(min=1), right
