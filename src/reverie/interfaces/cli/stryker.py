"""The report in the mutation-testing elements schema, which other tools show."""

from typing import Any

from reverie.instruments.mutation.mutated import source_of
from reverie.model.mutation import JudgedMutant, MutantVerdict, MutationReport

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
