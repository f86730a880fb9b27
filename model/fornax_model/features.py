"""The record of a validator and its 20 features, as docs/classifier.md defines them.

All arrays have the shape [runs, validators]: many networks advance by one block at once. All are integers.
"""

from dataclasses import dataclass

import numpy as np

# name, unit, lower clamp, upper clamp
FEATURES: list[tuple[str, str, int, int]] = [
    ("lost", "blocks of the last 512, less what a third of the power tells", 0, 512),
    ("lost_long", "1/65,536, average of lost over about 2,048 blocks", 0, 65_536),
    ("lost_streak", "blocks", 0, 1_024),
    ("turns_missed", "1/256 of a turn to propose", 0, 4_096),
    ("disagreement", "blocks of the last 64", 0, 64),
    ("disagreement_long", "1/65,536, average over about 1,024 blocks", 0, 65_536),
    ("evidence", "pieces", 0, 4),
    ("effective_size", "1/4 validator of equal power", 4, 1_024),
    ("missed", "blocks of the last 64", 0, 64),
    ("nil", "blocks of the last 64", 0, 64),
    ("missed_long", "1/65,536, average over about 2,048 blocks", 0, 65_536),
    ("deviant", "blocks of the last 64", 0, 64),
    ("others_missed", "1/16 block of 64", 0, 1_024),
    ("omissions", "‰ of votes in its own blocks", 0, 1_000),
    ("network_omissions", "‰ of votes in all blocks", 0, 1_000),
    ("cpu", "1/100 %", 0, 10_000),
    ("latency", "ms", 0, 10_000),
    ("connections", "‰ of the median", 0, 4_000),
    ("net_contrib", "‰ of the median", 0, 4_000),
    ("telemetry_age", "blocks", 0, 1_024),
]
NAMES = [name for name, *_ in FEATURES]
LOWEST = np.array([low for *_, low, _ in FEATURES])
HIGHEST = np.array([high for *_, high in FEATURES])
COLUMN = {name: column for column, name in enumerate(NAMES)}
CONDUCT, SIGNS, TELEMETRY = slice(0, 8), slice(8, 20), slice(15, 20)

ABSENT, COMMIT, NIL = 1, 2, 3
TURN = 65_536
LEAST_TURNS, MOST_TURNS = -81_920, 16 * TURN
TURNS_OF_RETURN = 147_456
DEPARTED_STAY = 16  # blocks on the roster after the last vote
FRESH_BITS = np.uint64(0xFF)
WINDOW = 512
FULL = 1 << 20  # an average of 1
LOST_EVERY = 16  # blocks between two steps of lost_long
NEUTRAL_TELEMETRY = (3_000, 100, 1_000, 1_000)


@dataclass
class Block:
    """What the application learns in one block; `flag` is 0 for who was not in the set of the last block."""

    flag: np.ndarray
    power: np.ndarray
    deviant: np.ndarray
    disagreement: np.ndarray
    evidence: np.ndarray
    proposer: np.ndarray  # [runs]: a column
    submitted: tuple[np.ndarray, np.ndarray]  # runs and columns of telemetry submissions
    telemetry: np.ndarray  # [submissions, 4]: cpu, latency, connections, net_contrib


def beyond_a_third(counts: np.ndarray, power: np.ndarray, total: np.ndarray) -> np.ndarray:
    """What is left of counts [n, proposers] when proposers with a third of the power are not believed, [n].

    Those who tell most for their power are left out first, the last one in part, and free of charge who has no
    power: so the result is at most what all but any third of the power tell. `power` is [n, proposers], `total` [n].
    The order of those who tell alike makes no difference.
    """
    told = (counts > 0) & (power > 0)
    order = np.argsort(-np.where(told, counts / np.maximum(power, 1), 0), 1, kind="stable")
    counts = np.take_along_axis(np.where(told, counts, 0), order, 1)
    power = np.take_along_axis(np.where(told, power, 0), order, 1)
    room = np.maximum((total // 3)[:, None] - (np.cumsum(power, 1) - power), 0)
    taken = np.minimum(power, room)
    return (counts - -(-counts * taken // np.maximum(power, 1))).sum(1)


class Records:
    """The committed state that features are computed from."""

    def __init__(self, runs: int, width: int):
        shape = (runs, width)
        self.height = 0
        self.missed, self.nil, self.deviant, self.disagreement = (
            np.zeros(shape, np.uint64) for _ in range(4)
        )
        self.missed_long, self.lost_long, self.disagreement_long = (
            np.zeros(shape, np.int64) for _ in range(3)
        )
        self.streak, self.age, self.omissions, self.evidence = (np.zeros(shape, np.int64) for _ in range(4))
        self.turns = np.full(shape, LEAST_TURNS, np.int64)
        self.last_voted = np.full(shape, -10_000, np.int64)
        self.power = np.zeros(shape, np.int64)
        self.network_omissions = np.zeros(runs, np.int64)
        self.proposers = np.full((WINDOW, runs), -1, np.int64)  # of block h at h % 512
        self.lost = np.zeros((WINDOW, *shape), bool)  # the same
        self.told = np.zeros((*shape, width), np.int16)  # [.., p]: how often p told so within the window
        self.telemetry = np.zeros((runs, width, 4), np.int64)
        self.submitted_at = np.full(shape, -1, np.int64)

    def roster(self) -> np.ndarray:
        return self.height - self.last_voted <= DEPARTED_STAY

    def observe(self, block: Block) -> None:
        """Advances every network by one block."""
        self.height += 1
        voted = block.flag > 0
        self._take_back(voted & (self.last_voted >= 0) & (self.last_voted < self.height - 1))
        self.last_voted[voted] = self.height
        self.power = np.where(voted, block.power, 0)
        absent = block.flag == ABSENT
        share = self._fresh_omissions(absent, voted)
        self._count_votes(block, voted, absent)
        self._credit_turns(block.flag == COMMIT)
        self._count_proposal(block.proposer, share)
        self._tell(block.proposer, absent, block.flag == NIL)
        self.evidence += block.evidence
        self.submitted_at[block.submitted] = self.height
        self.telemetry[block.submitted] = block.telemetry
        if self.height % LOST_EVERY == 0:
            step = ((self.lost_beyond_a_third() << 11) - self.lost_long) >> 7
            self.lost_long += np.where(self.roster(), step, 0)

    def _take_back(self, back: np.ndarray) -> None:
        """Whoever comes back goes on with its record: nobody here is away for 17,280 blocks, or jailed."""
        self.turns[back] = np.maximum(self.turns[back] - TURNS_OF_RETURN, LEAST_TURNS)
        left = back & (self.height - 1 - self.last_voted > DEPARTED_STAY)
        self.streak[left] = 0

    def _fresh_omissions(self, absent: np.ndarray, voted: np.ndarray) -> np.ndarray:
        """‰ of this block's votes that are missing while the validator had voted in 8 blocks before."""
        fresh = absent & ((self.missed & FRESH_BITS) == 0) & (self.age >= 8)
        return 1000 * fresh.sum(1) // np.maximum(voted.sum(1), 1)

    def _count_votes(self, block: Block, voted: np.ndarray, absent: np.ndarray) -> None:
        committed, nil = block.flag == COMMIT, block.flag == NIL
        disagreement = block.disagreement & committed
        marks = (absent, nil, block.deviant & committed, disagreement)
        for name, mark in zip(("missed", "nil", "deviant", "disagreement"), marks):
            ring = getattr(self, name)
            setattr(self, name, np.where(voted, (ring << np.uint64(1)) | mark.astype(np.uint64), ring))
        lost = absent | nil
        self.missed_long += np.where(voted, (lost * FULL - self.missed_long) >> 11, 0)
        self.disagreement_long += np.where(voted, (disagreement * FULL - self.disagreement_long) >> 10, 0)
        self.streak = np.where(voted, np.where(lost, self.streak + 1, 0), self.streak)
        self.age += voted

    def _credit_turns(self, present: np.ndarray) -> None:
        """Who is away or votes nil is counted elsewhere: turns are counted while it votes."""
        total = np.maximum(self.power.sum(1, keepdims=True), 1)
        self.turns = np.minimum(self.turns + np.where(present, TURN * self.power // total, 0), MOST_TURNS)

    def _count_proposal(self, proposer: np.ndarray, share: np.ndarray) -> None:
        runs = np.arange(len(proposer))
        known = self.roster()[runs, proposer]
        turns = self.turns[runs, proposer] - TURN  # its turn taken, and two that it missed made good
        turns = np.maximum(np.where(turns > 0, np.maximum(turns - 2 * TURN, 0), turns), LEAST_TURNS)
        self.turns[runs, proposer] = np.where(known, turns, self.turns[runs, proposer])
        omissions = self.omissions[runs, proposer]
        self.omissions[runs, proposer] = np.where(
            known, omissions + ((16 * share - omissions) >> 2), omissions
        )
        self.network_omissions += (256 * share - self.network_omissions) >> 6

    def _tell(self, proposer: np.ndarray, absent: np.ndarray, nil: np.ndarray) -> None:
        """Moves the window of 512 blocks on: who proposed, whose votes a block lacks, and who voted nil on it."""
        runs, slot, before = np.arange(len(proposer)), self.height % WINDOW, (self.height - 1) % WINDOW
        if (self.proposers[slot] >= 0).any():
            self.told[runs, :, self.proposers[slot]] -= self.lost[slot]
        self.told[runs, :, proposer] += absent
        self.proposers[slot], self.lost[slot] = proposer, absent
        if self.height > 1:
            nil = nil & ~self.lost[before]
            self.told[runs, :, self.proposers[before]] += nil
            self.lost[before] |= nil

    def lost_beyond_a_third(self) -> np.ndarray:
        """Of the last 512 blocks, those that a validator lost though a third of the power is not believed."""
        total = self.power.sum(1)
        telling = np.einsum("rvp,rp->rv", self.told > 0, self.power)
        runs, columns = np.nonzero(telling > (total // 3)[:, None])
        result = np.zeros(self.power.shape, np.int64)
        if len(runs):
            counts = self.told[runs, columns].astype(np.int64)
            result[runs, columns] = beyond_a_third(counts, self.power[runs], total[runs])
        return result

    def _telemetry_features(self, roster: np.ndarray) -> list[np.ndarray]:
        never = self.submitted_at < 0
        age = np.where(never, 0, self.height - self.submitted_at)
        counted = roster & ~never & (age <= 64)
        middle = np.maximum(counted.sum(1) - 1, 0) // 2
        columns = [self.telemetry[:, :, 0], self.telemetry[:, :, 1]]
        for kind in (2, 3):
            own = self.telemetry[:, :, kind]
            ranked = np.sort(np.where(counted, own, np.iinfo(np.int64).max), 1)
            median = np.where(counted.any(1), ranked[np.arange(len(middle)), middle], 0)[:, None]
            columns.append(np.where(median > 0, 1000 * own // np.maximum(median, 1), 1000))
        columns = [np.where(never, neutral, column) for column, neutral in zip(columns, NEUTRAL_TELEMETRY)]
        return [*columns, age]

    def features(self) -> tuple[np.ndarray, np.ndarray]:
        """Features [runs, validators, 20], clamped, and who is on the roster [runs, validators]."""
        roster = self.roster()
        total = self.power.sum(1, keepdims=True)
        alike = 4 * total * total // np.maximum((self.power * self.power).sum(1, keepdims=True), 1)
        count = lambda ring: np.bitwise_count(ring).astype(np.int64)  # noqa: E731
        missed = np.where(roster, count(self.missed), 0)
        others = (
            16 * (missed.sum(1, keepdims=True) - missed) // np.maximum(roster.sum(1, keepdims=True) - 1, 1)
        )
        columns = [
            self.lost_beyond_a_third(),
            self.lost_long >> 4,
            self.streak,
            self.turns >> 8,
            count(self.disagreement),
            self.disagreement_long >> 4,
            self.evidence,
            np.broadcast_to(alike, roster.shape),
            count(self.missed),
            count(self.nil),
            self.missed_long >> 4,
            count(self.deviant),
            others,
            self.omissions >> 4,
            np.broadcast_to(self.network_omissions[:, None] >> 8, roster.shape),
            *self._telemetry_features(roster),
        ]
        return np.clip(np.stack(columns, 2), LOWEST, HIGHEST), roster
