"""What `reverie mutate` answers: one document, and the same for people."""

from collections.abc import Mapping
from typing import Any

import click

from reverie.instruments.mutation.mutated import diff_of
from reverie.interfaces.cli.output import emit_table, printable
from reverie.model.codec import pick
from reverie.model.mutation import JudgedMutant, MutantVerdict, MutationReport
from reverie.model.words import counted

_COUNTED = (
    MutantVerdict.KILLED,
    MutantVerdict.SURVIVED,
    MutantVerdict.TIMEOUT,
    MutantVerdict.NOT_COVERED,
)
_SHOWN_SURVIVORS = 40


def mutation_document(report: MutationReport, root: str) -> dict[str, Any]:
    """The run as `docs/json.md` describes it."""
    agreement = report.agreement
    tests = report.coverage.tests
    return {
        "mutants": report.mutants,
        **{verdict.value: report.count(verdict) for verdict in _COUNTED},
        "score": report.score,
        "mutants_per_second": _rate(report.tested, report.wall_seconds),
        "survivors": [
            {**_named(each), "diff": diff_of(root, each.mutant)}
            for each in report.judged
            if each.verdict is MutantVerdict.SURVIVED
        ],
        "equivalent": report.count(MutantVerdict.EQUIVALENT),
        "invalid": report.count(MutantVerdict.INVALID),
        "error": report.count(MutantVerdict.ERROR),
        "cached": sum(each.is_cached for each in report.judged),
        "mutants_per_cpu_second": _rate(report.tested, report.cpu_seconds),
        "seconds": round(report.wall_seconds, 3),
        "cpu_seconds": round(report.cpu_seconds, 3),
        "complete": report.is_complete,
        "sampled_of": report.sampled_of,
        "void": report.void,
        "agreement": {
            "checked": agreement.checked,
            "share": agreement.share,
            "undecided": agreement.undecided,
            "disagreements": list(agreement.disagreements),
        },
        "files": _files(report),
        "verdicts": [
            {**_named(each), "verdict": each.verdict.value, "killer": each.killer}
            for each in report.judged
        ],
        "tests": len(tests),
        "deselected": [
            *({"id": test.id, "reason": test.reason} for test in tests if not test.is_usable),
            *({"id": name, "reason": why} for name, why in report.coverage.broken),
        ],
        "not_isolated": [test.id for test in report.coverage.usable if test.starts_processes],
        "notes": list(report.notes),
        "python": report.python,
        "isolation": report.isolation,
    }


def _named(each: JudgedMutant) -> dict[str, Any]:
    return pick(each.mutant, "id file line operator")


def _files(report: MutationReport) -> list[dict[str, Any]]:
    by_file: dict[str, list[JudgedMutant]] = {}
    for each in report.judged:
        by_file.setdefault(each.mutant.file, []).append(each)
    return [_file(name, several) for name, several in by_file.items()]


def _file(name: str, judged: list[JudgedMutant]) -> dict[str, Any]:
    counted = [each.verdict for each in judged if each.verdict.counts]
    detected = sum(verdict.is_detected for verdict in counted)
    return {
        "file": name,
        "mutants": len(counted),
        **{verdict.value: counted.count(verdict) for verdict in _COUNTED},
        "score": detected / len(counted) if counted else None,
    }


def _rate(count: int, seconds: float) -> float:
    return round(count / seconds, 3) if seconds > 0 else 0.0


def show_mutation(document: Mapping[str, Any]) -> None:
    """A row per file, the survivors as differences, then the answer."""
    columns = ("file", "mutants", "killed", "survived", "timeout", "not covered", "score")
    rows = [
        (each["file"], each["mutants"], each["killed"], each["survived"], each["timeout"],
         each["not_covered"], _percent(each["score"]))
        for each in document["files"]
    ]  # fmt: skip
    emit_table(columns, rows)
    for each in document["survivors"][:_SHOWN_SURVIVORS]:
        click.echo()
        click.echo(printable(f"survived  {each['id']}  ({each['file']}:{each['line']})"))
        click.echo(printable("\n".join(each["diff"].splitlines()[2:]), multiline=True))
    hidden = len(document["survivors"]) - _SHOWN_SURVIVORS
    if hidden > 0:
        click.echo(f"\n… and {hidden} more survivors; --json or --html has them all")
    for each in document["deselected"]:
        click.echo(printable(f"left out  {each['id']}: {each['reason']:.150}"), err=True)
    for note in document["notes"]:
        click.echo(printable(f"note  {note}"), err=True)
    _show_answer(document)


def _show_answer(document: Mapping[str, Any]) -> None:
    agreement = document["agreement"]
    same = agreement["checked"] - len(agreement["disagreements"])
    click.echo(
        f"\nscore {_percent(document['score'])}: {counted(document['mutants'], 'mutant')}, "
        f"{document['killed']} killed, {document['timeout']} timeout, "
        f"{document['survived']} survived, {document['not_covered']} not covered"
    )
    click.echo(
        f"{document['seconds']:.1f} s, {document['cpu_seconds']:.1f} s CPU, "
        f"{document['mutants_per_cpu_second']:.1f} mutants per CPU second, "
        f"{document['cached']} from the cache; "
        f"{same} of {agreement['checked']} the same in fresh processes"
    )
    if document["sampled_of"] is not None:
        click.echo(
            f"a sample of {counted(document['sampled_of'], 'mutant')}: the score is an estimate"
        )
    if document["void"] is not None:
        click.echo(printable(f"no score: {document['void']}"))
    if not document["complete"]:
        click.echo("interrupted: this is what was known by then")


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.1f} %"
