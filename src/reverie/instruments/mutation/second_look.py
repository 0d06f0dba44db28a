"""Verdicts made again, each in a process that has imported everything anew."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from reverie.errors import MachineryError
from reverie.instruments.mutation.far import FarSide
from reverie.instruments.mutation.mutated import changed_source
from reverie.model.mutation import Agreement, CoverageMap, JudgedMutant, MutantVerdict

_BATCH = 24
_BATCH_SECONDS = 60.0
Verdicts = dict[str, tuple[MutantVerdict | None, str | None]]


def look_again(
    far: FarSide,
    coverage: CoverageMap,
    chosen: Mapping[str, JudgedMutant],
    tell: Callable[[Agreement], None],
    workers: int,
) -> Iterator[JudgedMutant]:
    """The mutants that come out otherwise, with the verdict of the fresh process."""
    checked, undecided = 0, 0
    different: list[str] = []
    keys = list(chosen)
    batches = [keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]

    def judge(batch: Sequence[str]) -> Verdicts:
        return _judge(far, coverage, [chosen[key] for key in batch])

    pool = ThreadPoolExecutor(workers)
    try:
        for verdicts in pool.map(judge, batches):
            for key, (verdict, killer) in verdicts.items():
                before = chosen[key].verdict
                checked += 1
                if verdict is None or (verdict is MutantVerdict.TIMEOUT and not before.is_detected):
                    undecided += 1
                elif verdict.is_detected != before.is_detected:
                    different.append(key)
                    yield replace(chosen[key], verdict=verdict, killer=killer)
            tell(Agreement(checked, tuple(different), undecided))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # an interrupt waits for nobody


def _judge(far: FarSide, coverage: CoverageMap, judged: Sequence[JudgedMutant]) -> Verdicts:
    """Verdicts of fresh processes; None where there is none."""
    root = far.project.root
    left = {
        each.mutant.id: (each.mutant.file, changed_source(root, each.mutant)) for each in judged
    }
    found: Verdicts = {}
    usable = coverage.usable
    while left and far.has_forks:
        try:
            answer = far.afresh_many(left, coverage, _BATCH_SECONDS)
        except MachineryError:
            break  # one of them takes the others along: one by one, then
        for result in answer.results:
            left.pop(result.key, None)
            killer = usable[result.test].id if 0 <= result.test < len(usable) else None
            known = result.verdict in list(MutantVerdict)
            found[result.key] = (MutantVerdict(result.verdict) if known else None), killer
        if not answer.results:
            break
    for key, (file, source) in left.items():
        alone = far.afresh(file, source, coverage)
        if alone is None:
            found[key] = MutantVerdict.TIMEOUT, None
        else:
            verdict = MutantVerdict.KILLED if alone.is_killed else MutantVerdict.SURVIVED
            found[key] = verdict, alone.killer
    return found
