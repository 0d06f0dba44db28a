"""`reverie candidates`: where a test would be worth most."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from reverie.bootstrap import open_sandbox, rank_candidates
from reverie.errors import UsageError
from reverie.index.coverage import read_report
from reverie.index.ranking import CHANGE_PRIOR, FAULT_PRIOR, FORMULA, FoundCoverage
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.indexes import read_index
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.interfaces.cli.progress import step_bar
from reverie.interfaces.cli.views.modules import CoverageSearch, find_coverage
from reverie.model.codec import pick
from reverie.model.outcome import counted
from reverie.model.repository.candidate import Candidate, Ranking
from reverie.model.repository.code import CodeIndex

_EXAMPLE = """
reverie candidates --top 10
reverie candidates path/to/repository --measure --python .venv/bin/python
"""
_ANY_SIZE = click.IntRange(min=1)


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--top", metavar="N", type=_ANY_SIZE, default=50, show_default=True, help="How many.")
@click.option(
    "--coverage",
    metavar="FILE",
    help="A .coverage, coverage.xml or coverage.json; otherwise one in the repository.",
)
@click.option("--measure", is_flag=True, help="Run the suite in the sandbox for its coverage.")
@click.option("--python", metavar="PATH", help="Interpreter of the repository, for --measure.")
@click.option(
    "--write",
    type=NewFile(),
    metavar="FILE",
    help="Write file, coverage_score and lines as a list.",
)
@setting_option("candidates.half_life_days")
@setting_option("sandbox.tier")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Rank the modules of a repository by the expected value of a test there.

    The value is the product of how much a module changes, how often a change there went wrong,
    how many people change it, how much of it no test runs, and how complex it is. Every factor
    is shown; one that is not known is left out, and said. The exit code is 1 when the suite was
    to be measured and could not be.
    """
    if given["measure"] and given["coverage"]:
        raise UsageError("--measure and --coverage: one of the two")
    given_report = None if given["coverage"] is None else _given_report(given["coverage"])
    with step_bar(3) as show:
        show("reading the repository")
        index = read_index(app)
        show("finding its coverage")
        search = given_report or _find_coverage(app, index, given)
        show("reading its history")
        ranking = rank_candidates(index, search.found, app.settings.candidates)
    ranking = replace(ranking, notes=(*ranking.notes, *search.notes))
    candidates = ranking.candidates[: given["top"]]
    if given["write"] is not None:
        _write(Path(given["write"]), candidates)
    if app.json:
        emit_json(_document(app, ranking, candidates, search.found))
    else:
        _show(candidates, ranking)
    return 1 if given["measure"] and search.found is None else 0


def _given_report(path: str) -> CoverageSearch:
    return CoverageSearch(FoundCoverage(read_report(Path(path)), path))


def _find_coverage(app: App, index: CodeIndex, given: dict[str, Any]) -> CoverageSearch:
    if given["measure"]:
        return _measure(app, index, given["python"])
    return find_coverage(app.loaded.repository)


def _measure(app: App, index: CodeIndex, python: str | None) -> CoverageSearch:
    from reverie.instruments.own_suite import measure_suite

    interpreter = None if python is None else str(Path(python).absolute())
    with open_sandbox(app.settings.sandbox) as sandbox:
        suite = measure_suite(sandbox, index, app.settings.candidates, interpreter)
    if suite.coverage is None:
        return CoverageSearch(None, (f"the suite could not be measured: {suite.problem}",))
    failed = f"the suite was measured, but pytest ended with {suite.exit_code}"
    found = FoundCoverage(suite.coverage, "measured")
    return CoverageSearch(found, (failed,) if suite.exit_code else ())


def _document(
    app: App,
    ranking: Ranking,
    candidates: Sequence[Candidate],
    coverage: FoundCoverage | None,
) -> dict[str, Any]:
    return {
        "repository": str(app.loaded.repository),
        "head": ranking.head,
        "coverage_source": None if coverage is None else coverage.source,
        "formula": FORMULA,
        "half_life_days": app.settings.candidates.half_life_days,
        "change_prior": CHANGE_PRIOR,
        "fault_prior": FAULT_PRIOR,
        "candidates": [_candidate(rank, each) for rank, each in enumerate(candidates, 1)],
        "total": len(ranking.candidates),
        **pick(ranking, "excluded notes"),
    }


def _candidate(rank: int, each: Candidate) -> dict[str, Any]:
    return pick(
        each,
        "rank module file=path lines coverage_score value factors complexity history coverage",
        rank=rank,
        coverage_score=coverage_score(each),
        history=_history(each),
        coverage=_coverage(each),
    )


def _history(each: Candidate) -> dict[str, Any] | None:
    history = each.history
    if history is None:
        return None
    return pick(
        history,
        "commits weighted_commits=churn fixes reverts weighted_faults=faults authors "
        "main_author_share passed_over touches",
        commits=len(history.touches),
        fixes=sum(touch.is_fix for touch in history.touches),
        reverts=sum(touch.is_revert for touch in history.touches),
    )


def _coverage(each: Candidate) -> dict[str, Any] | None:
    covered = each.coverage
    if covered is None:
        return None
    lines = {"executed": len(covered.executed), "missing": len(covered.missing)}
    return {**lines, **pick(covered, "branches_covered branches_total")}


def coverage_score(each: Candidate) -> int | None:
    """The share of lines that tests run, in whole per cent."""
    share = None if each.coverage is None else each.coverage.share
    return None if share is None else int(share * 100)


def _write(path: Path, candidates: Sequence[Candidate]) -> None:
    rows = [
        {"file": each.path, "coverage_score": coverage_score(each), "lines": each.lines}
        for each in candidates
    ]
    try:
        path.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _show(candidates: Sequence[Candidate], ranking: Ranking) -> None:
    columns = ("", "module", "value", "change", "fault", "spread", "untested", "complexity")
    emit_table(columns, [_row(rank, each) for rank, each in enumerate(candidates, 1)])
    total, excluded = len(ranking.candidates), len(ranking.excluded)
    click.echo(f"\n{len(candidates)} of {counted(total, 'module')}; no candidates: {excluded}")
    for note in ranking.notes:
        click.echo(printable(f"note: {note}"))


def _row(rank: int, each: Candidate) -> tuple[str, ...]:
    factors = each.factors
    shown = (factors.change, factors.fault, factors.spread, factors.untested, factors.complexity)
    figures = ("-" if factor is None else f"{factor:.3g}" for factor in shown)
    return (str(rank), each.path, f"{each.value:.3g}", *figures)
