"""What the model must beat: a list of rules, and a logistic regression on the same features."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from .calibrate import at_prevalence
from .dataset import Dataset
from .features import COLUMN
from .perceptron import sigmoid
from .train import CONDUCT, CONDUCT_SHIFTS, FAULTY_WEIGHT


def rule_scores(features: np.ndarray) -> np.ndarray:
    """Thresholds that an operator would set by hand; the worst rule that holds decides, 0 … 1."""
    value = {name: features[:, column].astype(np.int64) for name, column in COLUMN.items()}
    alone = value["others_missed"] * 5 < value["missed"] * 16
    rules = [
        (value["evidence"] >= 1, 1.0),
        (value["disagreement"] >= 48, 0.95),
        ((value["missed"] >= 32) & alone, 0.79),
        ((value["missed_long"] >= 16_384) & alone, 0.78),
        (value["nil"] >= 20, 0.77),
        (value["disagreement"] >= 14, 0.76),
        ((value["turns_missed"] >= 1_024) & (value["missed"] < 10), 0.75),
        ((value["omissions"] >= 100) & (value["omissions"] >= 3 * value["network_omissions"]), 0.74),
    ]
    score = 0.6 * np.maximum(value["missed"], value["nil"]) / 64
    for holds, worth in reversed(rules):
        score = np.where(holds, worth, score)
    return score


class Regression:
    """Logistic regression, fitted and calibrated as the model is."""

    def __init__(self, data: Dataset, held: Dataset):
        weight = at_prevalence(data.label, np.minimum(data.weight, 4), FAULTY_WEIGHT) * len(data.label)
        self.fit = LogisticRegression(max_iter=300, C=100.0).fit(
            self.inputs(data.features), data.label, weight
        )
        share = at_prevalence(held.label, held.weight) * len(held.label)
        logit = self.fit.decision_function(self.inputs(held.features))
        self.platt = LogisticRegression(C=1e6).fit(logit[:, None], held.label, share)

    def inputs(self, features: np.ndarray) -> np.ndarray:
        return features[:, CONDUCT] / np.exp2(CONDUCT_SHIFTS)

    def scores(self, features: np.ndarray) -> np.ndarray:
        logit = self.fit.decision_function(self.inputs(features))
        return sigmoid(self.platt.decision_function(logit[:, None]))
