"""The model card: fills the figures into card-template.md."""

import math
from pathlib import Path

import numpy as np

from . import families as fam
from . import metrics
from .calibrate import PREVALENCE
from .dataset import CALIBRATION, TEST, TRAIN
from .evaluate import Results
from .networks import HELD_OUT_BLOCK_TIMES, HELD_OUT_SIZES, TRAIN_BLOCK_TIMES, TRAIN_SIZES
from .quantize import BAN, BITS, HEAVY, Classifier, largest_sums

TEXT = Path(__file__).with_name("card-template.md")


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def measures(
    results: Results, compared: dict, attacked: tuple, training: dict
) -> list[tuple[str, str, str, str, bool]]:
    """What was asked, the figure, its interval, and whether it holds."""
    counts, tiers = results.counts(), results.tiers.sum(0)
    found = []
    honest = int(tiers[0].sum())
    above = int(tiers[0, 2])
    upper = metrics.share_interval(above, honest)[1]
    found.append(
        ("honest rows ≥ 0.80, upper bound ≤ 1e-5", f"{above} of {honest:,}", f"≤ {upper:.1e}", upper <= 1e-5)
    )
    straggling = results.by_family[fam.FAMILY["straggler"], 0]
    hits, total = int(straggling[BAN:].sum()), int(straggling.sum())
    upper = metrics.share_interval(hits, total)[1]
    found.append(("stragglers among them", f"{hits} of {total:,}", f"≤ {upper:.1e}", upper <= 1e-5))
    upper = metrics.share_interval(results.honest_bans, results.honest_blocks)[1]
    enough = results.honest_bans == 0 and results.honest_blocks >= 3_000_000
    found.append(
        (
            "bans (3 of 5 blocks) of honest validators: 0 in ≥ 3M validator-blocks",
            f"{results.honest_bans} in {results.honest_blocks:,}",
            f"≤ {upper:.1e}",
            enough,
        )
    )
    for name, truth, tier, least in (
        ("with proof at ≥ 8,000", 2, 2, 0.99),
        ("without proof at ≥ 7,000", 1, 1, 0.95),
    ):
        recall = lambda t, row=truth, column=tier: t[row, column:].sum() / t[row].sum()  # noqa: E731
        low, high = metrics.by_runs(results.tiers, recall)
        found.append(
            (
                f"recall of faulty rows {name} ≥ {least}",
                f"{recall(tiers):.4f}",
                f"{low:.4f} … {high:.4f}",
                low >= least,
            )
        )
    proven = [e for e in results.episodes if e.bearing]
    bans = sum(e.banned for e in proven)
    low, _ = metrics.share_interval(bans, len(proven))
    found.append(
        (
            "validators with proof in 3 of 5 blocks whose ban window fills ≥ 0.99",
            f"{bans} of {len(proven)}",
            f"≥ {low:.3f}",
            bans >= 0.99 * len(proven),
        )
    )
    low, high = metrics.by_runs(results.by_run, metrics.roc_auc)
    found.append(
        (
            "ROC-AUC of the score ≥ 0.995",
            f"{metrics.roc_auc(counts):.5f}",
            f"{low:.5f} … {high:.5f}",
            low >= 0.995,
        )
    )
    for prevalence in (PREVALENCE, 0.01):
        area = lambda c, share=prevalence: metrics.pr_auc(c, share)  # noqa: E731
        low, high = metrics.by_runs(results.by_run, area)
        found.append(
            (
                f"PR-AUC of the score ≥ 0.98, {prevalence:.1%} faulty",
                f"{area(counts):.4f}",
                f"{low:.4f} … {high:.4f}",
                low >= 0.98,
            )
        )
    for prevalence in (PREVALENCE, 0.01, 0.05):
        error = lambda c, share=prevalence: metrics.ece(c, share)  # noqa: E731
        low, high = metrics.by_runs(results.by_run, error)
        value = f"{error(counts):.4f}; of p {error(results.conduct):.4f}"
        found.append(
            (
                f"ECE of the score (15 bins) ≤ 0.02, {prevalence:.1%} faulty",
                value,
                f"{low:.4f} … {high:.4f}",
                high <= 0.02,
            )
        )
    found.append(
        (
            "tiers changed by telemetry alone: 0",
            f"{attacked[1]} in {attacked[2]:,} tries",
            "by construction",
            attacked[1] == 0,
        )
    )
    gap = training["quantisation_gap"]
    found.append(("integers against float64 ≤ 1e-4", f"{gap:.1e}", "largest of all rows", gap <= 1e-4))
    areas = {name: metrics.pr_auc(c[:2], PREVALENCE) for name, c in compared.items()}
    ours, others = areas["this model"], max(v for k, v in areas.items() if k != "this model")
    found.append(
        (
            "better than rules and logistic regression (PR-AUC)",
            f"{ours:.4f} against {others:.4f}",
            "see below",
            ours > others,
        )
    )
    return found


def acceptable(results: Results, compared: dict, attacked: tuple, training: dict) -> bool:
    return all(holds for *_, holds in measures(results, compared, attacked, training))


def recall_at(counts: np.ndarray, honest_share: float) -> float:
    """Recall of faulty rows without proof when at most a share of honest rows is above the threshold."""
    above = np.cumsum(counts[0][::-1]) / counts[0].sum()
    caught = np.cumsum(counts[2][::-1]) / counts[2].sum()
    within = np.nonzero(above <= honest_share)[0]
    return float(caught[within[-1]]) if len(within) else 0.0


def compare_table(compared: dict[str, np.ndarray]) -> str:
    rows = []
    for name, c in compared.items():
        two = c[:2]
        at = [f"{recall_at(c, share):.3f}" for share in (1e-5, 1e-4, 1e-3)]
        fixed = f"{c[0, HEAVY:].sum() / c[0].sum():.1e}", f"{c[2, HEAVY:].sum() / c[2].sum():.3f}"
        rows.append(
            [
                name,
                f"{metrics.roc_auc(two):.5f}",
                f"{metrics.pr_auc(two, PREVALENCE):.4f}",
                f"{metrics.ece(two, PREVALENCE):.4f}",
                *at,
                *fixed,
            ]
        )
    head = [
        "",
        "ROC-AUC",
        f"PR-AUC ({PREVALENCE:.1%})",
        "ECE",
        "recall at 1e-5",
        "at 1e-4",
        "at 1e-3",
        "honest ≥ 0.70",
        "recall at 0.70",
    ]
    return table(head, rows)


def family_table(results: Results) -> str:
    rows = []
    for number, name in enumerate(fam.FAMILIES):
        cells = [name]
        for label in (0, 1):
            counts = results.by_family[number, label]
            total, hits = int(counts.sum()), int(counts[HEAVY:].sum())
            low, high = metrics.share_interval(hits, total)
            span = (
                f"≤ {high:.1e}"
                if hits == 0
                else f"≥ {low:.4f}"
                if hits == total
                else f"{low:.4f} … {high:.4f}"
                if label
                else f"{low:.1e} … {high:.1e}"
            )
            share = f"{hits / max(total, 1):.4f}" if label else f"{hits / max(total, 1):.1e}"
            cells += [f"{total:,}", f"{share} ({span})"] if total else ["", ""]
        rows.append(cells)
    note = (
        "\n\nThe intervals of this table take rows as independent, which they are not: they are too narrow."
    )
    return table(["family", "honest rows", "at ≥ 7,000", "faulty rows", "at ≥ 7,000"], rows) + note


def episode_table(results: Results) -> str:
    rows = []
    for name in fam.FAULTY_FAMILIES:
        own = [e for e in results.episodes if e.family == fam.FAMILY[name]]
        delays = [e.delay for e in own if e.delay is not None]
        low, _ = metrics.share_interval(len(delays), len(own))
        proven = [e for e in own if e.bearing]
        middle, late = (f"{np.quantile(delays, q):.0f}" for q in (0.5, 0.95))
        bans = f"{sum(e.banned for e in proven)} of {len(proven)}" if proven else ""
        rows.append([name, f"{len(delays)} of {len(own)} (≥ {low:.3f})", middle, late, bans])
    return table(["family", "caught", "median blocks", "95 %", "bans"], rows)


def alone_table(classifier: Classifier, alone: dict[int, np.ndarray]) -> str:
    rows = []
    for size, features in alone.items():
        score = classifier.scores(features)
        first = int(np.argmax(score >= HEAVY)) + 1
        rows.append(
            [str(size), *(f"{score[missed - 1]:,}" for missed in (16, 28, 32, 40, 64, 100)), str(first)]
        )
    return table(["validators", "after 16", "28", "32", "40", "64", "100 blocks", "Heavy after"], rows)


def write(classifier, results, compared, attacked, alone, training, sha256) -> str:
    counts, tiers = results.counts(), results.tiers.sum(0)
    heavy, honest = int(tiers[0, 1:].sum()), int(tiers[0].sum())
    heavy_low, heavy_high = metrics.by_runs(results.tiers, lambda t: t[0, 1:].sum() / t[0].sum())
    rows = [
        [asked, figure, span, "yes" if holds else "**no**"]
        for asked, figure, span, holds in measures(results, compared, attacked, training)
    ]
    sums = [
        [name, str(layer), f"2^{math.log2(bound):.2f}"]
        for name, net in (("conduct", classifier.conduct), ("telemetry", classifier.telemetry))
        for layer, bound in zip(["1", "2", "3"][: len(net.weights)] + ["table"], largest_sums(net))
    ]
    listed = lambda values: ", ".join(f"{v:g}" for v in values)  # noqa: E731
    return TEXT.read_text().format(
        sha256=sha256,
        rows=training["rows"],
        seed=TRAIN,
        data=training["sha256"],
        calibration_seed=CALIBRATION,
        calibration=training["calibration_sha256"],
        test_seed=TEST,
        test_rows=int(counts.sum()),
        runs=len(results.by_run),
        prevalence=PREVALENCE,
        raw=counts[1].sum() / counts.sum(),
        largest=training["largest_sum"],
        largest_log=math.log2(training["largest_sum"]),
        acceptance=table(["asked", "found", "interval", "holds"], rows),
        heavy=heavy,
        honest=honest,
        heavy_rate=heavy / honest,
        heavy_low=heavy_low,
        heavy_high=heavy_high,
        jailed=results.honest_jailed,
        validators=results.honest_validators,
        jailed_rate=results.honest_jailed / results.honest_validators,
        jailed_high=metrics.share_interval(results.honest_jailed, results.honest_validators)[1],
        p_ban=int(results.conduct[0, BAN:].sum()),
        p_ban_rate=results.conduct[0, BAN:].sum() / honest,
        by_family=family_table(results),
        episodes=episode_table(results),
        baselines=compare_table(compared),
        alone=alone_table(classifier, alone),
        attack_rows=attacked[0],
        attack_changed=attacked[1],
        attack_tried=attacked[2],
        attack_rise=attacked[3],
        bits=BITS,
        sums=table(["network", "layer", "at most"], sums),
        gap=training["quantisation_gap"],
        sizes=listed(TRAIN_SIZES),
        times=listed(TRAIN_BLOCK_TIMES),
        held_sizes=listed(HELD_OUT_SIZES),
        held_times=listed(HELD_OUT_BLOCK_TIMES),
        left_out=results.left_out / (results.left_out + counts.sum()),
    )
