"""What networks are drawn: their sizes, powers, mixes of families, and partitions."""

from dataclasses import dataclass

import numpy as np

from . import families as fam
from .families import FAMILY, Draw, Validator

TRAIN_SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16, 19, 21, 25, 30, 36, 43, 50, 64, 75, 90, 100, 128, 175]
HELD_OUT_SIZES = [4, 7, 9, 12, 14, 18, 23, 33, 40, 57, 70, 82, 110, 150, 160, 175]
TRAIN_BLOCK_TIMES = (1.0, 2.0, 5.0, 10.0)
HELD_OUT_BLOCK_TIMES = (1.5, 3.0, 6.0)


@dataclass
class Network:
    """One run: its validators and what happens to all of them."""

    validators: list[Validator]
    power: np.ndarray
    blips: float  # chance a block that the whole network gets lossy for some blocks
    split: tuple[int, int] | None  # a partition: from, until
    apart: np.ndarray  # who is cut off then
    excused: bool  # at least 20 % of the others are cut off too


def draw_powers(draw: Draw, size: int) -> np.ndarray:
    """Voting powers: equal, falling slowly, or jittered; nobody above 30 % (26 % of four)."""
    shape = draw.whole(0, 2)
    if shape == 0 or size < 5:
        return np.full(size, 1000)
    power = 1 / (1 + np.arange(size)) ** 0.6 if shape == 1 else 0.4 + draw.rng.random(size)
    power = power / power.sum()
    return np.maximum(1, np.floor(1_000_000 * np.minimum(power, 0.28))).astype(np.int64)


def draw_network(rng: np.random.Generator, size: int, blocks: int, held_out: bool) -> Network:
    """A network of honest validators with a few faulty ones, below a third of the power."""
    draw = Draw(rng)
    block_time = (HELD_OUT_BLOCK_TIMES if held_out else TRAIN_BLOCK_TIMES)[
        draw.whole(0, 2 if held_out else 3)
    ]
    noise = (0.001 + 0.012 * draw.rng.random() ** 2) * (2 if block_time < 2 else 1)
    power = draw_powers(draw, size)
    total, spent = int(power.sum()), 0
    split, apart, excused = None, np.zeros(size, bool), False
    kinds = ["normal"] * 12 + ["straggler"] * 3 + ["slow region"] * 2 + ["upgrade restart"] * 2
    kinds += ["new joiner", "broken engine", "overloaded"]
    if size < 4:  # cannot go on without any one of them
        kinds = ["normal", "broken engine"]
    validators = [
        fam.honest(kinds[draw.whole(0, len(kinds) - 1)], draw, held_out, blocks, noise) for _ in range(size)
    ]
    if sum(v.joined_at == 0 for v in validators) * 4 < size * 3 or size < 6:
        for number, v in enumerate(validators):
            if v.joined_at:
                validators[number] = fam.honest("normal", draw, held_out, blocks, noise)
    order = rng.permutation(size)
    if size >= 10 and draw.chance(0.25):
        split, apart, excused = draw_partition(draw, order, power, blocks, held_out)
        for number in np.nonzero(apart)[0]:
            validators[number] = fam.honest("normal", draw, held_out, blocks, noise)
            validators[number].family = FAMILY["partition victim"]
    elif draw.chance(0.8):
        wanted = draw.whole(1, max(1, size // 12))
        for number in order:
            if wanted and (spent + power[number]) * 100 <= 29 * total:
                family = fam.FAULTY_FAMILIES[draw.whole(0, len(fam.FAULTY_FAMILIES) - 1)]
                validators[number] = fam.faulty(family, draw, held_out, blocks, noise, size)
                spent += int(power[number])
                wanted -= 1
    return Network(validators, power, draw.between(0, 0.004), split, apart, excused)


def draw_partition(draw: Draw, order: np.ndarray, power: np.ndarray, blocks: int, held_out: bool):
    """A group of 22 … 30 % of validators for long, or of less for at most 26 blocks."""
    size = len(order)
    large = draw.chance(0.7)
    share = draw.between(0.25, 0.3) if held_out else draw.between(0.22, 0.31)
    wanted = int(np.ceil(share * (size - 1))) + 1 if large else max(2, int(draw.between(0.02, 0.15) * size))
    apart = np.zeros(size, bool)
    apart[order[:wanted]] = True
    if power[apart].sum() * 100 > 30 * power.sum():
        apart[:] = False
        apart[np.argsort(power, kind="stable")[:wanted]] = True  # the smallest ones
    if power[apart].sum() * 100 > 30 * power.sum():
        large, apart[:] = False, False
        apart[order[0]] = True
    at = draw.whole(80, blocks // 2)
    return (at, at + (draw.whole(30, 300) if large else draw.whole(3, 26))), apart, large
