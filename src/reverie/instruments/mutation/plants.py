"""What is planted for mutation: a mutant that has to be killed, and one that cannot be."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from reverie.instruments.mutation.campaign import Campaign, Wishes
from reverie.instruments.mutation.far import FarSide
from reverie.instruments.mutation.project import find_project
from reverie.instruments.proof import Plant
from reverie.sandbox.engine import Sandbox

_CODE = "LIMIT = 10\n\n\ndef add(a, b):\n    return a + b\n"
_STRONG = """
import calculator

def test_sum():
    assert calculator.add(2, 3) == 5

def test_limit():
    assert calculator.LIMIT == 10
"""
_WEAK = "import calculator\n\ndef test_nothing():\n    calculator.add(2, 3)\n"
_CALLED = "calculator.py::add::arithmetic_add_sub::1"
_IMPORTED = "calculator.py::<module>::number_up::1"
_BASELINE_SECONDS = 60.0


def plants(sandbox: Sandbox) -> Iterable[Plant]:
    """Both ways of a mutant, call and import, with tests that look and tests that do not."""
    return (
        Plant("a mutant of a call, noticed", "killed", lambda: _verdict(sandbox, _STRONG, _CALLED)),
        Plant("a mutant of a call, not noticed", "survived",
              lambda: _verdict(sandbox, _WEAK, _CALLED)),
        Plant("a mutant of an import, noticed", "killed",
              lambda: _verdict(sandbox, _STRONG, _IMPORTED)),
        Plant("a mutant of an import, not noticed", "survived",
              lambda: _verdict(sandbox, _WEAK, _IMPORTED)),
    )  # fmt: skip


def _verdict(sandbox: Sandbox, tests: str, mutant: str) -> str:
    with tempfile.TemporaryDirectory(prefix="reverie-plants-") as folder:
        root = Path(folder)
        (root / "tests").mkdir()
        (root / "calculator.py").write_text(_CODE, "utf-8")
        (root / "tests" / "test_calculator.py").write_text(tests, "utf-8")
        project = find_project(root)
        far = FarSide(sandbox, project, exhaustive=False, baseline_seconds=_BASELINE_SECONDS)
        report = Campaign(far, Wishes(verified_share=0, workers=1)).run()
    verdicts = {each.mutant.id: each.verdict.value for each in report.judged}
    return verdicts.get(mutant, "not there")
