"""What is known of every mutant, kept between runs.

A kill stands for as long as the text of the module does, whichever test it was that noticed; so a
run that goes on asks only for mutants that nothing has noticed yet.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.gates.rooms import ROOT
from reverie.instruments.mutation.mutated import diff_of
from reverie.model.mutation import JudgedMutant


@dataclass(slots=True)
class Known:
    """The mutants of one module by id."""

    text: str
    detected: dict[str, str] = field(default_factory=dict)
    """With the test that noticed."""
    undetected: dict[str, str] = field(default_factory=dict)
    """With the difference."""

    @property
    def mutants(self) -> int:
        return len(self.detected) + len(self.undetected)

    def add(self, judged: Iterable[JudgedMutant]) -> None:
        for each in judged:
            if not each.verdict.counts or each.mutant.id in self.detected:
                continue
            if each.verdict.is_detected:
                self.undetected.pop(each.mutant.id, None)
                self.detected[each.mutant.id] = each.killer or each.verdict.value
            else:
                self.undetected[each.mutant.id] = diff_of(str(ROOT), each.mutant)


class Kept:
    """All modules, in one file."""

    def __init__(self, path: Path, *, goes_on: bool) -> None:
        self.path = path
        self.modules: dict[str, Known] = {}
        if goes_on and path.exists():
            found = json.loads(path.read_text("utf-8"))
            self.modules = {name: Known(**fields) for name, fields in found.items()}

    def of(self, module: str) -> Known | None:
        """What is known of a module as it is written now."""
        known = self.modules.get(module)
        return known if known is not None and known.text == text_of(module) else None

    def add(self, module: str, judged: Iterable[JudgedMutant]) -> None:
        known = self.of(module) or Known(text_of(module))
        known.add(judged)
        self.modules[module] = known

    def save(self) -> None:
        self.path.parent.mkdir(exist_ok=True)
        rows = {
            name: {
                "text": each.text,
                "detected": each.detected,
                "undetected": each.undetected,
            }
            for name, each in sorted(self.modules.items())
        }
        unfinished = self.path.with_suffix(".new")
        unfinished.write_text(json.dumps(rows, indent=0, ensure_ascii=False), "utf-8")
        unfinished.replace(self.path)


def text_of(module: str) -> str:
    return hashlib.sha256((ROOT / module).read_bytes()).hexdigest()
