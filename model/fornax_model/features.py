"""The record of a validator and its 20 features, as docs/classifier.md defines them.

All arrays have the shape [runs, validators]: many networks advance by one block at once. All are integers.
"""

from dataclasses import dataclass

import numpy as np

# name, unit, lower clamp, upper clamp
FEATURES: list[tuple[str, str, int, int]] = [
    ("missed", "blocks of the last 64", 0, 64),
    ("missed_long", "1/65,536, average over about 512 blocks", 0, 65_536),
    ("missed_streak", "blocks", 0, 256),
    ("nil", "blocks of the last 64", 0, 64),
    ("deviant", "blocks of the last 64", 0, 64),
    ("disagreement", "blocks of the last 64", 0, 64),
    ("turns_missed", "1/256 of a turn to propose", 0, 2_048),
    ("absent_proposers", "‰ of distinct proposers", 0, 1_000),
    ("omissions", "‰ of votes in its own blocks", 0, 1_000),
    ("network_omissions", "‰ of votes in all blocks", 0, 1_000),
    ("others_missed", "1/16 block of 64", 0, 1_024),
    ("evidence", "pieces", 0, 4),
    ("age", "blocks on the roster", 0, 1_024),
    ("power_share", "‰", 0, 1_000),
    ("set_size", "validators", 1, 256),
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

ABSENT, COMMIT, NIL = 1, 2, 3
TURN = 65_536
LEAST_TURNS, MOST_TURNS = -81_920, 8 * TURN
DEPARTED_STAY = 16  # blocks on the roster after the last vote
FRESH_BITS = np.uint64(0xFF)
RING = 64
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


class Records:
    """The committed state that features are computed from."""

    def __init__(self, runs: int, width: int):
        shape = (runs, width)
        self.height = 0
        self.missed, self.nil, self.deviant, self.disagreement = (
            np.zeros(shape, np.uint64) for _ in range(4)
        )
        self.missed_long, self.streak, self.age, self.omissions, self.evidence = (
            np.zeros(shape, np.int64) for _ in range(5)
        )
        self.turns = np.full(shape, LEAST_TURNS, np.int64)
        self.last_voted = np.full(shape, -10_000, np.int64)
        self.power = np.zeros(shape, np.int64)
        self.network_omissions = np.zeros(runs, np.int64)
        self.proposers = np.full((runs, RING), -1, np.int64)  # newest first
        self.telemetry = np.zeros((runs, width, 4), np.int64)
        self.submitted_at = np.full(shape, -1, np.int64)

    def roster(self) -> np.ndarray:
        return self.height - self.last_voted <= DEPARTED_STAY

    def observe(self, block: Block) -> None:
        """Advances every network by one block."""
        self.height += 1
        voted = block.flag > 0
        self._forget(~self.roster() & (self.last_voted >= 0))
        self.last_voted[voted] = self.height
        self.power = np.where(voted, block.power, 0)
        absent = block.flag == ABSENT
        share = self._fresh_omissions(absent, voted)
        self._count_votes(block, voted, absent)
        self._credit_turns(voted)
        self._count_proposal(block.proposer, share)
        self.evidence += block.evidence
        self.submitted_at[block.submitted] = self.height
        self.telemetry[block.submitted] = block.telemetry

    def _forget(self, gone: np.ndarray) -> None:
        """What reports have shown outlives the record for 17,280 blocks, more than any network here has."""
        if not gone.any():
            return
        for ring in (self.missed, self.nil):
            ring[gone] = 0
        for count in (self.missed_long, self.streak, self.age, self.omissions, self.evidence):
            count[gone] = 0
        self.turns[gone] = LEAST_TURNS
        self.last_voted[gone] = -10_000

    def _fresh_omissions(self, absent: np.ndarray, voted: np.ndarray) -> np.ndarray:
        """‰ of this block's votes that are missing while the validator had voted in 8 blocks before."""
        fresh = absent & ((self.missed & FRESH_BITS) == 0) & (self.age >= 8)
        return 1000 * fresh.sum(1) // np.maximum(voted.sum(1), 1)

    def _count_votes(self, block: Block, voted: np.ndarray, absent: np.ndarray) -> None:
        committed = block.flag == COMMIT
        marks = (absent, block.flag == NIL, block.deviant & committed, block.disagreement & committed)
        for name, mark in zip(("missed", "nil", "deviant", "disagreement"), marks):
            ring = getattr(self, name)
            setattr(self, name, np.where(voted, (ring << np.uint64(1)) | mark.astype(np.uint64), ring))
        self.missed_long += np.where(voted, (absent * 65_536 - self.missed_long) >> 9, 0)
        self.streak = np.where(voted, np.where(absent, self.streak + 1, 0), self.streak)
        self.age += voted

    def _credit_turns(self, voted: np.ndarray) -> None:
        total = np.maximum(self.power.sum(1, keepdims=True), 1)
        self.turns = np.minimum(self.turns + np.where(voted, TURN * self.power // total, 0), MOST_TURNS)

    def _count_proposal(self, proposer: np.ndarray, share: np.ndarray) -> None:
        runs = np.arange(len(proposer))
        known = self.roster()[runs, proposer]
        turns = self.turns[runs, proposer] - TURN
        turns = np.maximum(np.where(turns > TURN, turns >> 1, turns), LEAST_TURNS)
        self.turns[runs, proposer] = np.where(known, turns, self.turns[runs, proposer])
        omissions = self.omissions[runs, proposer]
        self.omissions[runs, proposer] = np.where(
            known, omissions + ((16 * share - omissions) >> 2), omissions
        )
        self.network_omissions += (256 * share - self.network_omissions) >> 6
        self.proposers[:, 1:] = self.proposers[:, :-1]
        self.proposers[:, 0] = proposer

    def _absent_proposers(self) -> np.ndarray:
        """‰ of the distinct proposers of the last 64 blocks in one of whose blocks a validator misses."""
        same = self.proposers[:, :, None] == self.proposers[:, None, :]
        first = ~(same & np.tri(RING, k=-1, dtype=bool)).any(2) & (self.proposers >= 0)
        bits = np.uint64(1) << np.arange(RING, dtype=np.uint64)
        blocks_of = (same * bits).sum(2, dtype=np.uint64)
        blocks_of[~first] = 0
        count = np.zeros(self.missed.shape, np.int64)
        for place in range(RING):
            count += (self.missed & blocks_of[:, place, None]) != 0
        return 1000 * count // np.maximum(first.sum(1), 1)[:, None]

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
        size = roster.sum(1, keepdims=True)
        missed = np.bitwise_count(self.missed).astype(np.int64)
        on_roster = np.where(roster, missed, 0)
        others = 16 * (on_roster.sum(1, keepdims=True) - on_roster) // np.maximum(size - 1, 1)
        total = np.maximum(self.power.sum(1, keepdims=True), 1)
        columns = [
            missed,
            self.missed_long,
            self.streak,
            *(
                np.bitwise_count(ring).astype(np.int64)
                for ring in (self.nil, self.deviant, self.disagreement)
            ),
            self.turns >> 8,
            self._absent_proposers(),
            self.omissions >> 4,
            np.broadcast_to(self.network_omissions[:, None] >> 8, missed.shape),
            others,
            self.evidence,
            self.age,
            1000 * self.power // total,
            np.broadcast_to(size, missed.shape),
            *self._telemetry_features(roster),
        ]
        return np.clip(np.stack(columns, 2), LOWEST, HIGHEST), roster
