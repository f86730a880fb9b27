"""The model card: fills the figures into card-template.md."""

import math
from pathlib import Path

import numpy as np

from . import bounds, metrics
from . import families as fam
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
    classifier: Classifier, results: Results, compared: dict, attacked: tuple, pressed: dict, training: dict
) -> list[tuple[str, str, str, str, bool]]:
    """What was asked, the figure, its interval, and whether it holds."""
    counts, tiers = results.counts(), results.tiers.sum(0)
    two_classes = results.by_run[:, :2]
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
    recall = lambda t: t[2, 2].sum() / max(t[2].sum(), 1)  # noqa: E731
    low, high = metrics.by_runs(results.tiers, recall)
    found.append(
        (
            "recall of faulty rows with proof at ≥ 8,000 ≥ 0.99",
            f"{recall(tiers):.4f}",
            f"{low:.4f} … {high:.4f}",
            low >= 0.99,
        )
    )
    seen = lambda t: t[1:3, 1:].sum() / t[1:3].sum()  # noqa: E731
    low, high = metrics.by_runs(results.tiers, seen)
    found.append(
        (
            "recall of visible faults at ≥ 7,000 ≥ 0.85",
            f"{seen(tiers):.4f}",
            f"{low:.4f} … {high:.4f}",
            seen(tiers) >= 0.85,
        )
    )
    right = lambda t: t[1:3, 1:].sum() / (t[1:3, 1:].sum() + t[0, 1:].sum() + t[3, 1:].sum())  # noqa: E731
    low, high = metrics.by_runs(results.tiers, right)
    found.append(
        (
            "precision at ≥ 7,000, as simulated, ≥ 0.999",
            f"{right(tiers):.5f}",
            f"{low:.5f} … {high:.5f}",
            right(tiers) >= 0.999,
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
    low, high = metrics.by_runs(two_classes, metrics.roc_auc)
    found.append(
        (
            "ROC-AUC of the score ≥ 0.995",
            f"{metrics.roc_auc(counts):.5f}",
            f"{low:.5f} … {high:.5f}",
            low >= 0.995,
        )
    )
    for prevalence in (0.001, PREVALENCE):
        area = lambda c, share=prevalence: metrics.pr_auc(c, share)  # noqa: E731
        low, high = metrics.by_runs(two_classes, area)
        found.append(
            (
                f"PR-AUC of the score ≥ 0.98, {prevalence:.1%} faulty",
                f"{area(counts):.4f}",
                f"{low:.4f} … {high:.4f}",
                low >= 0.98,
            )
        )
    for prevalence in (0.001, PREVALENCE, 0.05):
        error = lambda c, share=prevalence: metrics.ece(c, share)  # noqa: E731
        low, high = metrics.by_runs(two_classes, error)
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
    for name, least in (("below a third", None), ("34 %", HEAVY)):
        tried, highest, above = pressed[name]
        found.append(
            (
                f"gangs of {name} bring an honest validator to ≥ 7,000: "
                + ("0" if least is None else "some"),
                f"{above} of {tried:,}",
                f"p {highest:,} at most",
                (above == 0) == (least is None),
            )
        )
    highest = max(bounds.worst_honest(classifier).values())
    found.append(
        (
            "p of an honest validator at the bounds of what it can come to < 7,000",
            f"{highest:,}",
            "of all sizes",
            highest < HEAVY,
        )
    )
    for held, ways in compared.items():
        recalls = {way: at_precision(c, 0.999) for way, c in ways.items()}
        ours, others = recalls["this model"], max(v for k, v in recalls.items() if k != "this model")
        found.append(
            (
                f"recall at a precision of 0.999, {held}: better than rules and logistic regression",
                f"{ours:.4f} against {others:.4f}",
                "see below",
                ours > others,
            )
        )
    return found


def acceptable(
    classifier: Classifier, results: Results, compared: dict, attacked: tuple, pressed: dict, training: dict
) -> bool:
    return all(holds for *_, holds in measures(classifier, results, compared, attacked, pressed, training))


def at_precision(c: np.ndarray, least: float) -> float:
    """Recall of faulty rows at the lowest threshold of at least this precision, as simulated."""
    right, wrong = np.cumsum(c[1][::-1]), np.cumsum((c[0] + c[3])[::-1])
    good = right >= least * (right + wrong)
    return float(right[good].max(initial=0) / c[1].sum())


def compare_table(compared: dict[str, dict[str, np.ndarray]]) -> str:
    rows = []
    for held, ways in compared.items():
        for way, c in ways.items():
            right, honest, moderate = (float(c[k, HEAVY:].sum()) for k in (1, 0, 3))
            rows.append(
                [
                    f"{way}, {held}",
                    f"{right / max(right + honest + moderate, 1):.5f}",
                    f"{right / c[1].sum():.3f}",
                    f"{at_precision(c, 0.999):.3f}",
                    f"{honest / c[0].sum():.1e}",
                    f"{moderate / max(c[3].sum(), 1):.1e}",
                    f"{metrics.roc_auc(c[:2]):.5f}",
                    f"{metrics.pr_auc(c[:2], PREVALENCE):.4f}",
                ]
            )
    head = [
        "",
        "precision at 0.70",
        "recall at 0.70",
        "recall at precision 0.999",
        "honest ≥ 0.70",
        "Moderate ≥ 0.70",
        "ROC-AUC",
        f"PR-AUC ({PREVALENCE:.0%})",
    ]
    return table(head, rows)


def scenario_table(told: list) -> str:
    """Each story: who must stay below Heavy, or come there, and who does."""
    rows = []
    for title, scenario, outcome in told:
        asked = {True: "below", False: "Heavy", None: ""}[scenario.below]
        after = "" if outcome.median is None else f"{outcome.median:.0f}"
        heavy = f"{outcome.heavy} of {outcome.subjects}"
        holds = "" if outcome.holds(scenario.below) else "**no**"
        rows.append(
            [title, scenario.name, str(scenario.size), asked, f"{outcome.highest:,}", heavy, after, holds]
        )
    head = ["", "story", "validators", "asked", "highest score", "at Heavy", "after blocks", ""]
    return table(head, rows)


def family_table(results: Results) -> str:
    rows = []
    for number, name in enumerate(fam.FAMILIES):
        cells = [name]
        for label in (0, 2, 1):
            counts = results.by_family[number, label]
            total, hits = int(counts.sum()), int(counts[HEAVY:].sum())
            low, high = metrics.share_interval(hits, total)
            span = (
                f"≤ {high:.1e}"
                if hits == 0
                else f"≥ {low:.4f}"
                if hits == total
                else f"{low:.4f} … {high:.4f}"
                if label == 1
                else f"{low:.1e} … {high:.1e}"
            )
            share = f"{hits / max(total, 1):.4f}" if label == 1 else f"{hits / max(total, 1):.1e}"
            cells += [f"{total:,}", f"{share} ({span})"] if total else ["", ""]
        rows.append(cells)
    note = (
        "\n\nThe intervals of this table take rows as independent, which they are not: they are too narrow."
    )
    head = ["family", "honest rows", "at ≥ 7,000", "Moderate rows", "at ≥ 7,000", "faulty rows", "at ≥ 7,000"]
    return table(head, rows) + note


def episode_table(results: Results) -> str:
    rows = []
    for name in fam.FAULTY_FAMILIES:
        own = [e for e in results.episodes if e.family == fam.FAMILY[name]]
        delays = [e.delay for e in own if e.delay is not None]
        low, _ = metrics.share_interval(len(delays), len(own))
        proven = [e for e in own if e.bearing]
        middle, late = (f"{np.quantile(delays, q):.0f}" if delays else "" for q in (0.5, 0.95))
        bans = f"{sum(e.banned for e in proven)} of {len(proven)}" if proven else ""
        rows.append([name, f"{len(delays)} of {len(own)} (≥ {low:.3f})", middle, late, bans])
    return table(["family", "caught", "median blocks", "95 %", "bans"], rows)


ALONE = (60, 120, 240, 360, 480, 720)


def alone_table(classifier: Classifier, alone: dict[int, np.ndarray]) -> str:
    rows = []
    for size, features in alone.items():
        score = classifier.scores(features)
        first = int(np.argmax(score >= HEAVY)) + 1
        rows.append([str(size), *(f"{score[missed - 1]:,}" for missed in ALONE), str(first)])
    return table(["validators", *(f"after {n}" for n in ALONE), "Heavy after"], rows)


def write(classifier, results, compared, attacked, alone, told, pressed, training, sha256) -> str:
    counts, tiers = results.counts(), results.tiers.sum(0)
    heavy, honest = int(tiers[0, 1:].sum()), int(tiers[0].sum())
    heavy_low, heavy_high = metrics.by_runs(results.tiers, lambda t: t[0, 1:].sum() / t[0].sum())
    rows = [
        [asked, figure, span, "yes" if holds else "**no**"]
        for asked, figure, span, holds in measures(classifier, results, compared, attacked, pressed, training)
    ]
    sums = [
        [name, str(layer), f"2^{math.log2(bound):.2f}"]
        for name, net in (("conduct", classifier.conduct), ("signs", classifier.signs))
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
        stories=scenario_table(told),
        bounds=table(
            [f"{size / 4:g}" for size in bounds.SIZES],
            [[f"{p:,}" for p in bounds.worst_honest(classifier).values()]],
        ),
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
