"""Kinds of validators, honest and faulty, as parameters of the simulator.

Each family has two variants: the one that is trained on, and a held-out one with other patterns or ranges.
"""

from dataclasses import dataclass, field

import numpy as np

NEVER = 1 << 30

# what a fault is, for labels
HONEST, EVIDENCE, LIAR, OFFLINE, NO_PROPOSALS, CENSOR, SELECTIVE, NIL_VOTER = range(8)

FAMILIES = [
    "normal",
    "straggler",
    "slow region",
    "upgrade restart",
    "partition victim",
    "new joiner",
    "victim of a censor",
    "broken engine",
    "overloaded",
    "equivocator",
    "score liar",
    "withholder of votes",
    "withholder of proposals",
    "censor",
    "selective voter",
    "nil voter",
    "telemetry liar",
    "slow then attack",
]
FAMILY = {name: number for number, name in enumerate(FAMILIES)}
HONEST_FAMILIES = FAMILIES[:9]
FAULTY_FAMILIES = FAMILIES[9:]
EVIDENCE_FAMILIES = ("equivocator", "score liar")
VICTIM = FAMILY["victim of a censor"]


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
    deviant: float = 0.0005
    disagreement: float = 0.0005
    fault_late: float = -1.0
    fault_burst: float = -1.0
    fault_nil: float = -1.0
    withholds_proposal: float = 0.0
    lies: float = 0.0
    censors: float = 0.0
    censors_the_same: bool = False
    evidence: int = 0
    period: int = 0  # a faulty validator misses the first `period_missed` of each `period` blocks
    period_missed: int = 0
    offline: list[tuple[int, int]] = field(default_factory=list)
    overloaded: tuple[int, int] = (NEVER, NEVER)
    perfect_telemetry: bool = False
    telemetry_period: int = 20
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
        misses = draw.between(0.05, 0.12) if held_out else draw.between(0.03, 0.15)
        run = draw.between(1.5, 2.5) if held_out else 1.0 if draw.chance(0.7) else draw.between(1, 3)
        if run > 1:
            misses = min(misses, 0.1)
        v.late, v.burst = chances(misses, run)
        v.nil = draw.between(0, 0.05)
        v.fails_proposal = draw.between(0, 0.05)
        v.latency = draw.whole(300, 2500)
    elif family == "slow region":
        v.far = True
        v.far_late = draw.between(0.05, 0.1) if held_out else draw.between(0.01, 0.12)
        v.nil = draw.between(0, 0.03)
        v.latency = draw.whole(200, 1200)
    elif family == "upgrade restart":
        at = draw.whole(80, blocks)
        while at < blocks:
            if held_out and draw.chance(0.5):  # two short ones, as a failed upgrade has it
                first = draw.whole(3, 12)
                gap = draw.whole(2, 20)
                v.offline += [(at, at + first), (at + first + gap, at + first + gap + draw.whole(3, 12))]
            else:
                v.offline.append((at, at + draw.whole(2, 26)))
            at += draw.whole(90, 500)
        v.late = v.burst = min(v.late, 0.008)
    elif family == "new joiner":
        v.joined_at = draw.whole(1, blocks - 60)
        v.offline = [(v.joined_at, v.joined_at + draw.whole(0, 20))]
    elif family == "broken engine":
        v.deviant = draw.between(0.05, 1)
        v.disagreement = draw.between(0, 0.03)
    elif family == "overloaded":
        at = draw.whole(100, blocks)
        v.overloaded = (at, at + draw.whole(100, 600))
        v.late, v.burst = chances(draw.between(0.01, 0.08))
        v.fails_proposal = draw.between(0, 0.04)
    return v


def faulty(family: str, draw: Draw, held_out: bool, blocks: int, noise: float, size: int) -> Validator:
    """A faulty validator, honest until its fault begins."""
    cover = ("normal", "straggler", "slow region")[draw.whole(0, 2)] if draw.chance(0.3) else "normal"
    v = honest(cover, draw, held_out, blocks, noise)
    v.family = FAMILY[family]
    v.fault_at = draw.whole(90, blocks // 3)
    attack = family
    if family == "slow then attack":
        v.fault_at = draw.whole(blocks // 2, blocks * 2 // 3)
        attack = FAULTY_FAMILIES[draw.whole(0, 6)]
    if attack == "equivocator":
        v.kind, v.evidence = EVIDENCE, draw.whole(1, 3)
        v.fault_at = draw.whole(20, blocks - 20) if family == attack else v.fault_at
    elif attack == "score liar":
        v.kind = LIAR
        v.lies = draw.between(0.45, 0.8) if held_out else draw.between(0.35, 1)
        if draw.chance(0.2):
            v.deviant = draw.between(0, 0.2)
    elif attack == "withholder of votes":
        v.kind = OFFLINE
        v.fault_until = v.fault_at + (draw.whole(60, 200) if draw.chance(0.4) else NEVER)
        v.fault_late = v.fault_burst = 1.0
        if held_out:  # shows itself now and then
            v.period = draw.whole(20, 50)
            v.period_missed = v.period * draw.whole(80, 95) // 100
            v.fault_late = v.fault_burst = v.late
    elif attack == "withholder of proposals":
        v.kind = NO_PROPOSALS
        v.withholds_proposal = draw.between(0.7, 0.95) if held_out else draw.between(0.6, 1)
    elif attack == "censor":
        v.kind = CENSOR
        v.censors = draw.between(0.15, 0.28) if held_out else draw.between(0.1, 0.33)
        v.censors_the_same = size >= 20 and draw.chance(0.9 if held_out else 0.3)
    else:
        nil_voter = attack == "nil voter" or (attack == "telemetry liar" and draw.chance(0.3))
        v.kind = NIL_VOTER if nil_voter else SELECTIVE
        misses = draw.between(0.5, 0.65) if held_out else draw.between(0.35, 0.9)
        if not nil_voter and held_out:
            v.period = draw.whole(5, 24)
            v.period_missed = max(1, round(v.period * misses))
        elif not nil_voter:
            v.fault_late, v.fault_burst = chances(misses, 1 if draw.chance(0.6) else draw.between(1, 8))
        elif not held_out and misses > 0.5 and draw.chance(0.3):  # absent at times, nil at others
            v.fault_late = v.fault_burst = misses / 2
            v.fault_nil = misses / 2
        else:
            v.fault_nil = misses
        v.perfect_telemetry = attack == "telemetry liar" or draw.chance(0.3)
    return v
