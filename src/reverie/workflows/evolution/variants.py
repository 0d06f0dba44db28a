"""`WorkflowEvolutionBot`: variants of a workflow that should do the same in less time.

A step may be replaced by another callable of the repository that may do the same.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest

from reverie.model.repository.code import Parameter
from reverie.model.workflow import Step, Workflow, WorkflowOrigin
from reverie.model.workflow_evolution import Edit, EditKind, Variant, WorkflowScore
from reverie.workflows.discovery.catalogue import Known
from reverie.workflows.discovery.finding import Surroundings
from reverie.workflows.discovery.signatures import Type, fits

_MOST = 3
_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*|\d+")
_FILLER = frozenset(
    {"fast", "faster", "slow", "quick", "new", "old", "v", "my", "simple", "naive", "optimised",
     "optimized", "cached", "better", "alt", "the", "of", "and", "impl", "do", "get", "compute",
     "calculate", "batch", "many", "all", "bulk", "each", "every", "list"}
)  # fmt: skip


def equivalents(known: Known, around: Surroundings) -> list[Known]:
    """Functions with parameters that fit and a name that says the same, likeliest first."""
    found = [
        (likeness, other)
        for other in _candidates(known, around)
        if (likeness := _same_name(known, other)) > 0 and _same_shape(known, other, around)
    ]
    return [other for _, other in sorted(found, key=lambda each: (-each[0], each[1].target))][
        :_MOST
    ]


def batch_forms(known: Known, around: Surroundings) -> list[Known]:
    """Functions that take all items at once and return all results."""
    found = [
        (likeness, other)
        for other in _candidates(known, around)
        if (likeness := _same_name(known, other)) > 0 and _is_batch_of(known, other, around)
    ]
    return [other for _, other in sorted(found, key=lambda each: (-each[0], each[1].target))][
        :_MOST
    ]


def _candidates(known: Known, around: Surroundings) -> Iterator[Known]:
    for other in around.catalogue.known.values():
        is_function = other.owner is None and other.function is not None
        if is_function and other.target != known.target and not other.module.is_test:
            yield other


def _same_name(known: Known, other: Known) -> float:
    """Share of the words of both names that both have, fillers and endings aside."""
    one, two = _words(known), _words(other)
    return len(one & two) / len(one | two) if one | two else 0.0


def _words(known: Known) -> set[str]:
    name = known.target.rpartition(":")[2].rpartition(".")[2]
    words = {word.lower() for word in _WORD.findall(name)}
    kept = {word for word in words if word not in _FILLER and not word.isdigit()} or words
    return {word.removesuffix("s") or word for word in kept}


def _same_shape(known: Known, other: Known, around: Surroundings) -> bool:
    if known.function is None or other.function is None:
        return False
    if known.function.is_async != other.function.is_async:
        return False
    ours, theirs = known.positional, other.positional
    if len(known.required) != len(other.required) or len(theirs) < len(known.required):
        return False
    needed = [each for each in ours if each.default is None]
    pairs = zip(needed, theirs, strict=False)
    if any(_differ(one, other_one, known, other, around) for one, other_one in pairs):
        return False
    return fits(_returned(other, around), _returned(known, around)) is not False


def _is_batch_of(known: Known, other: Known, around: Surroundings) -> bool:
    if len(known.required) != 1 or len(other.required) != 1 or not other.positional:
        return False
    taken = around.types.read(other.positional[0].annotation, other.module)
    item = (
        around.types.read(known.positional[0].annotation, known.module)
        if known.positional
        else None
    )
    given = Type("list") if item is None else Type("list", (item,))
    if taken is None or fits(given, taken) is not True:
        return False
    returned, made = _returned(other, around), _returned(known, around)
    wanted = Type("Iterable") if made is None else Type("Iterable", (made,))
    return returned is not None and fits(returned, wanted) is True


def _returned(known: Known, around: Surroundings) -> Type | None:
    return (
        None if known.function is None else around.types.read(known.function.returns, known.module)
    )


def _differ(
    one: Parameter, two: Parameter, known: Known, other: Known, around: Surroundings
) -> bool:
    given = around.types.read(one.annotation, known.module)
    taken = around.types.read(two.annotation, other.module)
    return fits(given, taken) is False


LIMIT = 5


class WorkflowEvolutionBot:
    """Proposes; whether a variant does the same is found out by whoever judges it."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def generate_variants(
        self, workflow: Workflow, limit: int = LIMIT, score: WorkflowScore | None = None
    ) -> list[Variant]:
        """At most so many, of every kind in turn; those of slow steps first where that is known."""
        shares = _shares(workflow, score)
        kinds: dict[EditKind, list[Edit]] = {}
        for edit in self._edits(workflow):
            kinds.setdefault(edit.kind, []).append(edit)
        for edits in kinds.values():
            edits.sort(key=lambda edit: -sum(shares[edit.start : edit.stop]))
        turns = zip_longest(*(kinds[kind] for kind in EditKind if kind in kinds))
        found: dict[str, Variant] = {}
        for edit in (each for turn in turns for each in turn if each is not None):
            variant = varied(workflow, (edit,))
            if variant.workflow.digest != workflow.digest:
                found.setdefault(variant.workflow.digest, variant)
        return list(found.values())[:limit]

    def _edits(self, workflow: Workflow) -> Iterator[Edit]:
        known = [self._around.catalogue.get(str(step.target)) for step in workflow.steps]
        for at, (step, each) in enumerate(zip(workflow.steps, known, strict=True)):
            if each is None:
                continue
            yield from self._batches(at, step, each)
            if step.each and not step.cached:
                cached = replace(step, cached=True)
                yield Edit(
                    EditKind.CACHE,
                    at,
                    at + 1,
                    (cached,),
                    f"compute equal items of {step.target} once",
                )
            yield from self._swaps(at, step, each)
        yield from self._drops(workflow, known)
        yield from self._reorders(workflow, known)

    def _batches(self, at: int, step: Step, known: Known) -> Iterator[Edit]:
        if step.each and not step.params:
            for other in batch_forms(known, self._around):
                title = f"call {other.target} once instead of {step.target} for each item"
                yield Edit(EditKind.BATCH, at, at + 1, (Step(other.target),), title)

    def _swaps(self, at: int, step: Step, known: Known) -> Iterator[Edit]:
        for other in equivalents(known, self._around):
            names = {each.name for each in other.parameters}
            if set(step.params) <= names:
                title = f"{other.target} in the place of {step.target}"
                yield Edit(EditKind.SWAP, at, at + 1, (replace(step, target=other.target),), title)

    def _drops(self, workflow: Workflow, known: list[Known | None]) -> Iterator[Edit]:
        for at in range(1, len(workflow.steps)):
            flow = [*known[:at], *known[at + 1 :]]
            if at == len(known) - 1 and not self._ends_alike(workflow, known):
                continue
            if self._flows(flow, workflow.steps[:at] + workflow.steps[at + 1 :]):
                title = f"without {workflow.steps[at].target}"
                yield Edit(EditKind.DROP, at, at + 1, (), title)

    def _reorders(self, workflow: Workflow, known: list[Known | None]) -> Iterator[Edit]:
        for at in range(1, len(workflow.steps) - 1):
            one, other = workflow.steps[at], workflow.steps[at + 1]
            steps = (*workflow.steps[:at], other, one, *workflow.steps[at + 2 :])
            flow = [*known[:at], known[at + 1], known[at], *known[at + 2 :]]
            if one != other and self._flows(flow, steps):
                title = f"{other.target} before {one.target}"
                yield Edit(EditKind.REORDER, at, at + 2, (other, one), title)

    def _ends_alike(self, workflow: Workflow, known: list[Known | None]) -> bool:
        """Whether no annotation forbids that it returns what its last step but one does."""
        pairs = zip(known[-2:], workflow.steps[-2:], strict=True)
        before, last = (self._returned(each, step) for each, step in pairs)
        return fits(before, last) is not False

    def _returned(self, known: Known | None, step: Step) -> Type | None:
        if known is None or known.function is None:
            return None
        returned = self._around.types.read(known.function.returns, known.module)
        return Type("list", (returned,)) if step.each and returned is not None else returned

    def _flows(self, known: Iterable[Known | None], steps: Iterable[Step]) -> bool:
        """Whether no annotation forbids that each step gets what the one before returns."""
        returned: Type | None = None
        for at, (each, step) in enumerate(zip(known, steps, strict=True)):
            if each is None or each.function is None:
                returned = None
                continue
            first = next(iter(each.positional), None)
            if at and first is not None:
                taken = self._around.types.read(first.annotation, each.module)
                taken = Type("Iterable", (taken,)) if step.each and taken is not None else taken
                if fits(returned, taken) is False:
                    return False
            returned = self._returned(each, step)
        return True


def varied(workflow: Workflow, edits: tuple[Edit, ...]) -> Variant:
    """The workflow after edits of different steps."""
    steps = workflow.steps
    for edit in sorted(edits, key=lambda each: -each.start):
        steps = edit.applied(steps)
    title = "; ".join(edit.title for edit in edits)
    made = replace(
        workflow,
        steps=steps,
        origin=WorkflowOrigin.EVOLVED,
        expected_outputs=_expected(workflow, steps),
        source=title,
    )
    kind = edits[0].kind if len(edits) == 1 else EditKind.COMBINED
    return Variant(made, kind, title, edits)


def _expected(workflow: Workflow, steps: tuple[Step, ...]) -> Mapping[str, object]:
    """What is expected of steps that are still there; what of the last one, of the new last one."""
    kept = {str(step.target) for step in steps}
    were, last = set(workflow.targets), workflow.targets[-1]
    expected = {}
    for name, value in workflow.expected_outputs.items():
        full = next((each for each in were if name in (each, each.rpartition(":")[2])), None)
        if full is None or full in kept:
            expected[name] = value
        elif full == last:
            expected[str(steps[-1].target)] = value
    return expected


def _shares(workflow: Workflow, score: WorkflowScore | None) -> list[float]:
    by_name = {} if score is None else {step.name: step.time_share for step in score.steps}
    return [by_name.get(target, 0.0) for target in workflow.targets]
