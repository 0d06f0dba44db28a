"""The tests of a function: examples, laws found by trial, recorded results, held to mutants."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from reverie.dreamers.generate.program import ask
from reverie.instruments.mutation.mutant_texts import mutants_of
from reverie.sandbox.engine import Sandbox


@dataclass(frozen=True, slots=True)
class Law:
    """What holds for every call, and when that tells anything; of `function` and `args`."""

    name: str
    holds: str
    tells: str
    arity: int = 1

    def test_line(self, function: str, parameters: tuple[str, ...]) -> str:
        """The law as the condition of a test."""
        text = self.holds.replace("function", function).replace("*args", ", ".join(parameters))
        for number, parameter in enumerate(parameters):
            text = text.replace(f"args[{number}]", parameter)
        return text


LAWS = (
    Law(
        "is_settled_after_once",
        "function(function(args[0])) == function(args[0])",
        "function(args[0]) != args[0]",
    ),
    Law(
        "undoes_itself",
        "function(function(args[0])) == args[0]",
        "function(args[0]) != args[0]",
    ),
    Law(
        "only_rearranges",
        "sorted(function(args[0])) == sorted(args[0])",
        "function(args[0]) != args[0]",
    ),
    Law(
        "keeps_the_length",
        "len(function(args[0])) == len(args[0])",
        "len(args[0]) > 1 and function(args[0]) != args[0]",
    ),
    Law(
        "does_not_depend_on_the_order",
        "function(args[0][::-1]) == function(args[0])",
        "args[0][::-1] != args[0]",
    ),
    Law(
        "does_not_depend_on_which_is_first",
        "function(args[1], args[0]) == function(*args)",
        "args[0] != args[1]",
        arity=2,
    ),
)


_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Seen:
    """One call: its result and the type of that, or the error that it raised."""

    args: tuple[Any, ...]
    result: Any = None
    type: str | None = None
    raises: str | None = None
    spares: bool = True
    """Whether it left its arguments as they were."""


@dataclass(frozen=True, slots=True)
class Observed:
    """All calls that gave something to hold on to, and the laws that their results keep."""

    seen: tuple[Seen, ...] = ()
    laws: tuple[Law, ...] = ()

    @property
    def results(self) -> tuple[Seen, ...]:
        """The calls that returned."""
        return tuple(each for each in self.seen if each.raises is None)


def observe(sandbox: Sandbox, source: str, name: str, calls: list[list[Any]]) -> Observed:
    """A function watched on calls; nothing when it cannot even be loaded."""
    laws = [each for each in LAWS if calls and each.arity == len(calls[0])]
    params = {
        "source": source,
        "name": name,
        "calls": calls,
        "laws": [[each.holds, each.tells] for each in laws],
    }
    execution = ask(sandbox, "_observe", params, _SECONDS)
    if not execution.succeeded:
        return Observed()
    outcomes = zip(calls, execution.output["outcomes"], strict=True)
    return Observed(
        tuple(Seen(tuple(args), **each) for args, each in outcomes if each is not None),
        tuple(laws[number] for number in execution.output["laws"]),
    )


_MOST_LAW_CALLS = 12
_WIDTH = 100
_RESERVED = frozenset(("request", "expected", "error", "before", "pytest"))


@dataclass(frozen=True, slots=True)
class Draft:
    """What a file of tests is to hold."""

    name: str
    parameters: tuple[str, ...]
    examples: tuple[tuple[tuple[Any, ...], Any], ...]
    observed: Observed
    recorded: tuple[Seen, ...] = ()
    """Calls beside the examples whose outcome is to stay."""

    @property
    def type_of_results(self) -> str | None:
        """The one that they all have."""
        kinds = {each.type for each in self.observed.results}
        is_telling = len(self.observed.results) > 1 and len(kinds) == 1
        return next(iter(kinds)) if is_telling else None


def draft_for(
    name: str,
    parameters: Sequence[str],
    examples: Sequence[tuple[tuple[Any, ...], Any]],
    observed: Observed,
) -> Draft:
    """A draft whose names do not get in one another's way."""
    taken = {*_RESERVED, name}
    free = tuple(f"{each}_" if each in taken else each for each in parameters)
    return Draft(name, free, tuple(examples), observed)


def module_name(function: str) -> str:
    """A file's name for a function: its own, unless a module of Python has it."""
    is_taken = function in sys.stdlib_module_names or function.startswith("test")
    return f"{function}_made" if is_taken else function


def write_tests(draft: Draft) -> str:
    """The file."""
    blocks = [
        f'"""Tests of {draft.name}."""\n\nimport pytest\n'
        f"from {module_name(draft.name)} import {draft.name}\n",
        *_examples(draft),
        *_types(draft),
        *(_law(draft, each) for each in draft.observed.laws),
        *_untouched(draft),
        *_recorded(draft),
    ]
    text = "\n\n".join(blocks)
    return text if "pytest." in text else text.replace("import pytest\n", "")


def _examples(draft: Draft) -> Iterator[str]:
    if draft.examples and not draft.parameters:
        lines = [f"assert {_call(draft)} == {draft.examples[0][1]!a}"]
        yield _test("test_examples", "What was asked for.", (), (), lines)
    elif draft.examples:
        cases = [(*args, result) for args, result in draft.examples]
        yield _test(
            "test_examples",
            "What was asked for.",
            (*draft.parameters, "expected"),
            cases,
            [f"assert {_call(draft)} == expected"],
        )


def _types(draft: Draft) -> Iterator[str]:
    kind = draft.type_of_results
    if kind is not None:
        shown = "type(None)" if kind == "NoneType" else kind
        lines = [f"assert type({_call(draft)}) is {shown}"]
        cases = _some(draft)
        yield _test("test_type_of_the_result", "Always the same.", draft.parameters, cases, lines)


def _law(draft: Draft, law: Law) -> str:
    line = law.test_line(draft.name, draft.parameters)
    said = f"{law.name.replace('_', ' ').capitalize()}: found by trial."
    return _test(f"test_{law.name}", said, draft.parameters, _some(draft), [f"assert {line}"])


def _untouched(draft: Draft) -> Iterator[str]:
    results = draft.observed.results
    can_change = any(isinstance(arg, list | dict) for each in results for arg in each.args)
    if can_change and all(each.spares for each in results):
        names = ", ".join(draft.parameters)
        lines = [
            f"before = repr(({names},))",
            _call(draft),
            f"assert repr(({names},)) == before",
        ]
        said = "Whoever calls it finds the arguments as they were."
        yield _test("test_arguments_are_left_alone", said, draft.parameters, _some(draft), lines)


def _recorded(draft: Draft) -> Iterator[str]:
    said = "What it did when it was made: nobody asked for it, but a change shows."
    results = [(*each.args, each.result) for each in draft.recorded if each.raises is None]
    if results:
        lines = [f"assert {_call(draft)} == expected"]
        names = (*draft.parameters, "expected")
        yield _test("test_results_as_recorded", said, names, results, lines)
    errors = [(*each.args, _Name(each.raises)) for each in draft.recorded if each.raises]
    if errors:
        lines = ["with pytest.raises(error):", f"    {_call(draft)}"]
        names = (*draft.parameters, "error")
        yield _test("test_errors_as_recorded", said, names, errors, lines)


def _some(draft: Draft) -> list[tuple[Any, ...]]:
    """The shortest arguments that were seen to give a result."""
    every = sorted((each.args for each in draft.observed.results), key=lambda each: len(repr(each)))
    step = max(1, len(every) // _MOST_LAW_CALLS)
    return every[::step][:_MOST_LAW_CALLS]


class _Name(str):
    """A name in a case, written without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _test(
    name: str,
    said: str,
    parameters: Sequence[str],
    cases: Sequence[tuple[Any, ...]],
    lines: Sequence[str],
) -> str:
    """One test function, over cases if it has parameters."""
    body = [f'    """{said}"""', *(f"    {line}" for line in lines)]
    if not parameters:
        return "\n".join([f"def {name}():", *body, ""])
    names = ", ".join(parameters)
    head = f'"{names}"' if len(parameters) == 1 else _quoted(parameters)
    rows = [ascii(case[0] if len(parameters) == 1 else case) for case in cases]
    return "\n".join([_decorator(head, rows), f"def {name}({names}):", *body, ""])


def _decorator(head: str, rows: Sequence[str]) -> str:
    """On one line if it fits, otherwise a line for each case."""
    line = f"@pytest.mark.parametrize({head}, [{', '.join(rows)}])"
    if len(line) <= _WIDTH:
        return line
    listed = "".join(f"        {row},\n" for row in rows)
    return f"@pytest.mark.parametrize(\n    {head},\n    [\n{listed}    ],\n)"


def _quoted(parameters: Sequence[str]) -> str:
    return "(" + ", ".join(f'"{each}"' for each in parameters) + ")"


def _call(draft: Draft) -> str:
    return f"{draft.name}({', '.join(draft.parameters)})"


_MOST_MUTANTS = 120
_NOTICE_SECONDS = 15.0
_TESTS_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Checked:
    """Tests that pass, and what they notice; None where that could not be measured."""

    tests: str
    mutants: int | None
    killed: int | None


def check_tests(sandbox: Sandbox, source: str, draft: Draft) -> Checked | str:
    """The file of tests, run; a reason when one of them fails."""
    noticed = _noticed(sandbox, source, draft)
    chosen = _chosen(draft, noticed or [])
    seen = draft.observed.seen
    final = replace(draft, recorded=tuple(seen[at] for at in sorted(chosen)))
    tests = write_tests(final)
    reason = failure_of(sandbox, source, draft.name, tests)
    if reason is not None:
        return reason
    if noticed is None:
        return Checked(tests, None, None)
    telling = chosen | _shown(draft)
    return Checked(tests, len(noticed), sum(bool(telling & set(each)) for each in noticed))


def _noticed(sandbox: Sandbox, source: str, draft: Draft) -> list[list[int]] | None:
    """For every mutant the calls that notice it; None when that could not be found out."""
    mutants = mutants_of(source)
    step = -(-len(mutants) // _MOST_MUTANTS) or 1
    params = {
        "mutants": mutants[::step],
        "name": draft.name,
        "seen": [asdict(each) for each in draft.observed.seen],
        "with_types": draft.type_of_results is not None,
    }
    execution = ask(sandbox, "_notice", params, _NOTICE_SECONDS)
    return execution.output if execution.succeeded else None


def _shown(draft: Draft) -> set[int]:
    """The calls that the examples show."""
    shown = [args for args, _ in draft.examples]
    return {at for at, each in enumerate(draft.observed.seen) if each.args in shown}


def _chosen(draft: Draft, noticed: list[list[int]]) -> set[int]:
    """Few calls beside the examples that notice every mutant which any call does."""
    shown = _shown(draft)
    left = [set(each) for each in noticed if each and not shown & set(each)]
    chosen: set[int] = set()
    while left:
        counts = {at: sum(at in each for each in left) for each in left for at in each}
        best = min(
            counts, key=lambda at: (-counts[at], len(repr(draft.observed.seen[at].args)), at)
        )
        chosen.add(best)
        left = [each for each in left if best not in each]
    return chosen


def failure_of(sandbox: Sandbox, source: str, name: str, tests: str) -> str | None:
    """Why the tests of a function are not to be shown; None when all of them pass."""
    params = {"module": module_name(name), "source": source, "tests": tests}
    execution = ask(sandbox, "_run_tests", params, _TESTS_SECONDS)
    if not execution.succeeded:
        return f"its tests could not be run: {execution.error or execution.outcome}"
    told = execution.output
    if told["code"] != 0 or not told["passed"] or told["failed"]:
        return f"its tests do not pass: {', '.join(told['failed'][:3]) or 'none was found'}"
    return None
