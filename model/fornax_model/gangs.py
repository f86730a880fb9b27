"""A gang below a third of the power that works against an honest validator: what it may choose."""

import json
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np

from .families import Draw


@dataclass
class Gang:
    """A strategy: shares are chances per block, times are blocks."""

    share: float = 0.0  # of all power, at most
    adjacent: bool = False  # its members take their turns one after another
    largest: bool = False  # of the most powerful validators, else of any
    victims: int = 1
    drop: float = 0.0  # leaves the victim's vote out of its own blocks
    every: int = 1  # only in each so many blocks of its own
    withhold: float = 0.0  # its precommits are missing where the victim proposes next
    spoil: float = 0.0  # votes nil on the victim's proposals
    idle: float = 0.0  # lets its own turns pass
    shield: bool = True  # leaves reports of its liars out of its own blocks
    lies: float = 0.0  # says wrong scores
    silent: float = 0.0  # does not vote at all
    period: int = 1  # all of that in the first `active` of each `period` blocks
    active: int = 1
    start: int = 100
    victim_late: float = 0.01  # the victim's own misfortune: votes late, of 64 nil, away now and then
    victim_nil: float = 0.0
    victim_away: int = 0  # blocks, up to 120
    victim_away_every: int = 800  # from `start` on
    victim_away_at: int = 300


BOUNDS: dict[str, tuple[float, float]] = {
    "share": (0.05, 0.333),
    "adjacent": (0, 1),
    "largest": (0, 1),
    "victims": (1, 3),
    "drop": (0, 1),
    "every": (1, 4),
    "withhold": (0, 1),
    "spoil": (0, 1),
    "idle": (0, 1),
    "shield": (0, 1),
    "lies": (0, 1),
    "silent": (0, 0.6),
    "period": (1, 300),
    "active": (1, 300),
    "start": (30, 900),
    "victim_late": (0, 0.06),
    "victim_nil": (0, 0.02),
    "victim_away": (0, 120),
    "victim_away_every": (700, 2_000),
    "victim_away_at": (20, 900),
}
NAMES = [spec.name for spec in fields(Gang)]
LOW, HIGH = (np.array([BOUNDS[name][end] for name in NAMES], float) for end in (0, 1))


def from_vector(vector: np.ndarray) -> Gang:
    """A gang from one value in 0 … 1 for each field."""
    values = LOW + np.clip(vector, 0, 1) * (HIGH - LOW)
    made = Gang()
    for spec, value in zip(fields(Gang), values):
        kind = type(getattr(made, spec.name))
        setattr(made, spec.name, kind(value >= 0.5) if kind is bool else kind(round(value, 4)))
    made.active = min(made.active, made.period)
    return made


def to_vector(gang: Gang) -> np.ndarray:
    return (np.array(astuple(gang), float) - LOW) / (HIGH - LOW)


FOUND_FILE = Path(__file__).with_name("gangs.json")
FOUND = [Gang(**f["gang"]) for f in json.loads(FOUND_FILE.read_text())] if FOUND_FILE.exists() else []


def draw_gang(draw: Draw, held_out: bool) -> Gang:
    """One that the search found, a little changed (not among held-out ones), or that somebody might think of."""
    if FOUND and not held_out and draw.chance(0.5):
        found = to_vector(draw.one_of(FOUND))
        return from_vector(found + 0.05 * (2 * draw.rng.random(len(found)) - 1))
    gang = Gang(share=draw.between(0.1, 0.333), adjacent=draw.chance(0.4), largest=draw.chance(0.3))
    if draw.chance(0.4):
        gang.share = 0.333
    gang.victims = draw.whole(1, 3)
    gang.start = draw.whole(30, 600)
    way = draw.whole(0, 4) if draw.chance(0.9) else 5
    if way in (0, 3, 4):
        gang.drop, gang.every = draw.one_of((1.0, 1.0, 0.5)), draw.one_of((1, 1, 2))
    if way in (1, 4):
        gang.withhold = draw.one_of((1.0, 0.5))
    if way in (2, 4):
        gang.spoil = draw.one_of((1.0, 0.7))
    if way == 5:
        gang.lies, gang.drop = draw.between(0.1, 1), 0.3
    if held_out or draw.chance(0.3):
        gang.period = draw.whole(20, 300)
        gang.active = draw.whole(10, gang.period)
    gang.victim_late = draw.between(0, 0.06)
    gang.victim_away = draw.one_of((0, 0, 18, 60, 120, 120))
    gang.victim_away_every = draw.whole(700, 2_000)
    gang.victim_away_at = draw.whole(20, 900)
    return gang
