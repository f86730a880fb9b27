"""What is known of each simulated validator: honest, at most Moderate, or visibly at fault. See CARD.md."""

import numpy as np

from . import families as fam
from .features import COLUMN

HONEST, FAULTY, MODERATE, LEFT_OUT = 0, 1, 2, -1
SHORT, HOUR = 120, 720  # blocks away that are below Heavy, and that are Heavy


class Judge:
    """Follows the validators of a batch; all arrays [runs, validators]."""

    def __init__(self, shape: tuple[int, int]):
        self.gone = np.zeros(shape, np.int64)  # blocks in a row, by its own doing
        self.doubtful_until = np.zeros(shape, np.int64)

    def see(self, away: np.ndarray, height: int) -> None:
        """Remembers who was away for longer than 10 minutes: until it is out of the window, nothing is said."""
        self.gone = np.where(away, self.gone + 1, 0)
        self.doubtful_until[self.gone > SHORT] = height + 512

    def labels(self, features: np.ndarray, batch) -> np.ndarray:
        """A fault counts from where it shows; the onset before is left out."""
        height = batch.records.height
        value = {name: features[:, :, column] for name, column in COLUMN.items()}
        since, kind = height - batch.p_fault_at, batch.p_kind
        begun = (since >= 0) & (height < batch.p_fault_until) & (kind != fam.HONEST)
        over = height >= batch.p_fault_until
        label = np.where(height < self.doubtful_until, LEFT_OUT, HONEST)
        label = np.where(over & (value["lost"] > 24), LEFT_OUT, label)
        label = np.where(begun & (kind != fam.MILD), LEFT_OUT, label)
        shows = {
            fam.EVIDENCE: value["evidence"] >= 1,
            fam.LIAR: (value["disagreement"] >= 12) | (value["disagreement_long"] >= 5_570),
            fam.NO_PROPOSALS: value["turns_missed"] >= 12 * 256,
            fam.PARTLY: (value["lost_long"] >= 8_200) | (since >= 2_048),
        }
        for fault, sign in shows.items():
            label = np.where(begun & (kind == fault) & sign, FAULTY, label)
        mild = begun & (kind == fam.MILD) & batch.p_seen_by_all
        label = np.where(mild & (label == HONEST), np.where(since >= 256, MODERATE, LEFT_OUT), label)
        # what all see of one who is at most Moderate by intention: a victim's turns that are most of all, say
        beside = begun & (kind == fam.MILD) & ((value["lost"] >= 32) & ~batch.p_seen_by_all)
        beside |= (
            begun & (kind == fam.MILD) & (batch.p_withholds_proposal == 0) & (value["turns_missed"] >= 1_024)
        )
        label = np.where(beside, LEFT_OUT, label)
        return np.where(self.gone >= HOUR, FAULTY, label)


def proven(features: np.ndarray, label: np.ndarray) -> np.ndarray:
    """Faulty with what permits a ban."""
    evidence, disagreement = (features[..., COLUMN[name]] for name in ("evidence", "disagreement"))
    return ((evidence >= 1) | (disagreement >= 48)) & (label == FAULTY)


def two_sided(batch) -> np.ndarray:
    """Who may be in what two sides only can know, or is away: worth a look, never more."""
    begun = batch.records.height >= batch.p_fault_at + 64
    return begun & (batch.p_kind == fam.MILD)
