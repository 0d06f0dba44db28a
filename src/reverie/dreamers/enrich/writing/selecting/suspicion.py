"""What to make of a scenario: a test, a finding for a person, or nothing at all.

A test says "this is right". An exception that looks like a slip of the author's, and a result that
contradicts what the module promises, are not for a test to say that of.
"""

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from reverie.dreamers.enrich.surroundings import OF_PACKAGES
from reverie.dreamers.enrich.writing.selecting.manual import Manual
from reverie.dreamers.enrich.writing.subject import SuspectedBug
from reverie.model.call import Scenario, Seen, Step, StepForm
from reverie.syntax.parsing import parse_expression

_ALWAYS = {
    "UnboundLocalError": "a name is used before it has a value",
    "NameError": "a name is used that nobody defines",
    "RecursionError": "it calls itself without end",
    "IndexError": "it looks for an item that is not there",
    "ZeroDivisionError": "it divides by zero, which nothing documents",
    "AssertionError": "its own assertion does not hold",
}
_NEVER_MEANT = frozenset({"UnboundLocalError", "NameError"})
"""Slips of whoever wrote the code, whatever it is given."""
_IF_FITTING = {
    "TypeError": "a value has a type that it cannot work with, though all arguments fit",
    "AttributeError": "a value lacks an attribute, though all arguments fit",
    "KeyError": "a key is not there, though all arguments fit",
}
_SLIPS = re.compile(
    r"values to unpack|arg is an empty|substring not found|is not in (?:list|deque)"
    r"|empty sequence|iterable argument is empty|not in tuple"
)
_LOOKING_UP = re.compile(
    r"\b(__getitem__|__delitem__|__missing__|pop\w*|remove|nth|get\w*|first|second|last|peek\w*|next)$"
)
_PLACES = frozenset({"index", "ind", "idx", "i", "n", "key", "pos", "position", "nth"})
_CODE = re.compile(r"\blambda\b|\boperator\.|\bfailing\b|\biter\(")
_MADE = re.compile(r"\b(?:datetime|decimal|fractions|uuid|re|array|collections|pathlib|types)\.")
"""Values made on the spot: what raises without a line of the package may be one of them."""
_NEVER = (
    "MemoryError",
    "OverflowError",
    "KeyboardInterrupt",
    "SystemExit",
    "GeneratorExit",
    "Warning",
)
_MOST_FINDINGS = 30
_NEGATIVE = re.compile(r"-[\d.]+")
_SIGNED = re.compile(r"negativ|sign|differ|before|minus|below|offset|compare|-1")
_QUANTITIES = frozenset({
    "minutes", "seconds", "hours", "days", "weeks", "months", "years", "count", "length", "size",
    "cents", "total", "amount", "width", "height", "distance", "age", "price", "bytes", "number",
    "len", "fine", "fee", "cost", "duration",
})  # fmt: skip
"""Names of functions that say how much or how many."""
_BUILTIN_KINDS = frozenset({"int", "float", "str", "bytes", "bool", "list", "tuple", "dict", "set"})


@dataclass(slots=True)
class Sifted:
    """Scenarios that may become tests, and what a person should see."""

    scenarios: list[Scenario] = field(default_factory=list)
    findings: list[SuspectedBug] = field(default_factory=list)


def sift(
    scenarios: Iterable[Scenario],
    manual: Manual,
    module: str,
    file: str,
    cost: Callable[[Step], float] = lambda step: 0.0,
) -> Sifted:
    """Judge every scenario; of findings that look alike the plainest, then the shortest is kept.

    `cost` says how odd the values of a step are: a person believes a finding by its input.
    """
    sifted = Sifted()
    plainest: dict[tuple[str, str, int | None], tuple[float, int, SuspectedBug]] = {}
    for scenario in scenarios:
        if not scenario.seen:
            continue
        judged = _Judge(scenario, manual, module, file).judge()
        if judged is True:
            sifted.scenarios.append(scenario)
        elif isinstance(judged, SuspectedBug):
            key = judged.function, judged.kind, judged.line
            ranked = sum(map(cost, scenario.steps)), len(judged.input), judged
            if key not in plainest or ranked[:2] < plainest[key][:2]:
                plainest[key] = ranked
    sifted.findings = [found for *_, found in plainest.values()][:_MOST_FINDINGS]
    return sifted


class _Judge:
    """One scenario: True for a test, False for nothing, or a finding."""

    def __init__(self, scenario: Scenario, manual: Manual, module: str, file: str) -> None:
        self.scenario, self.manual, self.module, self.file = scenario, manual, module, file
        self.place = len(scenario.seen) - 1
        self.step: Step = scenario.steps[self.place]
        self.seen: Seen = scenario.seen[-1]
        self.callee = self.step.callee or ""

    def judge(self) -> bool | SuspectedBug:
        if self.seen.is_exception:
            return self._exception()
        for place, (step, seen) in enumerate(
            zip(self.scenario.steps, self.scenario.seen, strict=False)
        ):
            found = self._result(place, step, seen)
            if found is not None:
                return found
        return True

    # -- exceptions -----------------------------------------------------------------------

    def _exception(self) -> bool | SuspectedBug:
        name = self.seen.type_name.rpartition(".")[2]
        line = self._line()
        is_meant = line in self.manual.raising
        if name in OF_PACKAGES:
            return False
        if (name in _NEVER and not is_meant) or self._broke_while_setting_up():
            return False
        if self.manual.mentions(self.callee, name) and line not in self.manual.asserting:
            return True
        if is_meant and name != "AssertionError":
            return True
        if name == "TypeError" and self.step.form is StepForm.OPERATE and line is None:
            return False  # Python's answer to `NotImplemented`
        if name in ("KeyError", "StopIteration", "IndexError") and self._looks_up():
            return name != "IndexError"
        fits = self._fits()
        if fits is False or (self.seen.raised_in is None and _MADE.search(self.step.line.source)):
            return False
        why = _ALWAYS.get(name) or (_IF_FITTING.get(name) if fits else None)
        if why is None and _SLIPS.search(self.seen.raised or ""):
            why = "Python raised this by itself: the code does not handle this case"
        if why is not None and line is not None and not self._brings_code():
            return self._finding(name, why, line) if self._is_allowed(name) else False
        return why is None and name not in _IF_FITTING and name not in _ALWAYS

    def _is_allowed(self, name: str) -> bool:
        """Whether people may call it so: by an example of the docs, or by annotations throughout.

        Code without annotations refuses most values by some error of Python's. A person who is
        shown a hundred of these stops reading: none is a finding.
        """
        if self.step.line.source in self.manual.examples:
            return True
        if any(part.startswith(("_", "<")) and not part.endswith("__")
               for part in self.callee.split(".")):  # fmt: skip
            return False
        if name in _NEVER_MEANT:
            return True
        calls = [step for step in self.scenario.steps[: self.place + 1] if step.callee]
        given = [each for step in calls for each in self._given(step)]
        return bool(given) and all(self._fits(step) is True for step in calls)

    def _given(self, step: Step) -> list[ast.expr]:
        try:
            call = parse_expression(step.line.source)
        except SyntaxError:
            return []
        return [each for node in ast.walk(call) if isinstance(node, ast.Call) for each in node.args]

    def _looks_up(self) -> bool:
        """Whether it is there to find something, so that not finding it is an answer."""
        function = self.manual.functions.get(self.callee)
        given = [] if function is None else [each.arg for each in function.args.args]
        return bool(_LOOKING_UP.search(self.callee) or _PLACES & set(given))

    def _brings_code(self) -> bool:
        """Whether the input holds a function, which may be what raised."""
        source = " ".join(step.line.source for step in self.scenario.steps)
        return bool(_CODE.search(source)) or any(s.line.definitions for s in self.scenario.steps)

    def _broke_while_setting_up(self) -> bool:
        return self.step.form in (StepForm.ENTER, StepForm.READ) and not self.callee

    def _line(self) -> int | None:
        """Where it was raised, when that is in the module itself."""
        file, _, rest = (self.seen.raised_in or "").partition(":")
        line = rest.rpartition(":")[2]
        return int(line) if line.isdigit() and self.file.endswith(file.lstrip("./")) else None

    def _fits(self, step: Step | None = None) -> bool | None:
        step = step or self.step
        try:
            call = parse_expression(step.line.source)
        except SyntaxError:
            return None
        return self.manual.fits(step.callee or "", call)

    # -- results ----------------------------------------------------------------------------

    def _result(self, place: int, step: Step, seen: Seen) -> SuspectedBug | None:
        """A result that contradicts an example or the annotation; None when all is well."""
        literal = None if seen.literal is None else seen.literal.source
        shown = self.manual.examples.get(step.line.source)
        if shown is not None and literal is not None and _differ(shown, literal):
            return self._bug(
                step, "contradicts_example", shown, literal, "its docstring shows this"
            )
        if literal is not None and self._is_below_nothing(step, literal):
            return self._bug(step, "negative_quantity", "zero or more", literal,
                             "its name says a quantity, which cannot be negative")  # fmt: skip
        allowed = self.manual.returns(step.callee or "")
        if allowed is None or step.form is not StepForm.CALL or seen.is_exception:
            return None
        kind = seen.type_name.removeprefix("builtins.")
        known = allowed <= _BUILTIN_KINDS | {"None"}
        if not known or kind == "NotImplementedType" or step.is_awaited:
            return None
        if _is_of(kind, allowed) or not step.line.source.endswith(")"):
            return None
        if _head(step.line.source) in ("list", "str", "len", "repr", "bool", "next"):
            return None
        call = parse_expression(step.line.source)
        if self.manual.fits(step.callee or "", call) is not True:
            return None
        wanted = " | ".join(sorted(allowed))
        return self._bug(step, "contradicts_annotation", wanted, kind, "its annotation says so")

    def _is_below_nothing(self, step: Step, literal: str) -> bool:
        """Whether a number of things is negative, though nothing says that it may be."""
        if not _NEGATIVE.fullmatch(literal) or step.form is not StepForm.CALL:
            return False
        words = set((step.callee or "").rpartition(".")[2].lower().split("_"))
        said = self.manual.documents.get(step.callee or "", "").lower()
        return bool(words & _QUANTITIES) and not _SIGNED.search(said)

    # -- findings ---------------------------------------------------------------------------

    def _finding(self, name: str, why: str, line: int | None) -> SuspectedBug:
        message = f"{name}: {self.seen.raised}"[:300]
        return self._bug(self.step, name, "a result, or an error that is documented", message, why,
                         line)  # fmt: skip

    def _bug(
        self, step: Step, kind: str, expected: str, actual: str, why: str, line: int | None = None
    ) -> SuspectedBug:
        function = self.manual.functions.get(step.callee or "")
        place = self.scenario.steps.index(step)
        return SuspectedBug(
            module=self.module,
            function=step.callee or "",
            line=line or (function.lineno if function is not None else None),
            kind=kind,
            input=step.line.source
            if place == 0
            else "; ".join(_lines(self.scenario.steps[: place + 1])),
            expected=expected,
            actual=actual,
            why=why,
            repro=_repro(self.scenario.steps[: place + 1], self.module),
        )


def _differ(shown: str, literal: str) -> bool:
    """Whether two literals are different values; what is no literal is not compared."""
    try:
        return bool(ast.literal_eval(shown) != ast.literal_eval(literal))
    except (ValueError, SyntaxError, TypeError, MemoryError):
        return False


def _is_of(kind: str, allowed: frozenset[str]) -> bool:
    kind = "None" if kind == "NoneType" else kind
    widened = {"bool": {"int", "float"}, "int": {"float"}}.get(kind, set())
    return kind in allowed or bool(widened & allowed) or "." in kind


def _head(source: str) -> str:
    return source.partition("(")[0]


def _lines(steps: Sequence[Step]) -> list[str]:
    return [
        f"{step.name} = {step.line.source}" if step.name else step.line.source for step in steps
    ]


def _repro(steps: Sequence[Step], module: str) -> str:
    """A few lines that show it."""
    modules = sorted({name for step in steps for name in step.line.modules})
    names = sorted({name for step in steps for name in step.line.names})
    definitions = dict.fromkeys(text for step in steps for text in step.line.definitions)
    imported = [f"from {module} import {', '.join(names)}"] if names else []
    return "\n".join(
        (*(f"import {each}" for each in modules), *imported, *definitions, *_lines(steps))
    )
