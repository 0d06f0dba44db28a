"""`python -m benchmarks.keepable.subjects`: the probability in a test's worth, on labelled tests.

    python -m benchmarks.keepable.subjects [--read FOLDER]

The probability is that of the test's text (`calibrate`) with what the test is about
(`scoring/keepability/subject.py`). Of Reverie's labelled tests it is said how often a kept one
ranks above one that is not (AUC), each by weights that were fitted without its package, those of
the text as those of the subject; beside it the text alone, and a count of mutants: those of the
callable. `labelled/subjects.json` keeps the facts; `--read` reads them anew from the
newest commits of the bare git directories in a folder. The exit code is 1 below 0.75.
"""

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.keepable import packages
from benchmarks.keepable.calibrating import Case, area, fit, read_cases, scored
from benchmarks.keepable.writing import SAMPLE, SAMPLE_FOLDER
from reverie.instruments.mutation.inside.sites import Survey
from reverie.scoring.keepability.subject import MEANS, subject_of, subjects_in
from reverie.scoring.keepability.weights import BIAS, WEIGHTS

LABELLED = Path(__file__).with_name("labelled")
SHEETS = ("before", "calibration", "final", "fourth", "fifth")
WANTED = 0.75
_KEPT = LABELLED / "subjects.json"
_MUTANTS = "mutants"
_STEPS, _RATE, _SHRINK = 800, 0.5, 0.01
_FOLDS = 5
Facts = dict[str, float]


def main() -> int:
    """The table, and the weights that all of it gives."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.keepable.subjects",
        None,
        __doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--read", type=Path, metavar="FOLDER", help="of bare git directories")
    given = parser.parse_args()
    sheets = {name: read_cases(LABELLED / f"{name}.json") for name in SHEETS}
    every = [case for cases in sheets.values() for case in cases]
    ours = [case for case in every if case.author == "reverie"]
    if given.read is not None:
        _KEPT.write_text(_lines(_read(ours, given.read)), "utf-8")
    facts = json.loads(_KEPT.read_text("utf-8"))
    known = [each for each in ours if _key(each) in facts]
    means = {name: sum(facts[_key(e)][name] for e in known) / len(known) for name in MEANS}
    print(f"{len(ours)} tests of {len({_package(e) for e in ours})} packages, {len(known)} known")

    def about(case: Case) -> Facts:
        return facts.get(_key(case), means)

    unseen = crossed(every, ours, about, means)
    ways: dict[str, list[float]] = {
        "text alone": [alone for alone, _ in unseen],
        "text and subject": [both for _, both in unseen],
        "mutants of the callable": [facts.get(_key(each), {}).get(_MUTANTS, 0) for each in ours],
    }
    found = {}
    for name, scores in ways.items():
        pairs = list(zip(scores, ours, strict=True))
        found[name] = _area(pairs)
        by_sheet = ", ".join(
            f"{sheet} {_area([pair for pair in pairs if pair[1] in cases]):.2f}"
            for sheet, cases in sheets.items()
        )
        print(f"AUC {name}: {found[name]:.3f} ({by_sheet})")
    in_use = BIAS, WEIGHTS
    weights = _fit([(_odds(each, in_use), each) for each in ours], about, means)
    print({name: round(each, 2) for name, each in weights.items()})
    print("means", {name: round(each, 2) for name, each in means.items()})
    best = found["text and subject"]
    return 0 if best >= WANTED and best > found["mutants of the callable"] else 1


def crossed(
    every: Sequence[Case], ours: Sequence[Case], about: Callable[[Case], Facts], means: Facts
) -> list[tuple[float, float]]:
    """Logarithms of odds by weights without its package: of the text, and with the subject."""
    order = packages.in_order(sorted({_package(each) for each in ours}), 0)
    found: dict[int, tuple[float, float]] = {}
    for fold in range(_FOLDS):
        out = set(order[fold::_FOLDS])
        text = fit([each for each in every if _package(each) not in out])
        others = [each for each in ours if _package(each) not in out]
        weights = _fit([(_odds(each, text), each) for each in others], about, means)
        for place, each in enumerate(ours):
            if _package(each) in out:
                alone = _odds(each, text)
                found[place] = alone, alone + _added(about(each), weights, means)
    return [found[place] for place in range(len(ours))]


def _fit(
    cases: Sequence[tuple[float, Case]], about: Callable[[Case], Facts], means: Facts
) -> dict[str, float]:
    """Weights beside the text's; the level is free, and is not used."""
    weights, level = dict.fromkeys(MEANS, 0.0), 0.0
    for _ in range(_STEPS):
        pulled, slopes = 0.0, dict.fromkeys(weights, 0.0)
        for alone, each in cases:
            facts = about(each)
            odds = level + alone + _added(facts, weights, means)
            error = each.is_kept - 1 / (1 + math.exp(-odds))
            pulled += error
            for name in weights:
                slopes[name] += error * (facts[name] - means[name])
        level += _RATE * pulled / len(cases)
        for name, slope in slopes.items():
            weights[name] += _RATE * (slope / len(cases) - _SHRINK * weights[name])
    return weights


def _added(facts: Facts, weights: Facts, means: Facts) -> float:
    return sum(weights[name] * (facts[name] - means[name]) for name in weights)


def _odds(case: Case, text: tuple[float, Facts]) -> float:
    score = scored(case, *text)
    return math.log(score / (1 - score))


def _area(pairs: Sequence[tuple[float, Case]]) -> float:
    return area([(score, case.is_kept) for score, case in pairs]) or 0.0


def _read(cases: Sequence[Case], mirror: Path) -> Iterator[tuple[str, Facts]]:
    homes = {packages.name_of(each): each for each in packages.repositories(mirror)}
    sources = {module: _source(module, homes) for module in {each.module for each in cases}}
    for case in cases:
        source = sources[case.module]
        subject = None if source is None else subject_of(case.test, subjects_in(source))
        if source is not None and subject is not None:
            mutants = float(_mutants(source, case.test))
            yield _key(case), {**subject.facts, _MUTANTS: mutants}


def _mutants(source: str, test: str) -> int:
    """How many changes there are to the callable that a test is named after."""
    words = test.removeprefix("test_")
    counts: dict[str, int] = {}
    for site in Survey(source.encode(), False).sites:
        for name in subjects_in(f"def {site.scope.rpartition('.')[2]}(): ..."):
            counts[name] = counts.get(name, 0) + 1
    fitting = [each for each in counts if words == each or words.startswith(f"{each}_")]
    return counts[max(fitting, key=len)] if fitting else 0


def _source(module: str, homes: Mapping[str, Path]) -> str | None:
    """Of the sample repository, or of whichever repository has a file of that name."""
    path = f"{module.replace('.', '/')}.py"
    if module.partition(".")[0] == SAMPLE:
        found = list(SAMPLE_FOLDER.rglob(path))
        return found[0].read_text("utf-8") if found else None
    for home in homes.values():
        for name in (path, f"src/{path}", path.removesuffix(".py") + "/__init__.py"):
            line = ["git", "--git-dir", str(home), "show", f"HEAD:{name}"]
            done = subprocess.run(line, capture_output=True, check=False)
            if done.returncode == 0:
                return done.stdout.decode("utf-8", "replace")
    return None


def _lines(found: Iterator[tuple[str, Facts]]) -> str:
    lines = [f"{json.dumps(key)}: {json.dumps(facts)}" for key, facts in sorted(found)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _key(case: Case) -> str:
    return f"{case.module} {case.test}"


def _package(case: Case) -> str:
    return case.module.partition(".")[0]


if __name__ == "__main__":
    sys.exit(main())
