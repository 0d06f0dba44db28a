"""The tests of a function as a file: examples, laws found by trial, results as recorded."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.dreamers.generate.laws import Law
from reverie.dreamers.generate.observing import Observed, Seen

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
