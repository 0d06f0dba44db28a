"""Results of `reverie mutate`: one document, and the same for people, browsers and other tools.

The page of survivors opens from disk: no script, nothing fetched. The Stryker report follows the
mutation-testing elements schema. `--since` asks only for lines changed since a git revision.
"""

import difflib
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

import click

from reverie.errors import GitFailed, UsageError
from reverie.instruments.mutation.mutant_texts import diff_of, source_of
from reverie.interfaces.cli.output import emit_table, printable
from reverie.model.codec import pick
from reverie.model.measurements.suite import JudgedMutant, MutantVerdict, MutationReport
from reverie.model.outcome import counted
from reverie.promotion.git import Git

_COUNTED = (
    MutantVerdict.KILLED,
    MutantVerdict.SURVIVED,
    MutantVerdict.TIMEOUT,
    MutantVerdict.NOT_COVERED,
)
_MISSED = (MutantVerdict.SURVIVED, MutantVerdict.NOT_COVERED)
_SHOWN_SURVIVORS = 40
_SURVIVED = "survived-mutant"


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


def mutation_sarif(document: Mapping[str, Any], root: str) -> dict[str, Any]:
    """The survivors for code scanning: a warning at the line that no test watches."""
    from reverie.model.repository.quality import CheckedFile, Finding, NamedCheck, Severity
    from reverie.sandbox.safety import to_sarif
    from reverie.sandbox.safety.check import code_hash
    from reverie.sandbox.safety.ruleset import RuleSet

    check = NamedCheck(_SURVIVED, "No test notices this change", "mutation", Severity.WARNING)
    found: dict[str, list[Finding]] = {}
    for each in document["survivors"]:
        message = f"no test notices {each['operator']} here ({each['id']})"
        finding = Finding(_SURVIVED, Severity.WARNING, each["line"], 1, message)
        found.setdefault(each["file"], []).append(finding)
    files = [
        CheckedFile(name, True, tuple(several), code_hash(source_of(root, name)))
        for name, several in found.items()
    ]
    return to_sarif(files, RuleSet(()), [check])


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


def show_mutation(document: Mapping[str, Any], *, with_diffs: bool = False) -> None:
    """A row per file, the survivors as differences where asked, the weak lines, the answer."""
    columns = ("file", "mutants", "killed", "survived", "timeout", "not covered", "score")
    rows = [
        (each["file"], each["mutants"], each["killed"], each["survived"], each["timeout"],
         each["not_covered"], _percent(each["score"]))
        for each in document["files"]
    ]  # fmt: skip
    emit_table(columns, rows)
    for each in document["survivors"][:_SHOWN_SURVIVORS] if with_diffs else ():
        click.echo()
        click.echo(printable(f"survived  {each['id']}  ({each['file']}:{each['line']})"))
        click.echo(printable("\n".join(each["diff"].splitlines()[2:]), multiline=True))
    hidden = len(document["survivors"]) - _SHOWN_SURVIVORS
    if with_diffs and hidden > 0:
        click.echo(f"\n… and {counted(hidden, 'more survivor')}; --json or --html has them all")
    weak = _weak(document["verdicts"])
    if weak:
        click.echo("\nwhere the tests are weak, weakest first:")
        emit_table(("function", "lines that no test watches", "lines that no test runs"), weak)
    if document["survivors"] and not with_diffs:
        click.echo("the changes that no test noticed: the same command with --diffs")
    for each in document["deselected"]:
        click.echo(printable(f"left out  {each['id']}: {each['reason']:.150}"), err=True)
    for note in document["notes"]:
        click.echo(printable(f"note  {note}"), err=True)
    _show_answer(document)


def _weak(verdicts: Iterable[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A row for each function with mutants that live on: its lines, run and not run."""
    missed: dict[str, tuple[list[int], list[int]]] = {}
    for each in verdicts:
        if each["verdict"] in _MISSED:
            place = missed.setdefault(each["id"].rsplit("::", 2)[0], ([], []))
            place[_MISSED.index(each["verdict"])].append(each["line"])
    most_first = sorted(missed.items(), key=lambda each: -sum(map(len, each[1])))
    return [(name, *map(_ranges, lines)) for name, lines in most_first]


def _ranges(lines: Iterable[int]) -> str:
    """Each number once, in rising order, neighbours as one range."""
    spans: list[list[int]] = []
    for line in sorted(set(lines)):
        if spans and line == spans[-1][1] + 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in spans)


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


_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #d1242f; --good: #1a7f37; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; }
summary { cursor: pointer; padding: .5rem .8rem; }
pre { margin: 0; padding: .6rem .8rem; overflow-x: auto; border-top: 1px solid var(--line); }
.del { color: var(--bad); } .add { color: var(--good); } .dim { opacity: .65; }
"""


def mutation_page(document: Mapping[str, Any]) -> str:
    """A page with the figures, a row per file and a difference per survivor."""
    shown = _percent(document["score"])
    survivors = "\n".join(_survivor(each) for each in document["survivors"])
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mutation: {shown}</title>
<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>
<h1>Mutation score {shown}</h1>
<p>{document["mutants"]} mutants, {document["killed"]} killed, {document["timeout"]} timed out,
{document["survived"]} survived, {document["not_covered"]} not covered;
{document["equivalent"]} more are equivalent.{_sampled(document["sampled_of"])}
{len(document["agreement"]["disagreements"])} of {document["agreement"]["checked"]} verdicts came
out otherwise in fresh processes.</p>
{_table(document["files"])}
<h2>Survivors</h2>
{survivors or "<p>None.</p>"}
</body></html>
"""


def _sampled(of: int | None) -> str:
    return "" if of is None else f" This is a sample: there are {of} mutants in all."


def _table(files: list[Mapping[str, Any]]) -> str:
    rows = "\n".join(
        f"<tr><td>{escape(each['file'])}</td><td>{each['mutants']}</td><td>{each['killed']}</td>"
        f"<td>{each['survived']}</td><td>{each['timeout']}</td><td>{each['not_covered']}</td>"
        f"<td>{_percent(each['score'])}</td></tr>"
        for each in files
    )
    return (
        "<table><tr><th>file</th><th>mutants</th><th>killed</th><th>survived</th><th>timeout</th>"
        f"<th>not covered</th><th>score</th></tr>\n{rows}</table>"
    )


def _survivor(each: Mapping[str, Any]) -> str:
    lines = "\n".join(_line(line) for line in each["diff"].splitlines()[2:])
    name = f"{each['file']}:{each['line']}"
    return (
        f"<details open><summary>{escape(name)} <span class='dim'>{escape(each['operator'])} · "
        f"{escape(each['id'])}</span></summary><pre>{lines}</pre></details>"
    )


def _line(line: str) -> str:
    kind = {"-": "del", "+": "add", "@": "dim"}.get(line[:1])
    return escape(line) if kind is None else f"<span class='{kind}'>{escape(line)}</span>"


_STATUS = {
    MutantVerdict.KILLED: "Killed",
    MutantVerdict.SURVIVED: "Survived",
    MutantVerdict.TIMEOUT: "Timeout",
    MutantVerdict.NOT_COVERED: "NoCoverage",
    MutantVerdict.EQUIVALENT: "Ignored",
    MutantVerdict.INVALID: "CompileError",
    MutantVerdict.ERROR: "RuntimeError",
}


def stryker_document(report: MutationReport, root: str) -> dict[str, Any]:
    """Schema version 1: files with their source, mutants with place and status."""
    by_file: dict[str, list[JudgedMutant]] = {}
    for each in report.judged:
        by_file.setdefault(each.mutant.file, []).append(each)
    return {
        "schemaVersion": "1",
        "thresholds": {"high": 80, "low": 60},
        "projectRoot": root,
        "framework": {"name": "Reverie"},
        "files": {
            file: {
                "language": "python",
                "source": source_of(root, file).decode("utf-8", "replace"),
                "mutants": [_mutant(each, source_of(root, file)) for each in several],
            }
            for file, several in by_file.items()
        },
    }


def _mutant(each: JudgedMutant, source: bytes) -> dict[str, Any]:
    mutant = each.mutant
    found: dict[str, Any] = {
        "id": mutant.id,
        "mutatorName": mutant.operator,
        "replacement": mutant.replacement,
        "status": _STATUS[each.verdict],
        "location": {
            "start": _position(source, mutant.start),
            "end": _position(source, mutant.end),
        },
    }
    if each.killer is not None:
        found["killedBy"] = [each.killer]
    return found


def _position(source: bytes, offset: int) -> dict[str, int]:
    """Line and column from 1, counted in characters."""
    before = source[:offset].decode("utf-8", "replace")
    return {"line": before.count("\n") + 1, "column": len(before) - before.rfind("\n")}


def changed_lines(
    repository: Path, revision: str, files: Iterable[str]
) -> dict[str, frozenset[int]]:
    """By file, the lines of the working tree that the revision does not have."""
    git = Git.find(repository)
    if git is None:
        raise UsageError(f"--since {revision!r}: {str(repository)!r} is not in a git repository")
    commit = git.resolve(revision)
    found = {}
    for name in files:
        try:
            before = git.run("cat-file", "blob", f"{commit}:./{name}").decode("utf-8", "replace")
        except GitFailed:
            before = ""  # it was not there
        after = (repository / name).read_bytes().decode("utf-8", "replace")
        lines = new_lines(before.splitlines(), after.splitlines())
        if lines:
            found[name] = lines
    return found


def new_lines(before: list[str], after: list[str]) -> frozenset[int]:
    """The numbers of lines in `after` that are not in `before`, or stand elsewhere."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return frozenset(
        number + 1
        for tag, _, _, first, last in matcher.get_opcodes()
        if tag in ("replace", "insert")
        for number in range(first, last)
    )
