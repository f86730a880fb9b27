"""Vectors that hold other implementations to this one: scores of features, features of observed blocks."""

import json
from pathlib import Path

import numpy as np
import onnxruntime

from .dataset import SEED
from .features import ABSENT, COLUMN, COMMIT, HIGHEST, LOWEST, NAMES, NIL, Block, Records
from .progress import Progress
from .quantize import BAN, HEAVY, Classifier
from .simulator import batches

LOW_END = 0.05  # of a clamp's range


def random_features(rng: np.random.Generator, count: int) -> np.ndarray:
    """Rows anywhere within the clamps, many of them near the low end where most of life is."""
    high = np.where(
        rng.random((count, len(NAMES))) < 0.5, HIGHEST, LOWEST + (LOW_END * (HIGHEST - LOWEST)).astype(int)
    )
    return (LOWEST + rng.random((count, len(NAMES))) * (high - LOWEST + 1)).astype(np.int64)


def corners(rng: np.random.Generator) -> np.ndarray:
    """Every clamp alone at its top and alone at its bottom, random corners, and values beyond the clamps."""
    low = np.tile(LOWEST, (20, 1))
    high = np.tile(HIGHEST, (20, 1))
    one = np.eye(20, dtype=bool)
    drawn = np.where(rng.random((1_500, 20)) < 0.5, LOWEST, HIGHEST)
    beyond = np.where(rng.random((300, 20)) < 0.5, LOWEST - 1, HIGHEST + 1)
    beyond[::3] = np.where(rng.random((100, 20)) < 0.5, -(1 << 40), 1 << 40)
    return np.concatenate(
        [LOWEST[None], HIGHEST[None], np.where(one, high, low), np.where(one, low, high), drawn, beyond]
    )


def simulated(per_label: int) -> np.ndarray:
    """Rows of held-out networks of all sizes, half of them faulty."""
    rng = np.random.default_rng([SEED, 30])
    rows = [rows for batch in batches(SEED + 30, 4, 800, True) for rows in batch.run(60)]
    features, label = np.concatenate([r.features for r in rows]), np.concatenate([r.label for r in rows])
    return np.concatenate([features[rng.choice(np.nonzero(label == k)[0], per_label)] for k in (0, 1)])


def near_thresholds(classifier: Classifier, base: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Rows one unit of `lost_long` or one report apart, on both sides of 7,000 and of 8,000."""
    found = []
    for threshold, proven in ((HEAVY, False), (BAN, True), (HEAVY, True)):
        rows = base[rng.integers(0, len(base), 20_000)].copy()
        if proven:
            rows[:, COLUMN["disagreement"]] = 48
        else:
            rows[:, COLUMN["evidence"]], rows[:, COLUMN["disagreement"]] = 0, rng.integers(0, 20, len(rows))
        low, high = rows.copy(), rows.copy()
        low[:, COLUMN["lost_long"]], high[:, COLUMN["lost_long"]] = 0, 65_536
        over_low, over_high = (classifier.scores(r) >= threshold for r in (low, high))
        crossing = np.nonzero(over_low != over_high)[0][:500]
        a, b = low[crossing], high[crossing]
        for _ in range(17):  # halves the gap between the two sides until they are neighbours
            middle = (a + b) // 2
            same = (classifier.scores(middle) >= threshold) == (classifier.scores(a) >= threshold)
            a, b = np.where(same[:, None], middle, a), np.where(same[:, None], b, middle)
        found += [a, b]
    gate = base[rng.integers(0, len(base), 400)].copy()
    for column, below in (("disagreement", 47), ("evidence", 0)):
        for value in (below, below + 1):
            rows = gate.copy()
            rows[:, COLUMN["evidence"]] = 0
            rows[:, COLUMN["disagreement"]] = np.minimum(rows[:, COLUMN["disagreement"]], 47)
            rows[:, COLUMN[column]] = value
            found.append(rows)
    return np.concatenate(found)


def offline_alone(size: int, blocks: int, stale: bool = True) -> np.ndarray:
    """Features of a validator in each block that it is off, the rest of its network being perfect."""
    records = Records(1, size)
    rows, none = [], (np.zeros(0, int), np.zeros(0, int))
    everybody = (np.zeros(size, int), np.arange(size))
    healthy = np.tile([2_000, 50, 40, 1_000], (size, 1))
    away_from = 3 * size + 100
    for height in range(1, away_from + blocks):
        away = height >= away_from
        flag = np.full((1, size), COMMIT if height > 1 else 0)
        flag[0, 0] = ABSENT if away else flag[0, 0]
        proposer = height % size
        zero = np.zeros((1, size), bool)
        if away and proposer == 0:
            proposer = 1
        due = height % 20 == 0 and not (away and stale)
        sent = (everybody, healthy) if due else (none, np.zeros((0, 4), int))
        if height % 20 == 0 and away and stale:
            sent = ((everybody[0][1:], everybody[1][1:]), healthy[1:])
        records.observe(
            Block(
                flag,
                np.full((1, size), 10),
                zero,
                zero,
                np.zeros((1, size), int),
                np.array([proposer]),
                *sent,
            )
        )
        if away:
            rows.append(records.features()[0][0, 0])
    return np.array(rows)


def write_golden(path: Path, classifier: Classifier, progress: Progress) -> None:
    rng = np.random.default_rng([SEED, 31])
    base = simulated(3_000)
    alone = np.concatenate(
        [offline_alone(size, 70, stale) for size in (4, 7, 50, 175) for stale in (True, False)]
    )
    parts = [base, alone, corners(rng), random_features(rng, 2_500), near_thresholds(classifier, base, rng)]
    features = np.concatenate(parts)
    scores = classifier.scores(features)
    counts = {score: int((scores == score).sum()) for score in (HEAVY - 1, HEAVY, BAN - 1, BAN)}
    progress(f"{len(scores):,} golden vectors; with a score next to a threshold: {counts}")
    lines = [",".join([*NAMES, "score"])]
    lines += [",".join(map(str, row)) + f",{score}" for row, score in zip(features.tolist(), scores.tolist())]
    path.write_text("\n".join(lines) + "\n")


def read_golden(path: Path) -> tuple[np.ndarray, np.ndarray]:
    table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
    return table[:, :-1], table[:, -1]


def session(model: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def compare_with_onnxruntime(model: bytes, path: Path, progress: Progress) -> None:
    """Throws unless ONNX Runtime scores every golden vector alike, in batches and alone."""
    features, scores = read_golden(path)
    engine = session(model)
    run = lambda rows: engine.run(["score"], {"features": rows.astype(np.float64)})[0][:, 0]  # noqa: E731
    together = run(features)
    for size in (7, 100, 1_000):
        batches_of = [run(features[at : at + size]) for at in range(0, len(features), size)]
        if not np.array_equal(np.concatenate(batches_of), scores):
            raise ArithmeticError(f"ONNX Runtime differs in batches of {size}")
    alone = np.array([run(features[at : at + 1])[0] for at in range(len(features))])
    if not (np.array_equal(together, scores) and np.array_equal(alone, scores)):
        raise ArithmeticError("ONNX Runtime differs from the integers")
    progress(
        f"ONNX Runtime {onnxruntime.__version__} gives the same {len(scores):,} scores, together and alone"
    )


class Story:
    """A small network whose blocks are written down as they are observed."""

    def __init__(self, name: str, width: int):
        self.name, self.records, self.width = name, Records(1, width), width
        self.blocks: list[dict] = []
        self.expected: list[dict] = []

    def block(
        self,
        proposer: int,
        votes: list[tuple[int, int, int]],
        deviant,
        disagreement,
        evidence,
        telemetry,
        look: bool,
    ):
        """Votes are (validator, flag, power), telemetry (validator, cpu, latency, connections, share)."""
        flag, power, named = (np.zeros((1, self.width), np.int64) for _ in range(3))
        for validator, how, weight in votes:
            flag[0, validator], power[0, validator] = how, weight
        marks = np.zeros((2, 1, self.width), bool)
        marks[0, 0, deviant] = marks[1, 0, disagreement] = True
        np.add.at(named[0], evidence, 1)
        senders = np.array([t[0] for t in telemetry], int)
        values = np.array([t[1:] for t in telemetry], np.int64).reshape(-1, 4)
        self.records.observe(
            Block(flag, power, *marks, named, np.array([proposer]), (senders * 0, senders), values)
        )
        self.blocks.append(
            {
                "height": self.records.height,
                "proposer": proposer,
                "votes": [list(v) for v in votes],
                "deviant": list(deviant),
                "disagreement": list(disagreement),
                "evidence": list(evidence),
                "telemetry": [list(t) for t in telemetry],
            }
        )
        if look:
            features, roster = self.records.features()
            members = np.nonzero(roster[0])[0].tolist()
            rows = [{"validator": v, "features": features[0, v].tolist()} for v in members]
            self.expected.append({"height": self.records.height, "roster": rows})


def tell(
    name: str, powers: list[int], blocks: int, seed: int, coming: dict[int, list[tuple[int, int]]]
) -> Story:
    """A story drawn from a seed; `coming` gives the heights at which a validator votes (default: all)."""
    rng = np.random.default_rng([SEED, 40, seed])
    story, size = Story(name, len(powers)), len(powers)
    quiet = {v: (int(rng.integers(20, blocks)), int(rng.integers(5, 60))) for v in range(0, size, 3)}
    for height in range(1, blocks + 1):
        members = [
            v
            for v in range(size)
            if height > 1 and any(a <= height <= b for a, b in coming.get(v, [(2, blocks)]))
        ]
        votes, deviant, disagreement = [], [], []
        for v in members:
            start, length = quiet.get(v, (0, 0))
            absent = start <= height < start + length or rng.random() < 0.04 * (v % 4)
            flag = ABSENT if absent else NIL if rng.random() < 0.05 else COMMIT
            votes.append((v, flag, powers[v] + (height // 50) * (v % 2)))
            if flag == COMMIT:
                fate = rng.random()
                deviant += [v] if fate < 0.05 else []
                disagreement += [v] if fate > 0.9 else []
        proposers = [v for v in members if v % 5 != 1 or rng.random() < 0.05] or [0]
        proposer = proposers[int(rng.integers(0, len(proposers)))]
        evidence = [v for v in members if rng.random() < 0.01 and v == size - 1]
        sending = [
            v
            for v in members
            if v not in coming and v % 4 != 3 and rng.random() < 0.03 and height < blocks - 40 * (v % 3)
        ]
        telemetry = [(v, *(int(x) for x in rng.integers(0, [12_000, 11_000, 80, 3_000]))) for v in sending]
        look = (
            height <= 3
            or height % (9 if height < 256 else 16) == 0
            or any(height - end in (15, 16, 17, 18) for s in coming.values() for _, end in s)
        )
        story.block(proposer, votes, deviant, disagreement, evidence, telemetry, look)
    return story


def write_observations(path: Path) -> None:
    stories = [
        tell("one validator alone", [10], 40, 1, {}),
        tell("four equal validators", [10] * 4, 560, 2, {}),
        tell(
            "nine that come, go and come back",
            [50, 9, 7, 30, 5, 5, 20, 3, 1],
            400,
            3,
            {4: [(30, 90), (101, 150), (175, 400)], 7: [(60, 400)]},
        ),
        tell("twenty-one of falling power", [1_000 // (k + 2) for k in range(21)], 300, 4, {20: [(2, 70)]}),
    ]
    text = [
        json.dumps(
            {"name": s.name, "blocks": s.blocks, "expected": s.expected}, separators=(",", ":")
        ).replace('},{"', '},\n{"')
        for s in stories
    ]
    path.write_text("[\n" + ",\n".join(text) + "\n]\n")
