"""Single stories, each with a figure to hold: how honest ones fare, who is framed, and who is seen."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import families as fam
from .families import NEVER, Draw, Validator
from .gangs import Gang
from .networks import Network, draw_powers, settle
from .quantize import HEAVY
from .simulator import Batch

BEGIN = 300
RUNS = 4


@dataclass
class Scenario:
    """What happens to the first `count` validators of a network, or what a gang does to one."""

    name: str
    size: int
    below: bool | None  # its subjects must stay below 0.70; False: must come there; None: either
    count: int = 1
    change: Callable[[Validator], None] | None = None
    gang: Gang | None = None
    powers: str = "equal"
    blocks: int = 1_600
    apart: float = 0.0  # share of the power that is cut off
    length: int = 0


def put(**values) -> Callable[[Validator], None]:
    """Sets fields of a validator from BEGIN on."""

    def change(v: Validator) -> None:
        for name, value in values.items():
            setattr(v, name, value)
        if any(name in values for name in ("kind", "evidence")):
            v.fault_at = BEGIN

    return change


def away(*lengths: int, gap: int = 700) -> Callable[[Validator], None]:
    def change(v: Validator) -> None:
        at = BEGIN
        for length in lengths:
            v.offline.append((at, at + length))
            at += length + gap

    return change


def of_64(blocks: int, nil: bool = False) -> Callable[[Validator], None]:
    kind = fam.PARTLY if blocks >= 24 else fam.MILD
    return put(kind=kind, fault_nil=blocks / 64) if nil else put(kind=kind, period=64, period_missed=blocks)


def scattered(blocks: int) -> Callable[[Validator], None]:
    kind = fam.PARTLY if blocks >= 24 else fam.MILD
    return put(kind=kind, fault_late=blocks / 64, fault_burst=blocks / 64)


LONG = 4_000

HONEST = [
    Scenario("load by day", 20, True, 4, put(wave=600, wave_late=0.1)),
    Scenario("flaky, 1 %", 4, True, 1, put(late=0.01, burst=0.01)),
    Scenario("flaky, 5 %", 20, True, 4, put(late=0.05, burst=0.05)),
    *[Scenario(f"away for {n} blocks", 20, True, 1, away(n, n)) for n in (8, 18, 60, 120)],
    Scenario("away for 120 blocks", 4, True, 1, away(120, 120)),
    Scenario("away for 120 blocks", 30, True, 3, away(120, 120)),
    Scenario("away for 120 blocks", 175, True, 1, away(120, 120)),
    Scenario("away for 240 blocks", 20, None, 1, away(240)),
    Scenario("away for 720 blocks", 20, False, 1, away(720)),
    Scenario("away for 720 blocks", 4, False, 1, away(720)),
    *[
        Scenario(f"{share:.0%} cut off for {n}", 20, n < 720, apart=share, length=n)
        for n in (60, 120, 720)
        for share in (0.05, 0.1, 0.15, 0.3)
    ],
    Scenario("rolling upgrade, 8 blocks each", 30, True, 30),
    Scenario("clock 90 s off", 20, True, 2, put(telemetry_until=BEGIN)),
    *[Scenario(f"wrong unit {n}", 20, True, 1, put(units=n, telemetry_period=1)) for n in (1, 2, 3)],
    Scenario("no telemetry", 20, True, 3, put(telemetry_period=NEVER)),
]
BUSY, RESTART, LONG_AWAY = (
    {"victim_late": 0.01},
    {"victim_away": 18, "victim_away_every": 300},
    {"victim_away": 120, "victim_away_every": 700},
)
FRAMED = (
    [
        Scenario(
            f"{share:.0%} withhold from the victim's blocks{how}",
            n,
            True,
            gang=Gang(share, withhold=1.0, start=BEGIN, **more),
        )
        for n, share in ((20, 0.15), (40, 0.15), (20, 0.25), (10, 0.3))
        for how, more in (("", BUSY), (", restart of 18", RESTART), (", away for 120", LONG_AWAY))
    ]
    + [
        Scenario(
            f"{share:.0%} leave the victim's vote out{how}",
            n,
            True,
            powers=powers,
            gang=Gang(share, adjacent, drop=1.0, start=BEGIN, **more),
        )
        for n, share, adjacent, powers in (
            (4, 0.26, False, "equal"),
            (10, 0.31, False, "equal"),
            (21, 0.333, False, "Zipf"),
            (20, 0.333, False, "one whale"),
            (64, 0.333, True, "equal"),
            (175, 0.333, True, "equal"),
        )
        for how, more in (("", BUSY), (", away for 120", LONG_AWAY))
    ]
    + [
        Scenario(
            f"{share:.0%} vote nil on the victim's proposals",
            n,
            True,
            gang=Gang(share, spoil=1.0, start=BEGIN, victim_late=0.01),
        )
        for n, share in ((10, 0.3), (20, 0.3), (100, 0.333))
    ]
)
DISHONEST = [
    Scenario("silent for good", 4, False, 1, put(kind=fam.OFFLINE, fault_late=1.0, fault_burst=1.0)),
    Scenario("silent for good", 20, False, 1, put(kind=fam.OFFLINE, fault_late=1.0, fault_burst=1.0)),
    Scenario("silent for good", 175, False, 1, put(kind=fam.OFFLINE, fault_late=1.0, fault_burst=1.0)),
    *[
        Scenario(f"silent in {n} of 64, in a row", size, n < 24, 1, of_64(n), blocks=LONG)
        for size in (4, 20, 100)
        for n in (15, 24, 31)
    ],
    *[
        Scenario(f"silent in {n} of 64, scattered", size, n < 24, 1, scattered(n), blocks=LONG)
        for size in (4, 20, 100)
        for n in (15, 24, 31)
    ],
    Scenario("nil in 15 of 64", 20, True, 1, of_64(15, True), blocks=LONG),
    Scenario("nil in 31 of 64", 20, False, 1, of_64(31, True), blocks=LONG),
    Scenario("equivocates", 20, False, 1, put(evidence=1, kind=fam.EVIDENCE)),
    Scenario("lies", 20, False, 1, put(kind=fam.LIAR, lies=1.0)),
    Scenario("lies, 6 of 20", 20, False, 6, put(kind=fam.LIAR, lies=1.0)),
    Scenario("lies every other block", 20, False, 1, put(kind=fam.LIAR, lies=1.0, lie_period=2)),
    Scenario(
        "lies in 13 of 64",
        20,
        False,
        1,
        put(kind=fam.LIAR, lies=1.0, lie_period=64, lie_blocks=13),
        blocks=3_000,
    ),
    Scenario(
        "lies in 7 of 64",
        20,
        False,
        1,
        put(kind=fam.LIAR, lies=1.0, lie_period=64, lie_blocks=7),
        blocks=LONG,
    ),
    Scenario("never proposes", 20, False, 1, put(kind=fam.NO_PROPOSALS, withholds_proposal=1.0)),
    Scenario(
        "never proposes", 100, False, 1, put(kind=fam.NO_PROPOSALS, withholds_proposal=1.0), blocks=3_000
    ),
    Scenario("every other turn", 20, True, 1, put(kind=fam.MILD, withholds_proposal=0.5), blocks=3_000),
    Scenario(
        "leaves out 2 fixed votes", 31, True, 1, put(kind=fam.MILD, censors=0.065, censors_the_same=True)
    ),
    Scenario("leaves out 6 random votes", 31, True, 1, put(kind=fam.MILD, censors=0.19)),
    Scenario("withholds from 6 proposers", 31, True, 1, put(kind=fam.MILD, withholds_from=0.2)),
    Scenario("unusable reports for ever", 20, True, 1, put(deviant=1.0)),
]
ALL = {"Honest": HONEST, "Framed": FRAMED, "Faulty": DISHONEST}


def build(scenario: Scenario, rng: np.random.Generator) -> tuple[Network, np.ndarray]:
    """The network, and who is looked at."""
    draw, size = Draw(rng), scenario.size
    power = draw_powers(draw, size, scenario.powers)
    network = Network([fam.honest("normal", draw, True, scenario.blocks, 0.005) for _ in range(size)], power)
    for v in network.validators:
        v.deviant, v.telemetry_period = 0.0, 20
    subjects = np.arange(size) < scenario.count
    if scenario.gang is not None:
        settle(network, scenario.gang, draw)
        subjects = network.victims
    elif scenario.apart:
        subjects = np.arange(size) < round(scenario.apart * size)
        network.apart, network.splits = subjects, [(BEGIN, BEGIN + scenario.length)]
    elif scenario.change is None:  # everybody in turn
        for number, v in enumerate(network.validators):
            v.offline = [(BEGIN + 12 * number, BEGIN + 12 * number + 8)]
    else:
        for v in network.validators[: scenario.count]:
            scenario.change(v)
    return network, subjects


def tell(scenario: Scenario, seed: int) -> tuple[Batch, np.ndarray]:
    """A batch of a few runs of the story, and who is looked at in each [runs, validators]."""
    rng = np.random.default_rng([seed, len(scenario.name), scenario.size])
    built = [build(scenario, rng) for _ in range(RUNS)]
    return Batch(rng, [network for network, _ in built], scenario.blocks), np.stack([s for _, s in built])


@dataclass
class Outcome:
    """What became of the subjects: the highest score, how many came to Heavy, and after how many blocks."""

    highest: int
    heavy: int
    subjects: int
    median: float | None
    others: int  # the highest score of anybody else

    def holds(self, below: bool | None) -> bool:
        if below is None:
            return True
        return self.heavy == 0 if below else self.heavy == self.subjects


def watch(batch: Batch, subjects: np.ndarray, score: Callable, every: int = 4) -> Outcome:
    """Plays a story; `score` makes scores [runs, validators] of a batch."""
    highest = np.zeros(subjects.shape, np.int64)
    first = np.full(subjects.shape, -1)
    for height in range(1, batch.blocks + 1):
        batch.step()
        if height >= 60 and height % every == 0:
            now = score(batch)
            highest = np.maximum(highest, now)
            first = np.where((first < 0) & (now >= HEAVY), height - BEGIN, first)
    own = highest[subjects]
    delays = first[subjects & (first >= 0)]
    others = highest[~subjects & ~batch.members]
    return Outcome(
        int(own.max()),
        int((own >= HEAVY).sum()),
        len(own),
        float(np.median(delays)) if len(delays) else None,
        int(others.max(initial=0)),
    )
