"""What is planted for mutation: a mutant that has to be killed, and one that cannot be."""

import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from reverie.instruments.mutation.campaign import Campaign, Wishes
from reverie.instruments.mutation.project import find_project
from reverie.instruments.mutation.sandbox_side import FarSide
from reverie.instruments.self_check import Plant, random_name
from reverie.sandbox.engine import Sandbox

_CODE = """LIMIT = 10
SPARE = 10


def add(a, b):
    return a + b


def join(a, b):
    return a + b
"""
_TESTS = """
import {name} as subject

def test_sum():
    assert subject.add(2, 3) == 5

def test_limit():
    assert subject.LIMIT == 10

def test_nothing():
    subject.join(2, 3)
"""
_PLANTED = {
    "a mutant of a call, noticed": ("add::arithmetic_add_sub::1", "killed"),
    "a mutant of a call, not noticed": ("join::arithmetic_add_sub::1", "survived"),
    "a mutant of an import, noticed": ("<module>::number_up::1", "killed"),
    "a mutant of an import, not noticed": ("<module>::number_up::2", "survived"),
}
_BASELINE_SECONDS = 60.0


def plants(sandbox: Sandbox) -> Iterator[Plant]:
    """Both ways of a mutant, call and import, each where a test looks and where none does."""
    verdicts = cache(partial(_verdicts, sandbox))
    for name, (mutant, required) in _PLANTED.items():
        yield Plant(name, required, partial(_seen, verdicts, mutant))


def _seen(verdicts: Callable[[], dict[str, str]], mutant: str) -> str:
    return verdicts().get(mutant, "not there")


def _verdicts(sandbox: Sandbox) -> dict[str, str]:
    """Of one run that judges them all."""
    with tempfile.TemporaryDirectory() as folder:
        root, name = Path(folder), random_name()
        (root / "tests").mkdir()
        (root / f"{name}.py").write_text(_CODE, "utf-8")
        (root / "tests" / f"test_{name}.py").write_text(_TESTS.format(name=name), "utf-8")
        project = find_project(root)
        far = FarSide(sandbox, project, exhaustive=False, baseline_seconds=_BASELINE_SECONDS)
        report = Campaign(far, Wishes(verified_share=0, shams=0, workers=1)).run()
    return {each.mutant.id.partition("::")[2]: each.verdict.value for each in report.judged}
