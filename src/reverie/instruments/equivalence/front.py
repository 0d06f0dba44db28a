"""The front door: targets or sources in, a verdict out; the instrument is proven first."""

import ast
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from pathlib import Path

from reverie.home.seed import seed_of
from reverie.instruments.equivalence.contract import Contract
from reverie.instruments.equivalence.deadline import Deadline
from reverie.instruments.equivalence.facts import gather_facts
from reverie.instruments.equivalence.laboratory import Laboratory
from reverie.instruments.equivalence.proven import laws_of_versions
from reverie.instruments.equivalence.search import Search
from reverie.instruments.equivalence.shown import NOTHING, Shown
from reverie.instruments.equivalence.targets import Version, read_version
from reverie.instruments.equivalence.trial import Trial
from reverie.instruments.proof import Proofs
from reverie.model.call import Call
from reverie.model.equivalence import Equivalence, proven_equivalent
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.spending import Spending

Progress = Callable[[int, float, float], None]
"""Told after every batch: inputs so far, branch coverage of old and of new."""


def check_equivalence(
    old: str | Version,
    new: str | Version,
    *,
    repository: str | PathLike[str] = ".",
    section: EquivalenceSection | None = None,
    inputs: Iterable[Call] = (),
    sandbox: Sandbox | None = None,
) -> Equivalence:
    """Whether two versions of a callable behave alike.

    A version is `path/to/file.py:qualname`, `package.module:qualname` within the repository, or
    made by `version_of(source, qualname)`. A `sandbox` that is given stays open.
    """
    root = Path(repository)
    versions = [read_version(each, root) if isinstance(each, str) else each for each in (old, new)]
    with ExitStack() as stack:
        engine = sandbox or stack.enter_context(Sandbox())
        Proofs(engine).require("equivalence")
        return compare_versions(engine, *versions, section=section, inputs=inputs)


def compare_versions(
    sandbox: Sandbox,
    old: Version,
    new: Version,
    *,
    section: EquivalenceSection | None = None,
    inputs: Iterable[Call] = (),
    progress: Progress | None = None,
    spending: Spending | None = None,
    is_searched: bool = False,
    shown: Shown = NOTHING,
) -> Equivalence:
    """The verdict, for a caller who has had the instrument proven (`Proofs.require`).

    What can be proven from the texts is not searched, unless that is asked for. What other calls
    have `shown` of the same texts need not be found again.

    The budget is CPU time, or a share of the time on the wall, as `spending` counts it: a busy
    machine is no reason for another verdict. Without a seed the sources and the user's key make
    one, so that nobody can fit a change to the inputs that will be tried.
    """
    laws = None if is_searched else laws_of_versions(old, new)
    if laws is not None:
        return proven_equivalent(laws)
    section = section or EquivalenceSection()
    if not section.seed:
        section = replace(section, seed=seed_of(old.source, new.source, new.qualname))
    facts = gather_facts(old, new)
    spending = spending or Spending()
    deadline = Deadline(section.budget_seconds, spending)
    door = sandbox.also_telling(spending)
    laboratory = Laboratory(door, facts, section.step_seconds, deadline)
    docstring = ast.get_docstring(old.node)
    contract = Contract.read(docstring, facts.parameters)
    search = Search(laboratory, contract, section.seed, tuple(inputs))
    search.strict = Contract.read_strictly(docstring, facts.parameters)
    return Trial(laboratory, search, section, progress, shown).run(deadline)
