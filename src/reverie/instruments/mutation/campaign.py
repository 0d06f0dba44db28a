"""A whole run: survey, baseline, proof, slices on every core, and a second look at some."""

import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from reverie.errors import MachineryError
from reverie.instruments.mutation.cache import Contents, VerdictCache, measure_coverage
from reverie.instruments.mutation.controls import (
    SHAMS,
    disbelieve,
    look_again,
    look_at_shams,
    prove_in_place,
)
from reverie.instruments.mutation.mutant_texts import changed_source, spread_sample
from reverie.instruments.mutation.queue import OrderQueue, orders_for
from reverie.instruments.mutation.sandbox_side import FarSide, Order, SliceResult
from reverie.model.measurements.suite import (
    Agreement,
    CoverageMap,
    JudgedMutant,
    Mutant,
    MutantVerdict,
    MutationReport,
)

Progress = Callable[[str, int, int], None]
"""What is being done, how much of it is done, and how much there is."""
Lines = Mapping[str, frozenset[int]]

USUAL_SHARE = 0.05
_USUALLY_AT_MOST = 60
"""More are looked at again only where somebody asks for a larger share."""
_LEAST_SLICE_SECONDS = 2.0
_FEW = 64
_LEAST_WRONG, _SHARE_WRONG = 2, 0.1
"""More than this of the verdicts that are looked at again, and none of the others is believed."""
_DECIDED = (MutantVerdict.KILLED, MutantVerdict.SURVIVED, MutantVerdict.TIMEOUT)
_PLAIN = {
    "killed": MutantVerdict.KILLED,
    "survived": MutantVerdict.SURVIVED,
    "timeout": MutantVerdict.TIMEOUT,
    "equivalent": MutantVerdict.EQUIVALENT,
    "invalid": MutantVerdict.INVALID,
}


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the caller wants of a run."""

    only_lines: Lines | None = None
    """Files and lines to mutate; None: all."""
    only_mutants: frozenset[str] | None = None
    """Ids of the mutants to judge; None: all."""
    sample: int | None = None
    """How many mutants to judge at most; None: all."""
    verified_share: float = USUAL_SHARE
    shams: int = SHAMS
    """How many changes that change nothing are asked about as well."""
    workers: int = 2
    cpu_seconds: float = math.inf
    """CPU time for verdicts: what is left then has none, and what has is spread over everything."""
    cache: VerdictCache = field(default_factory=lambda: VerdictCache(None))
    progress: Progress = lambda phase, done, total: None


class Campaign:
    """One run over one project."""

    def __init__(self, far: FarSide, wishes: Wishes) -> None:
        self.far = far
        self.wishes = wishes
        self.began = time.monotonic()
        self.notes = list(far.project.notes)
        self.judged: dict[str, JudgedMutant] = {}
        self.keys: dict[str, str] = {}
        self.agreement = Agreement()
        self.is_complete = True
        self.sampled_of: int | None = None
        self.void: str | None = None
        self._stop = threading.Event()
        self._cpu_end = math.inf

    def run(self) -> MutationReport:
        """Everything. An interrupt ends it with what is known by then."""
        try:
            orders = self._baseline(self._survey())
            if orders:
                self._judge(orders)
            self._look_again()
            self._look_at_shams()
        except KeyboardInterrupt:
            if not hasattr(self, "coverage"):
                raise
            self._stop.set()
            self.is_complete = False
        return self._report()

    def _survey(self) -> list[Mutant]:
        self.wishes.progress("reading", 0, 0)
        found: list[Mutant] = []
        for file in self.far.survey():
            if file.error is not None:
                self.notes.append(f"not read: {file.file}: {file.error}")
            found += file.mutants
        only = self.wishes.only_lines
        if only is not None:
            found = [each for each in found if is_touched(each, only)]
        chosen = self.wishes.only_mutants
        if chosen is not None:
            return [each for each in found if each.id in chosen]
        return self._sampled(found)

    def _sampled(self, found: list[Mutant]) -> list[Mutant]:
        count = self.wishes.sample
        if count is None or count >= len(found):
            return found
        self.sampled_of = len(found)
        return sorted(spread_sample(found, count, lambda each: each.id), key=_place)

    def _baseline(self, mutants: list[Mutant]) -> list[Order]:
        """The coverage map, from the cache where nothing has changed, and proven; what is left.

        Few mutants are judged by the process that proves it: a process more costs more than they.
        """
        self.wishes.progress("running the tests unchanged", 0, 0)
        self.contents = Contents(self.far.project)
        measured = measure_coverage(self.far, self.wishes.cache)
        self.coverage = measured
        orders = self._sift(orders_for(mutants, measured))
        if not orders and not self.wishes.shams and not self.wishes.verified_share:
            return []  # all of it is known: nothing is run that would have to be proven
        beside = [each for each in self._in_turn(orders) if self.far.serves(each)]
        is_worth_it = len(beside) <= _FEW and self.wishes.cpu_seconds >= _LEAST_SLICE_SECONDS
        self._cpu_end = self.far.cpu_seconds + self.wishes.cpu_seconds
        few = beside if is_worth_it else ()
        proven = prove_in_place(self.far, measured, few, self.wishes.cpu_seconds)
        if not few:  # what proves the suite is no part of what verdicts may cost
            self._cpu_end = self.far.cpu_seconds + self.wishes.cpu_seconds
        self.notes += [
            f"left out, fails when run again in a fork: {name}" for name in proven.unstable
        ]
        if proven.coverage is not measured:
            self.coverage = proven.coverage
            self.judged, self.keys = {}, {}
            orders = self._sift(orders_for(mutants, proven.coverage))
        self._say_what_is_not_isolated(proven.coverage)
        known = {result.key: result for result in proven.beside}
        return [each for each in orders if not self._is_told(each, known.get(each.mutant.id))]

    def _is_told(self, order: Order, result: SliceResult | None) -> bool:
        judged = None if result is None else self._conclude(order, result)
        if judged is not None:
            self._keep([judged])
        return judged is not None

    def _in_turn(self, orders: Sequence[Order]) -> Sequence[Order]:
        """As they are; spread over everything where time may not do for all."""
        if self.wishes.cpu_seconds == math.inf:
            return orders
        return spread_sample(orders, len(orders), lambda each: each.mutant.id)

    def _say_what_is_not_isolated(self, coverage: CoverageMap) -> None:
        starting = [test.id for test in coverage.usable if test.starts_processes]
        if starting:
            self.notes.append(
                f"{len(starting)} tests start processes of their own, in which mutants are not "
                f"active: {', '.join(starting[:3])}{' …' if len(starting) > 3 else ''}"
            )
        if coverage.writes and not coverage.is_restorable:
            self.notes.append("tests write into the repository, which is too large to be restored")

    def _sift(self, orders: Sequence[Order]) -> list[Order]:
        """Verdicts that need no run; the orders that do."""
        left, tests = [], self.coverage.usable
        for order in orders:
            mutant = order.mutant
            if not order.at_import and not order.tests:
                self.judged[mutant.id] = JudgedMutant(mutant, MutantVerdict.NOT_COVERED)
                continue
            key = self.contents.of_order(order, tests)
            self.keys[mutant.id] = key
            known = self.wishes.cache.find(key, mutant)
            if known is not None:
                self.judged[mutant.id] = known
            else:
                left.append(order)
        return left

    def _judge(self, orders: Sequence[Order]) -> None:
        queue = OrderQueue(
            self._in_turn(orders), self.wishes.workers, self.coverage.collect_seconds
        )
        total = len(orders)
        failures: list[BaseException] = []

        def work() -> None:
            try:
                while not self._is_over() and (some := queue.take()):
                    try:
                        self._work_off(queue, some)
                    finally:
                        queue.release()
                    self.wishes.progress("mutants", total - queue.left, total)
            except BaseException as error:  # noqa: BLE001  raised again by who waits
                failures.append(error)
                self._stop.set()

        threads = [threading.Thread(target=work, daemon=True) for _ in range(self.wishes.workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)  # an interrupt comes between two waits
        if failures:
            raise failures[0]
        self.is_complete = not queue.left

    def _is_over(self) -> bool:
        return self._stop.is_set() or self._cpu_left <= 0

    @property
    def _cpu_left(self) -> float:
        return self._cpu_end - self.far.cpu_seconds

    def _work_off(self, queue: OrderQueue, some: Sequence[Order]) -> None:
        afresh = [each for each in some if not self.far.serves(each)]
        for order in afresh:
            if self._is_over():
                return
            self._keep([self._judge_afresh(order)])
            queue.finish([order])
        some = [each for each in some if each not in afresh]
        if not some:
            return
        try:
            answer = self.far.serve(
                some, self.coverage, kills=queue.kills, alone=sorted(queue.alone),
                seconds=min(
                    queue.seconds(self.coverage.collect_seconds),
                    max(_LEAST_SLICE_SECONDS, self._cpu_left / self.wishes.workers),
                ),
            )  # fmt: skip
        except MachineryError:
            if len(some) > 1:
                queue.put_back(some, in_halves=True)
                return
            self._keep([self._judge_afresh(some[0])])
            queue.finish(some)
            return
        by_id = {order.mutant.id: order for order in some}
        queue.learn(answer)
        for result in answer.results:
            if result.key not in by_id:
                continue
            order = by_id.pop(result.key)
            judged = self._conclude(order, result)
            if judged is not None:
                self._keep([judged])
                queue.finish([order])
        queue.put_back(list(by_id.values()))

    def _conclude(self, order: Order, result: SliceResult) -> JudgedMutant | None:
        """The verdict; None where a fresh process would have to say, and no time is left for it."""
        if result.verdict in ("unfit", "died") or not result.is_sure:
            return None if self._is_over() else self._judge_afresh(order)
        usable = self.coverage.usable
        killer = usable[result.test].id if 0 <= result.test < len(usable) else None
        verdict = _PLAIN[result.verdict]
        if verdict not in (MutantVerdict.KILLED, MutantVerdict.TIMEOUT):
            killer = None
        return JudgedMutant(order.mutant, verdict, killer)

    def _judge_afresh(self, order: Order) -> JudgedMutant:
        """One mutant in a process of its own, with everything imported anew."""
        mutant = order.mutant
        usable = self.coverage.usable
        only = None if order.at_import else [usable[place].id for place in order.tests]
        source = changed_source(self.far.project.root, mutant)
        answer = self.far.afresh(mutant.file, source, self.coverage, only)
        if answer is None:
            return JudgedMutant(mutant, MutantVerdict.TIMEOUT)
        if answer.is_killed:
            return JudgedMutant(mutant, MutantVerdict.KILLED, answer.killer)
        return JudgedMutant(mutant, MutantVerdict.SURVIVED)

    def _keep(self, judged: Iterable[JudgedMutant]) -> None:
        several = list(judged)
        self.judged.update((each.mutant.id, each) for each in several)
        self.wishes.cache.add((self.keys[each.mutant.id], each) for each in several)

    def _look_again(self) -> None:
        """Some verdicts once more, each in a fresh process; what differs there is right."""
        chosen = {each.mutant.id: each for each in _sample(self.judged.values(), self.wishes)}

        def tell(answer: Agreement) -> None:
            self.agreement = answer
            self.wishes.progress("looking again", answer.checked, len(chosen))

        for each in look_again(self.far, self.coverage, chosen, tell, self.wishes.workers):
            self._keep([each])
        self.void = _voided(self.agreement)

    def _look_at_shams(self) -> None:
        """Verdicts of tests that notice changes which change nothing are taken back."""
        most = self.wishes.shams
        if most < 1 or self._stop.is_set():
            return
        self.wishes.progress("asking about changes that change nothing", 0, 0)
        answer = look_at_shams(self.far, self.coverage, self.judged.values(), most)
        self.void = answer.void or self.void
        taken_back = list(disbelieve(self.judged.values(), answer))
        self.judged.update((each.mutant.id, each) for each in taken_back)
        if answer.pinned:
            named = ", ".join(answer.pinned[:3])
            self.notes.append(f"no verdict counts of tests that look at the code itself: {named}")

    def _report(self) -> MutationReport:
        return MutationReport(
            judged=tuple(sorted(self.judged.values(), key=lambda each: _place(each.mutant))),
            coverage=self.coverage,
            agreement=self.agreement,
            wall_seconds=time.monotonic() - self.began,
            cpu_seconds=self.far.cpu_seconds,
            python=self.far.python_version,
            isolation=self.far.sandbox.tier.value,
            notes=tuple(self.notes),
            is_complete=self.is_complete,
            sampled_of=self.sampled_of,
            void=self.void,
        )


def _voided(agreement: Agreement) -> str | None:
    """Why a second look takes everything back: too many verdicts came out otherwise."""
    wrong = len(agreement.disagreements)
    if wrong < _LEAST_WRONG or wrong <= _SHARE_WRONG * agreement.checked:
        return None
    return f"{wrong} of {agreement.checked} verdicts came out otherwise in fresh processes"


def is_touched(mutant: Mutant, only: Lines) -> bool:
    """Whether a mutant stands on any of some lines."""
    lines = only.get(mutant.file, frozenset())
    return any(line in lines for line in range(mutant.line, mutant.last_line + 1))


def _place(mutant: Mutant) -> tuple[str, int, int]:
    return mutant.file, mutant.line, mutant.number


def _sample(judged: Iterable[JudgedMutant], wishes: Wishes) -> list[JudgedMutant]:
    """The same share of the same mutants in every run, spread by their names."""
    decided = [each for each in judged if each.verdict in _DECIDED]
    count = math.ceil(len(decided) * wishes.verified_share)
    if wishes.verified_share <= USUAL_SHARE:
        count = min(count, _USUALLY_AT_MOST)
    return spread_sample(decided, count, lambda each: each.mutant.id)
