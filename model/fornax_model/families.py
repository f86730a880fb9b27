"""Kinds of validators, honest and faulty, as parameters of the simulator.

Each family has two variants: the one that is trained on, and a held-out one with other patterns or ranges.
"""

from dataclasses import dataclass, field

import numpy as np

NEVER = 1 << 30

# what a fault is, for labels
HONEST, EVIDENCE, LIAR, OFFLINE, PARTLY, NO_PROPOSALS, MILD = range(7)

HONEST_FAMILIES = [
    "normal",
    "straggler",
    "flaky",
    "busy by day",
    "slow region",
    "restarts",
    "outage of up to 10 minutes",
    "partition victim",
    "new joiner",
    "victim of a gang",
    "broken engine",
    "overloaded",
    "wrong units or clock",
]
MILD_FAMILIES = [  # at most Moderate: what only two sides can know, or too little
    "now and then silent",
    "skips turns",
    "censor",
    "withholds from some proposers",
    "gang below a third",
]
FAULTY_FAMILIES = [
    "equivocator",
    "score liar",
    "quiet liar",
    "silent for an hour or for good",
    "partly silent",
    "nil voter",
    "never proposes",
    "telemetry liar",
    "slow then attack",
]
FAMILIES = HONEST_FAMILIES + MILD_FAMILIES + FAULTY_FAMILIES
FAMILY = {name: number for number, name in enumerate(FAMILIES)}


@dataclass
class Validator:
    """Behaviour of one validator.

    Probabilities are per block; `late` and `burst` are the chances to miss a block after one that was voted
    on, and after one that was missed.
    """

    family: int
    kind: int = HONEST
    joined_at: int = 0
    fault_at: int = NEVER
    fault_until: int = NEVER
    late: float = 0.002
    burst: float = 0.002
    nil: float = 0.0005
    fails_proposal: float = 0.005
    far: bool = False
    far_late: float = 0.0
    wave: int = 0  # period of its load in blocks
    wave_late: float = 0.0  # what is missed at its height
    deviant: float = 0.0005
    disagreement: float = 0.0
    fault_late: float = -1.0
    fault_burst: float = -1.0
    fault_nil: float = -1.0
    withholds_proposal: float = 0.0
    lies: float = 0.0
    lie_period: int = 1  # lies in the first `lie_blocks` of each `lie_period` blocks
    lie_blocks: int = 1
    censors: float = 0.0
    censors_the_same: bool = False
    withholds_from: float = 0.0  # share of proposers in whose blocks its vote is missing
    evidence: int = 0
    period: int = 0  # a faulty validator misses the first `period_missed` of each `period` blocks
    period_missed: int = 0
    offline: list[tuple[int, int]] = field(default_factory=list)
    overloaded: tuple[int, int] = (NEVER, NEVER)
    perfect_telemetry: bool = False
    telemetry_period: int = 20
    telemetry_until: int = NEVER  # from there on what it sends is refused
    units: int = 0  # 1 latency in µs, 2 processors added up, 3 contribution in bits
    latency: int = 100


def chances(misses: float, run: float = 1.0) -> tuple[float, float]:
    """`late` and `burst` for missing a share of blocks in runs of a mean length (1: independently)."""
    if run <= 1:
        return misses, misses
    stay = 1 - 1 / run
    return min(1.0, misses * (1 - stay) / (1 - misses)), stay


class Draw:
    """Uniform draws from one seeded generator."""

    def __init__(self, rng: np.random.Generator):
        self.rng = rng

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.rng.random()

    def whole(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high + 1))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def one_of(self, values):
        return values[self.whole(0, len(values) - 1)]


def outages(draw: Draw, held_out: bool, blocks: int) -> list[tuple[int, int]]:
    """Away for up to 120 blocks, every 700 to 3,000; held out: 8, 18, 60 or 120, or two that follow each other."""
    found, at = [], draw.whole(60, blocks // 2)
    while at < blocks:
        if not held_out:
            found.append((at, at + draw.whole(20, 120)))
        elif draw.chance(0.7):
            found.append((at, at + draw.one_of((8, 18, 60, 120, 120))))
        else:
            first, gap, second = draw.whole(5, 60), draw.whole(2, 30), draw.whole(5, 50)
            found += [(at, at + first), (at + first + gap, at + first + gap + second)]
        at = found[-1][1] + draw.whole(700, 3_000)
    return found


def honest(family: str, draw: Draw, held_out: bool, blocks: int, noise: float) -> Validator:
    """An honest validator of a family; `noise` is the network's chance to lose a vote."""
    v = Validator(FAMILY[family])
    v.late = v.burst = noise * draw.between(0.3, 1.5)
    v.nil = noise * draw.between(0, 0.3)
    v.fails_proposal = draw.between(0, 0.02)
    v.telemetry_period = draw.whole(10, 60)
    v.latency = draw.whole(10, 400)
    v.perfect_telemetry = draw.chance(0.1)
    if draw.chance(0.1):
        v.telemetry_period = NEVER  # runs no telemetry at all
    if family == "straggler":
        misses = draw.between(0.05, 0.1) if held_out else draw.between(0.03, 0.12)
        v.late, v.burst = chances(
            misses, draw.between(1.5, 2.5) if held_out else draw.one_of((1, 1, 1, 2, 3))
        )
        v.nil = draw.between(0, 0.03)
        v.fails_proposal = draw.between(0, 0.05)
        v.latency = draw.whole(300, 2500)
    elif family == "flaky":
        v.late, v.burst = chances(draw.between(0.01, 0.05), draw.between(1, 6))
    elif family == "busy by day":
        v.wave = draw.one_of((300, 720)) if held_out else draw.whole(200, 1_500)
        v.wave_late = draw.between(0.03, 0.12)
        v.overloaded = (draw.whole(0, blocks), NEVER)
    elif family == "slow region":
        v.far = True
        v.far_late = draw.between(0.05, 0.1) if held_out else draw.between(0.01, 0.1)
        v.nil = draw.between(0, 0.02)
        v.latency = draw.whole(200, 1200)
    elif family == "restarts":
        at = draw.whole(60, blocks // 2)
        while at < blocks:
            v.offline.append((at, at + (draw.one_of((6, 10, 18)) if held_out else draw.whole(2, 26))))
            at += draw.whole(150, 900)
    elif family == "outage of up to 10 minutes":
        v.offline = outages(draw, held_out, blocks)
    elif family == "new joiner":
        v.joined_at = draw.whole(1, blocks - 60)
        v.offline = [(v.joined_at, v.joined_at + draw.whole(0, 20))]
    elif family == "broken engine":
        v.deviant = draw.between(0.05, 1)
        v.disagreement = draw.between(0, 0.02)
    elif family == "overloaded":
        at = draw.whole(100, blocks)
        v.overloaded = (at, at + draw.whole(100, 600))
        v.late, v.burst = chances(draw.between(0.01, 0.08))
        v.fails_proposal = draw.between(0, 0.04)
    elif family == "wrong units or clock":
        v.telemetry_period = draw.whole(1, 20)
        v.units = draw.whole(0, 3)
        if v.units == 0:
            v.telemetry_until = draw.whole(20, blocks)
    return v


def mild(family: str, v: Validator, draw: Draw, held_out: bool, size: int) -> None:
    """What is at most Moderate."""
    v.kind = MILD
    if family == "now and then silent":
        rate = 15 / 64 if held_out else draw.between(7, 18) / 64
        way = draw.whole(0, 3)
        if way == 0:
            v.fault_late, v.fault_burst = chances(rate)
        elif way == 1:
            v.fault_nil = rate
        elif way == 2:
            v.fault_late, v.fault_burst = chances(rate, draw.between(1, 8))
        else:
            v.period = 64 if held_out else draw.whole(4, 100)
            v.period_missed = max(1, int(v.period * rate))
    elif family == "skips turns":
        v.withholds_proposal = 0.5 if held_out else draw.between(0.2, 0.5)
    elif family == "censor":
        v.censors = draw.between(0.1, 0.33)
        v.censors_the_same = draw.chance(0.7 if held_out else 0.5)
    elif family == "withholds from some proposers":
        v.withholds_from = draw.between(0.05, 0.3)


def faulty(family: str, draw: Draw, held_out: bool, blocks: int, noise: float, size: int) -> Validator:
    """A validator with a fault, grave or mild, and honest until it begins."""
    cover = draw.one_of(("normal", "straggler", "slow region")) if draw.chance(0.3) else "normal"
    v = honest(cover, draw, held_out, blocks, noise)
    v.family = FAMILY[family]
    v.fault_at = draw.whole(30, blocks // 4)
    attack = family
    if family == "slow then attack":
        v.fault_at = draw.whole(blocks // 3, blocks // 2)
        attack = FAULTY_FAMILIES[draw.whole(0, 6)]
    if attack in MILD_FAMILIES:
        mild(attack, v, draw, held_out, size)
    elif attack == "equivocator":
        v.kind, v.evidence = EVIDENCE, draw.whole(1, 3)
        v.fault_at = draw.whole(20, blocks - 20) if family == attack else v.fault_at
    elif attack == "score liar":
        v.kind = LIAR
        v.lies = draw.between(0.45, 1) if held_out else draw.between(0.25, 1)
        if held_out:  # on and off
            v.lie_period = draw.whole(2, 80)
            v.lie_blocks = max(1, v.lie_period * draw.whole(40, 90) // 100)
        if draw.chance(0.2):
            v.deviant = draw.between(0, 0.2)
    elif attack == "quiet liar":
        v.kind = LIAR
        v.lies = draw.between(9, 14) / 64 if held_out else draw.between(7, 18) / 64
        if held_out and draw.chance(0.5):
            v.lie_period, v.lie_blocks, v.lies = 64, draw.whole(7, 13), 1.0
    elif attack == "silent for an hour or for good":
        v.kind = OFFLINE
        v.fault_until = v.fault_at + (draw.whole(720, 1_000) if draw.chance(0.4) else NEVER)
        v.fault_late = v.fault_burst = 1.0
        if draw.chance(0.3):
            v.fault_late, v.fault_burst, v.fault_nil = -1.0, -1.0, 1.0
    elif attack == "never proposes":
        v.kind = NO_PROPOSALS
        v.withholds_proposal = draw.between(0.85, 0.95) if held_out else draw.between(0.8, 1)
    else:
        v.kind = PARTLY
        misses = draw.between(24, 40) / 64 if held_out else draw.between(23, 60) / 64
        nil_voter = attack == "nil voter" or (attack == "telemetry liar" and draw.chance(0.3))
        if nil_voter and not held_out and draw.chance(0.3):  # absent at times, nil at others
            v.fault_late = v.fault_burst = v.fault_nil = misses / 2
        elif nil_voter:
            v.fault_nil = misses
        elif held_out:
            v.period = draw.one_of((5, 8, 13, 21, 24, 64, 64, 64, 150))
            v.period_missed = min(v.period - 1, int(np.ceil(v.period * misses)))
        else:
            v.fault_late, v.fault_burst = chances(misses, 1 if draw.chance(0.5) else draw.between(1, 30))
        v.perfect_telemetry = attack == "telemetry liar" or draw.chance(0.3)
    return v
