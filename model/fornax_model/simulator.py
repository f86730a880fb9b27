"""A seeded simulator of networks of validators: votes, proposers, evidence and telemetry, block by block."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np

from . import families as fam
from .families import NEVER, Validator
from .features import ABSENT, COLUMN, COMMIT, NIL, Block, Records
from .networks import HELD_OUT_SIZES, TRAIN_SIZES, draw_network


@dataclass
class Rows:
    """Features [n, 20] of one evaluated block of a batch with what is known about each row."""

    features: np.ndarray
    label: np.ndarray  # 1 faulty, 0 honest, -1 left out
    bearing: np.ndarray  # evidence-bearing
    family: np.ndarray
    run: np.ndarray
    validator: np.ndarray
    size: np.ndarray
    troubled: np.ndarray  # its machine is overloaded, or it is offline
    height: int


class Batch:
    """Networks of at most `width` validators that advance together."""

    def __init__(self, rng: np.random.Generator, sizes: list[int], blocks: int, held_out: bool):
        self.rng, self.blocks = rng, blocks
        self.networks = [draw_network(rng, size, blocks, held_out) for size in sizes]
        self.width = max(sizes)
        self.records = Records(len(sizes), self.width)
        self.sizes = np.array(sizes)
        self._spread()
        shape = self.power.shape
        self.late = np.zeros(shape, bool)
        self.blip_until = np.zeros(len(sizes), np.int64)
        self.blip_late = np.zeros(len(sizes))
        self.censored = np.zeros(shape, np.int64)
        self.priority = np.where(self.exists, 0, -(1 << 60))
        self.order = np.argsort(rng.random(shape), 1, kind="stable")  # whom a censor picks on, first

    def _spread(self) -> None:
        """Lays the validators' parameters out as arrays [runs, width]."""
        shape = (len(self.networks), self.width)
        self.exists = np.arange(self.width) < self.sizes[:, None]
        blank = Validator(0)
        for spec in fields(Validator):
            if spec.name == "offline" or spec.name == "overloaded":
                continue
            array = np.full(shape, getattr(blank, spec.name))
            for run, network in enumerate(self.networks):
                array[run, : len(network.validators)] = [getattr(v, spec.name) for v in network.validators]
            setattr(self, f"p_{spec.name}", array)
        self.power = np.zeros(shape, np.int64)
        self.apart = np.zeros(shape, bool)
        self.switches: dict[int, list[tuple[int, int, str, bool]]] = {}
        self.offline = np.zeros(shape, bool)
        self.overloaded = np.zeros(shape, bool)
        for run, network in enumerate(self.networks):
            self.power[run, : len(network.power)] = network.power
            self.apart[run, : len(network.apart)] = network.apart
            for number, v in enumerate(network.validators):
                intervals = [("offline", *interval) for interval in v.offline] + [
                    ("overloaded", *v.overloaded)
                ]
                if network.apart[number]:
                    intervals.append(("offline", *network.split))
                for name, start, end in intervals:
                    self.switches.setdefault(start, []).append((run, number, name, True))
                    self.switches.setdefault(end, []).append((run, number, name, False))

    def step(self) -> Block:
        """Draws the next block and lets the records observe it."""
        height = self.records.height + 1
        for run, number, name, on in self.switches.get(height, ()):
            getattr(self, name)[run, number] = on
        faulty = (height >= self.p_fault_at) & (height < self.p_fault_until)
        member = self.exists & (height > self.p_joined_at)
        member = self.exists & (height > self.p_joined_at)
        away = faulty & (self.p_period > 0) & (height % np.maximum(self.p_period, 1) < self.p_period_missed)
        down = self._bearable(self.offline | away, member, faulty & (self.p_fault_late >= 1))
        proposer = self._propose(member & (height > 1), down, faulty)
        flag = self._vote(member, down, faulty, proposer, height)
        self._censor(flag, proposer, faulty)
        uniform = self.rng.random((2, *flag.shape))
        deviant = uniform[0] < self.p_deviant
        disagreement = ~deviant & (
            uniform[1] < np.where(faulty, np.maximum(self.p_lies, self.p_disagreement), self.p_disagreement)
        )
        evidence = np.where(height == self.p_fault_at, self.p_evidence, 0)
        if height == 1:
            flag[:] = 0
        usable = flag == COMMIT
        block = Block(
            flag,
            self.power,
            deviant & usable,
            disagreement & usable,
            evidence,
            proposer,
            *self._telemetry(member, down, height),
        )
        self.records.observe(block)
        self.down = down | (faulty & (self.p_fault_late >= 1))
        return block

    def _bearable(self, down: np.ndarray, member: np.ndarray, silent: np.ndarray) -> np.ndarray:
        """Who is down, less restarts (and if need be all) where too few would be left to decide."""
        for kept in (down & (self.apart | (self.p_kind != fam.HONEST)), np.zeros_like(down)):
            power = np.where(member, self.power, 0)
            left = np.where(down | silent, 0, power).sum(1)
            down = np.where((100 * left > 69 * power.sum(1))[:, None], down, kept)
        return down

    def _propose(self, member: np.ndarray, down: np.ndarray, faulty: np.ndarray) -> np.ndarray:
        """CometBFT's rotation; who fails to propose loses the turn to the next round's proposer."""
        runs = np.arange(len(self.networks))
        power = np.where(self.exists, self.power, 0)
        total = power.sum(1)
        self.priority += power
        chosen = self.priority.argmax(1)
        self.priority[runs, chosen] -= total
        silent = down | (faulty & (self.p_fault_late >= 1)) | ~member
        chance = np.where(
            faulty & (self.p_withholds_proposal > 0), self.p_withholds_proposal, self.p_fails_proposal
        )
        failed = silent[runs, chosen] | (self.rng.random(len(runs)) < chance[runs, chosen])
        again = np.nonzero(failed)[0]
        if len(again):
            rounds = self.priority[again].copy()
            for attempt in range(6):
                rounds += power[again]
                following = rounds.argmax(1)
                rounds[np.arange(len(again)), following] -= total[again]
                still = failed[again]
                chosen[again] = np.where(still, following, chosen[again])
                failed[again] = still & (
                    silent[again, following] | (self.rng.random(len(again)) < chance[again, following])
                )
        return chosen

    def _vote(
        self, member: np.ndarray, down: np.ndarray, faulty: np.ndarray, proposer: np.ndarray, height: int
    ) -> np.ndarray:
        uniform = self.rng.random((2, *member.shape))
        start = self.rng.random((3, len(self.sizes)))
        fresh = (height > self.blip_until) & (start[0] < np.array([n.blips for n in self.networks]))
        self.blip_until = np.where(fresh, height + 2 + (start[1] * 10).astype(np.int64), self.blip_until)
        self.blip_late = np.where(fresh, 0.05 + 0.3 * start[2], self.blip_late)
        late = np.where(faulty & (self.p_fault_late >= 0), self.p_fault_late, self.p_late)
        burst = np.where(faulty & (self.p_fault_burst >= 0), self.p_fault_burst, self.p_burst)
        late = np.where(self.late, burst, late)
        apart = self.p_far != self.p_far[np.arange(len(proposer)), proposer][:, None]
        late = late + np.where(apart, self.p_far_late, 0)
        late = late + np.where(height <= self.blip_until, self.blip_late, 0)[:, None]
        self.late = uniform[0] < late
        absent = member & (down | self.late)
        nil = (
            member
            & ~absent
            & (uniform[1] < np.where(faulty & (self.p_fault_nil >= 0), self.p_fault_nil, self.p_nil))
        )
        flag = np.where(member, COMMIT, 0)
        flag[nil], flag[absent] = NIL, ABSENT
        short = ~self._decided(flag)
        if short.any():  # a block waits until enough have voted
            meant = down | faulty
            flag[short] = np.where((flag[short] > 0) & ~meant[short], COMMIT, flag[short])
            short = ~self._decided(flag)
            flag[short] = np.where(flag[short] > 0, COMMIT, 0)
        return flag

    def _decided(self, flag: np.ndarray) -> np.ndarray:
        power = np.where(flag > 0, self.power, 0)
        return 3 * np.where(flag == COMMIT, power, 0).sum(1) > 2 * power.sum(1)

    def _is_decided(self, run: int, flag: np.ndarray) -> bool:
        power = self.power[run]
        return 3 * power[flag == COMMIT].sum() > 2 * power[flag > 0].sum()

    def _censor(self, flag: np.ndarray, proposer: np.ndarray, faulty: np.ndarray) -> None:
        runs = np.arange(len(proposer))
        for run in np.nonzero((self.p_censors[runs, proposer] > 0) & faulty[runs, proposer])[0]:
            chief, size = proposer[run], self.sizes[run]
            wanted = max(1 if size < 7 else 2, round(float(self.p_censors[run, chief]) * size))
            present = flag[run] == COMMIT
            present[chief] = False
            order = self.order[run]
            if not self.p_censors_the_same[run, chief]:
                quiet = (self.records.missed[run] & np.uint64(0xFF)) == 0
                draws = self.rng.random(self.width) - quiet
                order = np.argsort(draws, kind="stable")
            for victim in order[present[order]]:
                flag[run, victim] = ABSENT
                if self._is_decided(run, flag[run]):
                    wanted -= 1
                else:
                    flag[run, victim] = COMMIT
                if wanted == 0:
                    break
            self.censored[run, chief] += 1

    def _telemetry(
        self, member: np.ndarray, down: np.ndarray, height: int
    ) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
        phase = np.arange(self.width)
        due = (height + phase) % np.minimum(self.p_telemetry_period, 1 << 20) == 0
        due &= member & (self.p_telemetry_period < NEVER) & (~down | self.p_perfect_telemetry)
        runs, columns = np.nonzero(due)
        draws = self.rng.random((4, len(runs)))
        overloaded = self.overloaded[runs, columns] & ~self.p_perfect_telemetry[runs, columns]
        perfect = self.p_perfect_telemetry[runs, columns]
        latency = self.p_latency[runs, columns]
        cpu = np.where(overloaded, 8_500 + 1_500 * draws[0], 500 + 6_500 * draws[0])
        latency = np.where(overloaded, latency * 3 + 4_000 * draws[1], latency * (0.5 + draws[1]))
        connections = np.where(overloaded, 2 + 10 * draws[2], 20 + 40 * draws[2])
        contributed = np.where(overloaded, 20 + 300 * draws[3], 500 + 1_000 * draws[3])
        values = np.stack(
            [
                np.where(perfect, best, value)
                for best, value in zip((1_000, 20, 60, 1_500), (cpu, latency, connections, contributed))
            ],
            1,
        )
        return (runs, columns), values.astype(np.int64)

    def rows(self) -> Rows:
        """Features and labels of the present block, one row for each validator on a roster."""
        features, roster = self.records.features()
        at = np.nonzero(roster & self.exists)
        label, bearing = self._labels(features)
        height = self.records.height
        family = np.where((height < self.p_fault_at) & (self.p_fault_at < NEVER), 0, self.p_family)
        victims = (
            (family == 0)
            & (features[:, :, COLUMN["missed"]] >= 3)
            & (self.censored.sum(1, keepdims=True) > 0)
        )
        family = np.where(victims, fam.VICTIM, family)
        troubled = (self.overloaded & ~self.p_perfect_telemetry) | (self.down & (self.records.streak >= 8))
        return Rows(
            features[at],
            label[at],
            bearing[at],
            family[at],
            at[0],
            at[1],
            self.sizes[at[0]],
            troubled[at],
            height,
        )

    def _labels(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A fault counts from where it shows; the onset between is left out. See CARD.md."""
        height = self.records.height
        value = {name: features[:, :, column] for name, column in COLUMN.items()}
        since = height - self.p_fault_at
        kind, begun = self.p_kind, since >= 0
        lost = value["missed"] >= 32
        shows = {
            fam.EVIDENCE: value["evidence"] >= 1,
            fam.LIAR: value["disagreement"] >= 14,
            fam.OFFLINE: lost,
            fam.NO_PROPOSALS: value["turns_missed"] >= 4 * 256,
            fam.CENSOR: self.censored >= np.where(self.sizes < 8, 5, 4)[:, None],
            fam.SELECTIVE: lost | (value["missed_long"] >= 18_350) | (since >= 512),
            fam.NIL_VOTER: (since >= 64),
        }
        excused = np.array([n.excused for n in self.networks])[:, None] & self.apart
        label = np.where(lost & ~excused, 1, np.where((value["missed"] > 28) & ~excused, -1, 0))
        guilty = begun & (kind != fam.HONEST)
        label = np.where(guilty, -1, label)
        for fault, sign in shows.items():
            label = np.where(guilty & (kind == fault) & sign, 1, label)
        over = height >= self.p_fault_until
        label = np.where(over, np.where(lost, 1, np.where(value["missed"] <= 12, 0, -1)), label)
        bearing = (value["evidence"] >= 1) | (value["disagreement"] >= 48)
        return label, bearing & (label == 1)

    def run(self, every: int) -> Iterator[Rows]:
        """Rows of every so many blocks (with a random phase each time), until the runs end."""
        following = 20
        for height in range(1, self.blocks + 1):
            self.step()
            if height >= following:
                yield self.rows()
                following = height + (1 if every == 1 else int(self.rng.integers(1, 2 * every)))


def batches(seed: int, count: int, cells: int, held_out: bool) -> Iterator[Batch]:
    """`count` batches of about `cells` validators each, over all sizes of networks in turn."""
    sizes = HELD_OUT_SIZES if held_out else TRAIN_SIZES
    ordered = sorted(sizes)
    quarter = max(1, len(ordered) // 4)
    groups = [ordered[i : i + quarter] for i in range(0, len(ordered), quarter)]
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        group = groups[number % len(groups)]
        runs = max(6, min(96, cells // max(group)))
        chosen = [group[int(i)] for i in rng.integers(0, len(group), runs)]
        blocks = 900 if max(group) <= 30 else 1_300 if max(group) <= 75 else 2_000
        yield Batch(rng, chosen, blocks, held_out)
