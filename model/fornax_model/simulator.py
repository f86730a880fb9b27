"""A seeded simulator of networks of validators: votes, proposers, evidence and telemetry, block by block."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np

from . import families as fam
from .families import NEVER, Validator
from .features import ABSENT, COMMIT, NIL, Block, Records
from .gangs import Gang
from .labels import Judge, proven, two_sided
from .networks import HELD_OUT_SIZES, TRAIN_SIZES, Network, draw_network

NOT_SPREAD = ("offline", "overloaded")


@dataclass
class Rows:
    """Features [n, 20] of one evaluated block of a batch with what is known about each row."""

    features: np.ndarray
    label: np.ndarray  # 1 faulty, 0 honest, 2 at most Moderate, -1 left out
    bearing: np.ndarray  # evidence-bearing
    family: np.ndarray
    run: np.ndarray
    validator: np.ndarray
    troubled: np.ndarray  # worth a look: overloaded, offline, or one side of what two can know
    height: int


class Batch:
    """Networks of at most `width` validators that advance together."""

    def __init__(self, rng: np.random.Generator, networks: list[Network], blocks: int):
        self.rng, self.blocks, self.networks = rng, blocks, networks
        self.sizes = np.array([len(n.power) for n in networks])
        self.width = int(self.sizes.max())
        self.records = Records(len(networks), self.width)
        self._spread()
        self._gather_gangs()
        shape = self.power.shape
        self.judge = Judge(shape)
        self.late = np.zeros(shape, bool)
        self.down = np.zeros(shape, bool)
        self.blip_until = np.zeros(len(networks), np.int64)
        self.blip_late = np.zeros(len(networks))
        self.priority = np.where(self.exists, 0, -(1 << 60))
        self.order = np.argsort(rng.random(shape), 1, kind="stable")  # whom a censor picks on, first
        self.proposed = np.zeros(shape, np.int64)
        self.blips = np.array([n.blips for n in networks])
        self.snubs = self._snubs()

    def _spread(self) -> None:
        """Lays the validators' parameters out as arrays [runs, width]."""
        shape = (len(self.networks), self.width)
        self.exists = np.arange(self.width) < self.sizes[:, None]
        blank = Validator(0)
        for spec in fields(Validator):
            if spec.name in NOT_SPREAD:
                continue
            array = np.full(shape, getattr(blank, spec.name))
            for run, network in enumerate(self.networks):
                array[run, : len(network.validators)] = [getattr(v, spec.name) for v in network.validators]
            setattr(self, f"p_{spec.name}", array)
        self.p_seen_by_all = ((self.p_fault_late >= 0) | (self.p_fault_nil >= 0) | (self.p_period > 0)) | (
            self.p_withholds_proposal > 0
        )
        self.power = np.zeros(shape, np.int64)
        self.apart = np.zeros(shape, bool)
        self.switches: dict[int, list[tuple[int, int, str, int]]] = {}
        self.offline = np.zeros(shape, np.int64)
        self.overloaded = np.zeros(shape, np.int64)
        for run, network in enumerate(self.networks):
            self.power[run, : len(network.power)] = network.power
            if network.apart is not None:
                self.apart[run, : len(network.apart)] = network.apart
            for number, v in enumerate(network.validators):
                intervals = [("offline", *interval) for interval in v.offline]
                intervals.append(("overloaded", *v.overloaded))
                if self.apart[run, number]:
                    intervals += [("offline", *split) for split in network.splits]
                for name, start, end in intervals:
                    self.switches.setdefault(start, []).append((run, number, name, 1))
                    self.switches.setdefault(end, []).append((run, number, name, -1))

    def _gather_gangs(self) -> None:
        """One gang a run, as arrays [runs]; runs without one have a gang without members."""
        shape = self.power.shape
        self.members, self.victims = np.zeros(shape, bool), np.zeros(shape, bool)
        gangs = [network.gang or Gang(start=NEVER) for network in self.networks]
        for spec in fields(Gang):
            setattr(self, f"g_{spec.name}", np.array([getattr(gang, spec.name) for gang in gangs]))
        for run, network in enumerate(self.networks):
            if network.gang is not None:
                self.members[run, : len(network.members)] = network.members
                self.victims[run, : len(network.victims)] = network.victims
        power = np.where(self.exists, self.power, 0)
        self.gang_rules = 3 * np.where(self.members, power, 0).sum(1) > power.sum(1)

    def _snubs(self) -> np.ndarray:
        """[runs, width, width]: from which proposers a validator withholds its vote."""
        runs, columns = np.nonzero(self.p_withholds_from > 0)
        snubs = np.zeros((*self.power.shape, self.width), bool)
        for run, column in zip(runs, columns):
            total, spent = self.power[run].sum(), 0
            for other in self.rng.permutation(self.sizes[run]):
                spent += self.power[run, other]
                if other != column and spent <= self.p_withholds_from[run, column] * total:
                    snubs[run, column, other] = True
        return snubs

    def step(self) -> Block:
        """Draws the next block and lets the records observe it."""
        height = self.records.height + 1
        for run, number, name, change in self.switches.get(height, ()):
            getattr(self, name)[run, number] += change
        faulty = (height >= self.p_fault_at) & (height < self.p_fault_until)
        member = self.exists & (height > self.p_joined_at)
        active = (height >= self.g_start) & ((height - self.g_start) % self.g_period < self.g_active)
        gang = self.members & active[:, None]
        away = faulty & (self.p_period > 0) & (height % np.maximum(self.p_period, 1) < self.p_period_missed)
        down = self._bearable((self.offline > 0) | away, member, faulty & (self.p_fault_late >= 1))
        proposer = self._propose(member & (height > 1), down, faulty, gang, height)
        flag = self._vote(member, down, faulty, proposer, gang, height)
        self._censor(flag, proposer, faulty, gang)
        if height == 1:
            flag[:] = 0
        deviant, disagreement = self._report(flag, proposer, faulty, gang, height)
        evidence = np.where(height == self.p_fault_at, self.p_evidence, 0)
        sent = self._telemetry(member, down, height)
        block = Block(flag, self.power, deviant, disagreement, evidence, proposer, *sent)
        self.records.observe(block)
        self.down = down | (faulty & (self.p_fault_late >= 1))
        self.judge.see(down | (faulty & ((self.p_fault_late >= 1) | (self.p_fault_nil >= 1))), height)
        return block

    def _bearable(self, down: np.ndarray, member: np.ndarray, silent: np.ndarray) -> np.ndarray:
        """Who is down, less restarts (and if need be all) where too few would be left to decide."""
        for kept in (down & (self.apart | self.victims | (self.p_kind != fam.HONEST)), np.zeros_like(down)):
            power = np.where(member, self.power, 0)
            left = np.where(down | silent, 0, power).sum(1)
            down = np.where((100 * left > 68 * power.sum(1))[:, None], down, kept)
        return down

    def _propose(self, member, down, faulty, gang, height: int) -> np.ndarray:
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
        chance = np.where(gang, np.maximum(chance, self.g_idle[:, None]), chance)
        failed = silent[runs, chosen] | (self.rng.random(len(runs)) < chance[runs, chosen])
        failed |= self._spoilt(chosen, down, gang)
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

    def _spoilt(self, chosen: np.ndarray, down: np.ndarray, gang: np.ndarray) -> np.ndarray:
        """A gang that votes nil on its victim's proposal prevents it where too few of the others are in time."""
        runs = np.arange(len(chosen))
        tried = self.victims[runs, chosen] & gang.any(1) & (self.rng.random(len(runs)) < self.g_spoil)
        result = np.zeros(len(chosen), bool)
        for run in np.nonzero(tried)[0]:
            late = self.rng.random(self.width) < self.p_late[run] / 4
            power = np.where(self.exists[run], self.power[run], 0)
            for_it = power[~late & ~down[run] & ~gang[run]].sum()
            result[run] = 3 * for_it <= 2 * power.sum()
        return result

    def _vote(self, member, down, faulty, proposer, gang, height: int) -> np.ndarray:
        uniform = self.rng.random((2, *member.shape))
        start = self.rng.random((3, len(self.sizes)))
        runs = np.arange(len(proposer))
        fresh = (height > self.blip_until) & (start[0] < self.blips)
        self.blip_until = np.where(fresh, height + 2 + (start[1] * 10).astype(np.int64), self.blip_until)
        self.blip_late = np.where(fresh, 0.05 + 0.3 * start[2], self.blip_late)
        late = np.where(faulty & (self.p_fault_late >= 0), self.p_fault_late, self.p_late)
        burst = np.where(faulty & (self.p_fault_burst >= 0), self.p_fault_burst, self.p_burst)
        late = np.where(self.late, burst, late)
        apart = self.p_far != self.p_far[runs, proposer][:, None]
        late = late + np.where(apart, self.p_far_late, 0)
        wave = np.maximum(self.p_wave, 1)
        late = late + self.p_wave_late * np.abs(2 * (height % wave) / wave - 1)
        late = late + np.where(height <= self.blip_until, self.blip_late, 0)[:, None]
        self.late = uniform[0] < late
        absent = member & (down | self.late | self.snubs[runs, :, proposer] & faulty)
        nil = np.where(faulty & (self.p_fault_nil >= 0), self.p_fault_nil, self.p_nil)
        nil = member & ~absent & (uniform[1] < nil)
        flag = np.where(member, COMMIT, 0)
        flag[nil], flag[absent] = NIL, ABSENT
        short = ~self._decided(flag)
        if short.any():  # a block waits until enough have voted
            meant = down | faulty
            for kept in (meant, down, np.zeros_like(down)):
                flag[short] = np.where((flag[short] > 0) & ~kept[short], COMMIT, flag[short])
                short = ~self._decided(flag)
        if gang.any():
            self._withhold(flag, proposer, gang)
        return flag

    def _withhold(self, flag: np.ndarray, proposer: np.ndarray, gang: np.ndarray) -> None:
        """Members' precommits that are missing: always, or where a victim proposes next."""
        runs = np.arange(len(proposer))
        chance = np.where(
            self.victims[runs, proposer], np.maximum(self.g_withhold, self.g_silent), self.g_silent
        )
        missing = gang & (flag == COMMIT) & (self.rng.random(flag.shape) < chance[:, None])
        for run in np.nonzero(missing.any(1))[0]:
            for number in np.nonzero(missing[run])[0]:
                flag[run, number] = ABSENT
                if not self._is_decided(run, flag[run]):
                    flag[run, number] = COMMIT

    def _decided(self, flag: np.ndarray) -> np.ndarray:
        power = np.where(flag > 0, self.power, 0)
        return 3 * np.where(flag == COMMIT, power, 0).sum(1) > 2 * power.sum(1)

    def _is_decided(self, run: int, flag: np.ndarray) -> bool:
        power = self.power[run]
        return 3 * power[flag == COMMIT].sum() > 2 * power[flag > 0].sum()

    def _censor(self, flag, proposer, faulty, gang) -> None:
        """Proposers who leave votes out: censors anybody's, gangs their victims'."""
        runs = np.arange(len(proposer))
        self.proposed[runs, proposer] += 1
        censors = (self.p_censors[runs, proposer] > 0) & faulty[runs, proposer]
        for run in np.nonzero(censors)[0]:
            chief, size = proposer[run], self.sizes[run]
            wanted = max(1 if size < 7 else 2, round(float(self.p_censors[run, chief]) * size))
            order = self.order[run]
            if not self.p_censors_the_same[run, chief]:
                quiet = (self.records.missed[run] & np.uint64(0xFF)) == 0
                order = np.argsort(self.rng.random(self.width) - quiet, kind="stable")
            self._leave_out(flag, run, [v for v in order if v != chief], wanted)
        drops = gang[runs, proposer] & (self.rng.random(len(runs)) < self.g_drop)
        drops &= self.proposed[runs, proposer] % self.g_every == 0
        for run in np.nonzero(drops)[0]:
            self._leave_out(flag, run, np.nonzero(self.victims[run])[0], self.width)

    def _leave_out(self, flag: np.ndarray, run: int, order, wanted: int) -> None:
        for victim in order:
            if flag[run, victim] != COMMIT:
                continue
            flag[run, victim] = ABSENT
            if self._is_decided(run, flag[run]):
                wanted -= 1
            else:
                flag[run, victim] = COMMIT
            if wanted == 0:
                break

    def _report(self, flag, proposer, faulty, gang, height: int) -> tuple[np.ndarray, np.ndarray]:
        """Whose reports are unusable, and whose disagree; a liar's proposer friends leave its report out."""
        runs = np.arange(len(proposer))
        uniform = self.rng.random((3, *flag.shape))
        usable = flag == COMMIT
        deviant = usable & (uniform[0] < self.p_deviant)
        lying = faulty & (height % self.p_lie_period < self.p_lie_blocks)
        lies = np.where(lying, np.maximum(self.p_lies, self.p_disagreement), self.p_disagreement)
        shielded = self.g_shield & gang[runs, proposer]
        disagreement = usable & ~deviant & (uniform[1] < lies) & ~(gang & shielded[:, None])
        # a gang above a third sets scores in its own blocks: then the others disagree
        set_by = self.gang_rules & gang[runs, proposer]
        framed = set_by[:, None] & ~gang & (uniform[2] < self.g_lies[:, None])
        return deviant, (disagreement & ~(set_by[:, None] & gang)) | (framed & usable & ~deviant)

    def _telemetry(self, member, down, height: int):
        phase = np.arange(self.width)
        due = (height + phase) % np.minimum(self.p_telemetry_period, 1 << 20) == 0
        due &= member & (self.p_telemetry_period < NEVER) & (~down | self.p_perfect_telemetry)
        due &= height < self.p_telemetry_until
        at = np.nonzero(due)
        draws = self.rng.random((4, len(at[0])))
        perfect, units = self.p_perfect_telemetry[at], self.p_units[at]
        overloaded = (self.overloaded[at] > 0) & ~perfect
        latency = self.p_latency[at]
        cpu = np.where(overloaded, 8_500 + 1_500 * draws[0], 500 + 6_500 * draws[0])
        latency = np.where(overloaded, latency * 3 + 4_000 * draws[1], latency * (0.5 + draws[1]))
        connections = np.where(overloaded, 2 + 10 * draws[2], 20 + 40 * draws[2])
        contributed = np.where(overloaded, 20 + 300 * draws[3], 500 + 1_000 * draws[3])
        values = [
            np.where(perfect, best, value)
            for best, value in zip((1_000, 20, 60, 1_500), (cpu, latency, connections, contributed))
        ]
        values[0] = np.where(units == 2, values[0] * 16, values[0])
        values[1] = np.where(units == 1, values[1] * 1_000, values[1])
        values[3] = np.where(units == 3, values[3] * 8, values[3])
        return at, np.stack(values, 1).astype(np.int64)

    def rows(self) -> Rows:
        """Features and labels of the present block, one row for each validator on a roster."""
        features, roster = self.records.features()
        at = np.nonzero(roster & self.exists)
        label = self.judge.labels(features, self)
        height = self.records.height
        before = (height < self.p_fault_at) & (self.p_fault_at < NEVER)
        family = np.where(before, 0, self.p_family)
        overloaded = (self.overloaded > 0) & ~self.p_perfect_telemetry
        troubled = overloaded | (self.down & (self.records.streak >= 8)) | two_sided(self)
        return Rows(
            features[at],
            label[at],
            proven(features, label)[at],
            family[at],
            *at,
            troubled[at],
            height,
        )

    def run(self, every: int) -> Iterator[Rows]:
        """Rows of every so many blocks (with a random phase each time), until the runs end."""
        following = 20
        for height in range(1, self.blocks + 1):
            self.step()
            if height >= following:
                yield self.rows()
                following = height + (1 if every == 1 else int(self.rng.integers(1, 2 * every)))


def length_of(size: int) -> int:
    """Blocks that a run takes: long enough for slow averages, shorter where blocks cost more."""
    return 5_000 if size <= 30 else 3_600 if size <= 100 else 2_600


def batches(seed: int, count: int, cells: int, held_out: bool) -> Iterator[Batch]:
    """`count` batches of about `cells` validators each, over all sizes of networks in turn."""
    ordered = sorted(HELD_OUT_SIZES if held_out else TRAIN_SIZES)
    quarter = max(1, len(ordered) // 5)
    groups = [ordered[i : i + quarter] for i in range(0, len(ordered), quarter)]
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        group = groups[number % len(groups)]
        runs = max(6, min(96, cells // max(group)))
        blocks = length_of(max(group))
        chosen = [group[int(i)] for i in rng.integers(0, len(group), runs)]
        yield Batch(rng, [draw_network(rng, size, blocks, held_out) for size in chosen], blocks)
