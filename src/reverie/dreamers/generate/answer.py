"""The whole way: a specification, a function, and tests that were run and notice mutants."""

import time
from dataclasses import dataclass
from typing import Any

from reverie.dreamers.generate.authors import Author, fails_examples
from reverie.dreamers.generate.candidates import Candidate
from reverie.dreamers.generate.checking import check_tests
from reverie.dreamers.generate.observing import observe
from reverie.dreamers.generate.probing import probes
from reverie.dreamers.generate.shaping import Shape
from reverie.dreamers.generate.solving import Refusal, solve
from reverie.dreamers.generate.spec import Spec
from reverie.dreamers.generate.suite import draft_for, module_name
from reverie.inputs import read
from reverie.model.codec import pick
from reverie.sandbox.engine import Sandbox

_SEARCH_SHARE = 0.75
"""The rest of the time is for the tests."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A function with its tests, or the reason why there is none."""

    seconds: float
    name: str | None = None
    source: str | None = None
    tests: str | None = None
    origin: str | None = None
    reason: str | None = None
    mutants: int | None = None
    killed: int | None = None
    """How many of them the tests notice."""

    @property
    def solved(self) -> bool:
        """Whether there is a function."""
        return self.source is not None

    def files(self) -> dict[str, str]:
        """The function and its tests, by the name of their file; nothing without a function."""
        if self.name is None or self.source is None or self.tests is None:
            return {}
        module = module_name(self.name)
        return {f"{module}.py": self.source, f"test_{module}.py": self.tests}

    def document(self) -> dict[str, Any]:
        """As `reverie generate --json` prints it."""
        score = self.killed / self.mutants if self.killed is not None and self.mutants else None
        mutation = {"mutants": self.mutants, "killed": self.killed, "score": score}
        return pick(self, "solved source tests origin seconds:3 reason name", mutation=mutation)


def generate(
    sandbox: Sandbox,
    spec: Spec,
    seconds: float,
    author: Author | None = None,
    shape: Shape | None = None,
) -> Answer:
    """A function and its tests, or a reason. An author is asked when nothing else was found."""
    began = time.monotonic()
    found = solve(sandbox, spec, seconds * _SEARCH_SHARE, author)
    if isinstance(found, Refusal):
        return Answer(time.monotonic() - began, reason=found.reason)
    shaped = (shape or Shape()).written(found.source, found.name, _shown(spec, found))
    objection = None if shaped == found.source else fails_examples(sandbox, spec, shaped)
    if objection is not None:
        return Answer(time.monotonic() - began, reason=f"in this form it {objection}")
    return _with_tests(sandbox, spec, found, shaped, began)


def _shown(spec: Spec, found: Candidate) -> list[tuple[Any, Any]]:
    return [(each.args, each.result) for each in spec.examples] or list(found.examples)


def _with_tests(
    sandbox: Sandbox, spec: Spec, found: Candidate, source: str, began: float
) -> Answer:
    examples = _shown(spec, found)
    calls = probes(found.source, found.name, [args for args, _ in examples])
    observed = observe(sandbox, found.source, found.name, calls)
    parameters = [each.name for each in read(found.source, found.name).parameters]
    draft = draft_for(found.name, parameters, examples, observed)
    checked = check_tests(sandbox, source, draft)
    seconds = time.monotonic() - began
    if isinstance(checked, str):
        return Answer(seconds, reason=f"{found.known_as or found.name} would do, but {checked}")
    return Answer(
        seconds,
        found.name,
        source,
        checked.tests,
        found.origin.value,
        None,
        checked.mutants,
        checked.killed,
    )
