"""What networks are drawn: their sizes, powers, mixes of families, partitions and gangs."""

from dataclasses import dataclass, field

import numpy as np

from . import families as fam
from .families import FAMILY, Draw, Validator
from .gangs import Gang, draw_gang

TRAIN_SIZES = [
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    10,
    11,
    13,
    16,
    19,
    21,
    25,
    30,
    36,
    43,
    50,
    64,
    75,
    90,
    100,
    128,
    175,
    210,
]
HELD_OUT_SIZES = [4, 7, 9, 12, 14, 18, 23, 33, 40, 57, 70, 82, 110, 150, 175, 240]
TRAIN_BLOCK_TIMES = (1.0, 2.0, 5.0, 10.0)
HELD_OUT_BLOCK_TIMES = (1.5, 3.0, 6.0)
POWERS = ("equal", "falling slowly", "jittered", "Zipf", "one whale")


@dataclass
class Network:
    """One run: its validators and what happens to all of them."""

    validators: list[Validator]
    power: np.ndarray
    blips: float = 0.0  # chance a block that the whole network gets lossy for some blocks
    splits: list[tuple[int, int]] = field(default_factory=list)  # partitions: from, until
    apart: np.ndarray | None = None  # who is cut off then
    gang: Gang | None = None
    members: np.ndarray | None = None  # of the gang
    victims: np.ndarray | None = None  # whom it works against


def draw_powers(draw: Draw, size: int, shape: str | None = None) -> np.ndarray:
    """Voting powers of one shape; a whale has 30 to 45 %."""
    shape = shape or draw.one_of(POWERS)
    if shape == "equal" or size < 4:
        return np.full(size, 1000)
    if shape == "falling slowly":
        power = 1 / (1 + np.arange(size)) ** 0.6
    elif shape == "jittered":
        power = 0.4 + draw.rng.random(size)
    elif shape == "Zipf":
        power = 1 / (1 + np.arange(size))
    else:
        whale = draw.between(0.3, 0.45)
        power = np.full(size, (1 - whale) / (size - 1))
        power[draw.whole(0, size - 1)] = whale
    return np.maximum(1, np.floor(1_000_000 * power / power.sum())).astype(np.int64)


def draw_network(rng: np.random.Generator, size: int, blocks: int, held_out: bool) -> Network:
    """A network of honest validators with a few faulty ones, below a third of the power."""
    draw = Draw(rng)
    block_time = draw.one_of(HELD_OUT_BLOCK_TIMES if held_out else TRAIN_BLOCK_TIMES)
    noise = (0.001 + 0.012 * draw.rng.random() ** 2) * (2 if block_time < 2 else 1)
    power = draw_powers(draw, size)
    kinds = ["normal"] * 10 + ["straggler"] * 2 + ["slow region"] * 2 + ["restarts"] * 2 + ["flaky"]
    kinds += ["busy by day", "outage of up to 10 minutes", "outage of up to 10 minutes"]
    kinds += ["new joiner", "broken engine", "overloaded", "wrong units or clock"]
    if size < 4:  # cannot go on without any one of them
        kinds = ["normal", "broken engine", "wrong units or clock"]
    if draw.chance(0.3):
        kinds = ["normal"]
    validators = [fam.honest(draw.one_of(kinds), draw, held_out, blocks, noise) for _ in range(size)]
    joiners = [number for number, v in enumerate(validators) if v.joined_at]
    if len(joiners) * 4 > size or size < 6:
        for number in joiners:
            validators[number] = fam.honest("normal", draw, held_out, blocks, noise)
    network = Network(validators, power, draw.between(0, 0.004) if draw.chance(0.7) else 0.0)
    order = rng.permutation(size)
    fate = draw.rng.random()
    if size >= 6 and fate < 0.15:
        split(network, draw, order, blocks, held_out)
    elif size >= 4 and fate < 0.45:
        settle(network, draw_gang(draw, held_out), draw)
    elif fate < 0.92:
        spread_faults(network, draw, order, blocks, held_out, noise)
    return network


def spread_faults(network: Network, draw: Draw, order, blocks: int, held_out: bool, noise: float) -> None:
    size, total, spent = len(network.power), int(network.power.sum()), 0
    wanted = draw.whole(1, max(1, size // 10))
    chosen = fam.FAULTY_FAMILIES + fam.MILD_FAMILIES[:4]
    for number in order:
        if wanted and (spent + network.power[number]) * 100 <= 29 * total:
            network.validators[number] = fam.faulty(draw.one_of(chosen), draw, held_out, blocks, noise, size)
            spent += int(network.power[number])
            wanted -= 1


def split(network: Network, draw: Draw, order: np.ndarray, blocks: int, held_out: bool) -> None:
    """Cuts 5 … 30 % of the power off, for up to 120 blocks or for an hour and more."""
    power, share = network.power, draw.between(0.05, 0.3)
    apart = np.zeros(len(power), bool)
    for number in order:
        if (power[apart].sum() + power[number]) <= share * power.sum():
            apart[number] = True
    at = draw.whole(80, blocks // 2)
    long = draw.chance(0.25)
    length = draw.whole(720, 900) if long else draw.one_of((60, 100, 120)) if held_out else draw.whole(5, 120)
    network.splits = [(at, at + length)]
    if not long and draw.chance(0.3):
        network.splits.append((at + length + 600, at + length + 600 + draw.whole(5, 120)))
    network.apart = apart
    for number in np.nonzero(apart)[0]:
        network.validators[number].offline = []
        network.validators[number].family = FAMILY["partition victim"]


def settle(network: Network, gang: Gang, draw: Draw) -> None:
    """Picks a gang's members of at most its share of the power, and its victims among the others."""
    power, size = network.power, len(network.power)
    order = draw.rng.permutation(size)
    if gang.adjacent:  # of equal powers, those with neighbouring numbers have neighbouring turns
        order = np.roll(np.arange(size), draw.whole(0, size - 1))
    if gang.largest:
        order = np.argsort(-power, kind="stable")
    members = np.zeros(size, bool)
    for number in order:
        if power[members].sum() + power[number] <= gang.share * power.sum():
            members[number] = True
    others = np.nonzero(~members)[0]
    victims = np.zeros(size, bool)
    victims[draw.rng.choice(others, min(gang.victims, len(others)), replace=False)] = True
    for number in range(size):
        v = network.validators[number]
        if members[number]:
            v.family, v.fault_at = FAMILY["gang below a third"], gang.start
            v.kind, v.lies = (fam.LIAR if gang.lies > 0 else fam.MILD), gang.lies
        elif victims[number]:
            v.family = FAMILY["victim of a gang"]
            v.late = v.burst = gang.victim_late
            v.nil, v.far, v.joined_at, v.offline = gang.victim_nil, False, 0, []
            v.wave, v.wave_late, v.far_late = 0, 0.0, 0.0
            if gang.victim_away:
                every = gang.victim_away_every
                starts = [gang.start + gang.victim_away_at + k * every for k in range(5)]
                v.offline = [(s, s + gang.victim_away) for s in starts]
    network.gang, network.members, network.victims = gang, members, victims
