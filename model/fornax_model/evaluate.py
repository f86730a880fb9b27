"""Scores held-out networks through the integer forward pass, streaming: only histograms are kept."""

from dataclasses import dataclass

import numpy as np

from . import families as fam
from .dataset import TEST
from .labels import HONEST, LEFT_OUT, MODERATE
from .progress import Progress
from .quantize import BAN, HEAVY, Classifier
from .simulator import Batch, batches

BINS = 10_001
WINDOW, NEEDED = 5, 3  # a ban takes 3 of the last 5 blocks at or above 8,000


@dataclass
class Episode:
    """One faulty validator's time from where its fault shows."""

    family: int
    size: int
    bearing: bool  # proof stood in 3 of 5 blocks
    delay: int | None  # blocks from the fault's begin to the first Heavy or higher
    banned: bool  # the window for a ban filled while it carried proof


@dataclass
class Results:
    """Histograms over scores 0 … 10,000."""

    by_run: np.ndarray  # [runs, 3, BINS]: rows that are honest, faulty, at most Moderate
    conduct: np.ndarray  # [2, BINS]: p before the gates, of honest and faulty rows
    by_family: np.ndarray  # [families, 3, BINS]
    tiers: (
        np.ndarray
    )  # [runs, 4, 3]: honest, faulty without and with proof, at most Moderate; below 7,000, 8,000, above
    honest_bans: int
    honest_blocks: int
    honest_jailed: int  # honest validators that ever were at or above 7,000
    honest_validators: int
    left_out: int
    episodes: list[Episode]

    def counts(self) -> np.ndarray:
        """[2, BINS]: honest and faulty rows."""
        return self.by_run.sum(0)[:2]


class Watch:
    """Follows each validator of one batch through its blocks."""

    def __init__(self, batch: Batch):
        shape = batch.power.shape
        self.batch = batch
        self.over = np.zeros(shape, np.uint8)  # the last five blocks at or above 8,000, newest lowest
        self.proof = np.zeros(shape, np.uint8)  # the same for rows that carry proof
        self.shown, self.bearing, self.banned, self.unjust, self.jailed, self.honest = (
            np.zeros(shape, bool) for _ in range(6)
        )
        self.first_heavy = np.full(shape, -1)

    def see(self, rows, score: np.ndarray) -> None:
        at = (rows.run, rows.validator)
        self.over <<= 1
        self.over[at] |= score >= BAN
        full = (np.bitwise_count(self.over[at] & 31) >= NEEDED) & (score >= BAN)
        self.shown[at] |= rows.label == 1
        self.proof <<= 1
        self.proof[at] |= rows.bearing
        self.bearing[at] |= np.bitwise_count(self.proof[at] & 31) >= NEEDED
        self.banned[at] |= full & rows.bearing
        self.unjust[at] |= full & (rows.label == 0)
        self.honest[at] |= rows.label == 0
        self.jailed[at] |= (score >= HEAVY) & (rows.label == HONEST)
        guilty = rows.height >= self.batch.p_fault_at[at]
        new = (score >= HEAVY) & guilty & (self.first_heavy[at] < 0)
        self.first_heavy[rows.run[new], rows.validator[new]] = rows.height

    def episodes(self) -> list[Episode]:
        found = []
        for run, number in zip(*np.nonzero(self.shown & (self.batch.p_kind != fam.HONEST))):
            heavy = int(self.first_heavy[run, number])
            delay = heavy - int(self.batch.p_fault_at[run, number]) if heavy >= 0 else None
            found.append(
                Episode(
                    int(self.batch.p_family[run, number]),
                    int(self.batch.sizes[run]),
                    bool(self.bearing[run, number]),
                    delay,
                    bool(self.banned[run, number]),
                )
            )
        return found


def evaluate(
    classifier: Classifier, count: int, cells: int, progress: Progress, held_out: bool = True, every: int = 1
) -> Results:
    """Every block (or every so many) of `count` batches of networks: of held-out kinds, or of other seeds only."""
    per_run, tiers = [], []
    conduct = np.zeros((3, BINS), np.int64)
    by_family = np.zeros((len(fam.FAMILIES), 3, BINS), np.int64)
    results = Results(np.zeros(0), conduct[:2], by_family, np.zeros(0), 0, 0, 0, 0, 0, [])
    for number, batch in enumerate(batches(TEST, count, cells, held_out)):
        runs = len(batch.sizes)
        histogram = np.zeros((runs, 3, BINS), np.int32)
        table = np.zeros((runs, 4, 3), np.int64)
        watch = Watch(batch)
        for rows in batch.run(every):
            score, p = classifier.both(rows.features)
            watch.see(rows, score)
            known = rows.label != LEFT_OUT
            label, run = rows.label[known], rows.run[known]
            np.add.at(histogram, (run, label, score[known]), 1)
            np.add.at(conduct, (label, p[known]), 1)
            np.add.at(by_family, (rows.family[known], label, score[known]), 1)
            truth = (label + rows.bearing[known]).astype(int)
            truth[label == MODERATE] = 3
            tier = (score[known] >= HEAVY).astype(int) + (score[known] >= BAN)
            np.add.at(table, (run, truth, tier), 1)
            results.honest_blocks += int((rows.label == 0).sum())
            results.left_out += int((~known).sum())
        results.honest_bans += int(watch.unjust.sum())
        results.honest_jailed += int(watch.jailed.sum())
        results.honest_validators += int(watch.honest.sum())
        results.episodes += watch.episodes()
        per_run.append(histogram)
        tiers.append(table)
        progress(f"scored {number + 1} of {count} batches, {results.honest_blocks:,} honest validator-blocks")
    results.by_run, results.tiers = np.concatenate(per_run), np.concatenate(tiers)
    return results
