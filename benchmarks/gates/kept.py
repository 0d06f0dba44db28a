"""What is known of every mutant, kept between runs.

A kill stands for as long as the text of the module does, whichever test it was that noticed; so a
run that goes on asks only for mutants that nothing has noticed yet.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.gates.rooms import ROOT
from reverie.instruments.mutation.mutant_texts import diff_of
from reverie.model.measurements.suite import JudgedMutant, Mutant


@dataclass(slots=True)
class Known:
    """The mutants of one module by id."""

    text: str
    detected: dict[str, str] = field(default_factory=dict)
    """With the test that noticed."""
    undetected: dict[str, str] = field(default_factory=dict)
    """With the difference."""
    same: list[str] = field(default_factory=list)
    """Those that make no difference to what Python runs; they count for nothing."""

    @property
    def mutants(self) -> int:
        return len(self.detected) + len(self.undetected)

    def does_know(self, mutant: Mutant) -> bool:
        """Whether it has been tried, however that ended."""
        return any(mutant.id in each for each in (self.detected, self.undetected, self.same))

    def add(self, each: JudgedMutant) -> None:
        """What became of one mutant; what has been noticed once stays so."""
        name = each.mutant.id
        if not each.verdict.counts:
            self.same += [name] if name not in self.same else []
        elif each.verdict.is_detected:
            self.undetected.pop(name, None)
            self.detected[name] = each.killer or each.verdict.value
        elif name not in self.detected:
            self.undetected[name] = diff_of(str(ROOT), each.mutant)


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

    def has_noticed(self, mutant: Mutant) -> bool:
        """Whether nothing is left to ask: something noticed it, or there is nothing to notice."""
        known = self.of(mutant.file)
        return known is not None and mutant.id not in known.undetected and known.does_know(mutant)

    def does_know(self, mutant: Mutant) -> bool:
        """Whether it has been tried, with its module as it is written now."""
        known = self.of(mutant.file)
        return known is not None and known.does_know(mutant)

    def add(self, judged: JudgedMutant) -> None:
        """What became of one mutant."""
        module = judged.mutant.file
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
                "same": each.same,
            }
            for name, each in sorted(self.modules.items())
        }
        unfinished = self.path.with_suffix(".new")
        unfinished.write_text(json.dumps(rows, indent=0, ensure_ascii=False), "utf-8")
        unfinished.replace(self.path)


def text_of(module: str) -> str:
    return hashlib.sha256((ROOT / module).read_bytes()).hexdigest()
