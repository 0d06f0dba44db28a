"""`reverie quality`: one grade, and the figures it is made of."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from reverie.bootstrap import changed_files, open_sandbox
from reverie.errors import UsageError
from reverie.gates.quality import is_good_enough, thresholds_of
from reverie.instruments.quality.figures import MAX_BYTES, JudgedFile
from reverie.instruments.quality.survey import LONG_PARTS, QualityReport, quality_sarif, survey
from reverie.instruments.quality.tools import Bench
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import python_files
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.journals import rules_of
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.interfaces.cli.progress import step_bar
from reverie.model.codec import pick
from reverie.model.outcome import counted
from reverie.model.repository.quality import Grade, GradedPart, Severity
from reverie.model.settings.analysis import QualitySection

_EXAMPLE = """
reverie quality src
reverie quality . --changed-since main --minimum good --sarif quality.sarif
"""
_STYLES: Mapping[str, str] = {
    Grade.EXCELLENT: "green",
    Grade.GOOD: "green",
    Grade.ACCEPTABLE: "yellow",
    Grade.NEEDS_WORK: "red",
    Grade.REJECT: "bold red",
}


@click.command(cls=Command, example=_EXAMPLE, paths=("paths",))
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--changed-since", metavar="REV", help="Judge only lines that REV does not have.")
@click.option("--python", metavar="PATH", help="Interpreter whose libraries mypy looks into.")
@click.option(
    "--sarif", type=NewFile(), metavar="FILE", help="Write the findings there as SARIF 2.1.0."
)
@setting_option("quality.minimum")
@setting_option("quality.configuration")
@setting_option("sandbox.tier")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Grade code: excellent, good, acceptable, needs_work or reject; without PATH, all of it.

    The grade is made of what ruff and mypy find (both run in the sandbox), complexity,
    docstrings, the safety rules and duplication. A part that cannot be measured is left out, and
    said. The exit code is 1 when the grade is below the minimum, or nothing could be graded.
    """
    paths = given["paths"] or (str(app.repository.path),)
    files = _Files(app, paths, given["changed_since"])
    rules = rules_of(app)
    python = given["python"] and str(Path(given["python"]).absolute())
    with step_bar(len(LONG_PARTS)) as show, open_sandbox(app.settings.sandbox) as sandbox:
        bench = Bench(sandbox, files.repository, app.settings.quality, python)
        report = survey(files.judged, files.beside, bench, rules, show)
    report = replace(report, notes=(*files.notes, *report.notes))
    passed = not files.judged or is_good_enough(report.verdict, app.settings.quality.minimum)
    if given["sarif"] is not None:
        _write(Path(given["sarif"]), quality_sarif(report, rules))
    if app.json:
        emit_json(_document(app.settings.quality, report, given["changed_since"], passed))
    else:
        _show(report, app.settings.quality.minimum, passed)
    return 0 if passed else 1


class _Files:
    """What the command line stands for: files to judge, and files that stand beside them."""

    def __init__(self, app: App, paths: Sequence[str], revision: str | None) -> None:
        self.repository = app.loaded.repository
        self.judged: list[JudgedFile] = []
        self.beside: dict[str, bytes] = {}
        self.notes: list[str] = []
        changed = None if revision is None else changed_files(self.repository, revision)
        section = replace(app.settings.safety, tier=app.settings.quality.tier)
        for path, shown in self._named(paths):
            if changed is None or shown in changed:
                lines = None if changed is None else changed[shown]
                self.judged.append(JudgedFile.read(shown, path, section.tier_of(shown), lines))
            else:
                self.beside[shown] = path.read_bytes()
        if not self.judged:
            self._say_why_nothing(paths, changed)

    def _named(self, paths: Sequence[str]) -> Iterator[tuple[Path, str]]:
        """Every file with the name it is shown by."""
        for given in python_files(paths):
            path = given.absolute().resolve()
            is_inside = path.is_relative_to(self.repository)
            shown = path.relative_to(self.repository).as_posix() if is_inside else str(given)
            if path.stat().st_size > MAX_BYTES:
                self.notes.append(f"{shown} is larger than {MAX_BYTES} bytes and not judged")
            else:
                yield path, shown

    def _say_why_nothing(
        self, paths: Sequence[str], changed: Mapping[str, frozenset[int]] | None
    ) -> None:
        if changed is None:
            raise UsageError(f"no Python file to judge in {' '.join(paths)!r}")
        self.notes.append("nothing changed")


def _document(
    section: QualitySection, report: QualityReport, revision: str | None, passed: bool
) -> dict[str, Any]:
    return {
        **pick(report.verdict, "grade score capped_by"),
        "minimum": section.minimum,
        "passed": passed,
        "changed_since": revision,
        "files": len(report.files),
        "lines": report.lines,
        "parts": [_part(section, each) for each in report.verdict.parts],
        "findings": [{**pick(each, "part path"), **pick(each.finding)} for each in report.findings],
        **pick(report, "duplicates notes"),
    }


def _part(section: QualitySection, each: GradedPart) -> dict[str, Any]:
    measured = "measure.figure measure.unit measure.count measure.size thresholds measure.absent"
    thresholds = thresholds_of(each.measure.part, section)
    return pick(each, f"measure.part grade weight {measured}", thresholds=thresholds)


def _write(path: Path, document: dict[str, Any]) -> None:
    try:
        path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _show(report: QualityReport, minimum: Grade, passed: bool) -> None:
    told = [each for each in report.findings if each.finding.severity is not Severity.INFO]
    for each in told:
        finding = each.finding
        place = f"{each.path}:{finding.line}:{finding.column}"
        click.echo(printable(f"{place}: {finding.severity} {finding.rule}: {finding.message}"))
    if told:
        click.echo()
    rows = [_row(each) for each in report.verdict.parts]
    emit_table(("part", "grade", "figure", "of what"), rows, styles=_STYLES)
    for note in report.notes:
        click.echo(printable(f"note: {note}"))
    click.echo(f"\n{_summary(report)}{'' if passed else f', below {minimum}'}")


def _row(each: GradedPart) -> tuple[str, str, str, str]:
    measure = each.measure
    if measure.figure is None:
        return measure.part, "-", "-", f"left out: {measure.absent}"
    grade = "-" if each.grade is None else each.grade
    return measure.part, grade, f"{measure.figure:.3g}", measure.unit


def _summary(report: QualityReport) -> str:
    verdict = report.verdict
    if verdict.grade is None or verdict.score is None:
        return "nothing to grade"
    cap = "" if verdict.capped_by is None else f", held down by {verdict.capped_by}"
    size = f"{counted(len(report.files), 'file')}, {counted(report.lines, 'line')}"
    return f"{verdict.grade} ({verdict.score:.2f} of 4{cap}): {size}"
