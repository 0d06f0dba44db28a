"""One law and one input: does it hold, does it apply at all, or is it broken, and how?"""

import datetime
import math
import re
from typing import Any

from reverie.dreamers.enrich.search.inside.nodes import Evaluator, Node
from reverie.dreamers.enrich.search.inside.trying import OutOfTime, guarded, is_deliberate

from .values import fits

HELD, OUTSIDE, BROKEN, LATE = "held", "outside", "broken", "late"
_ALWAYS = ("UnboundLocalError", "NameError")
_ACCIDENTS = ("IndexError", "ZeroDivisionError", "RecursionError", "AttributeError", "TypeError")
_IS_TEMPLATE = re.compile(
    r"string formatting|format string|format character|incomplete format|Replacement index"
    r"|\* wants int|%\w requires|%\w format:"
)
"""What is wrong with a text that says how others are written: a caller's own mistake."""
_MISFITS = ("TypeError", "AttributeError", "NotImplementedError")
_COUNTS = (
    "limit",
    "width",
    "size",
    "capacity",
    "maxlen",
    "count",
    "length",
    "max_length",
    "maxsize",
    "n",
    "k",
)
_STRICT = ("error", "refusal", "formula")
"""Kinds of laws that also hold for a length below zero."""
_LARGEST, _LONGEST = 2200, 200
_FIRST_YEAR, _LAST_YEAR = 1800, 2200
_SHOWN = 300
_SETUP, _STEPS, _CHECK = 1, 2, 3


def is_too_large(error: BaseException) -> bool:
    """Whether the input asked for more than any machine has: nobody's fault."""
    return isinstance(error, MemoryError) or (
        isinstance(error, OverflowError) and "index-sized" in str(error)
    )


class Seen:
    """How a law fared."""

    __slots__ = ("actual", "error", "frame", "message", "state")

    def __init__(
        self, state: str, actual: str = "", error: str = "", message: str = "", frame: str = ""
    ) -> None:
        self.state = state
        self.actual = actual
        self.error = error
        """The type of what was raised, where that breaks the law."""
        self.message = message
        self.frame = frame

    def likeness(self) -> "tuple[str, str]":
        """What another input has to share to show the same."""
        return self.state, self.error


class Checker:
    """Holds one module's callables to their laws."""

    def __init__(
        self, evaluator: Evaluator, path: str, hints: "dict[tuple[str, str], Any]", unit: "set[str]"
    ) -> None:
        self.evaluator = evaluator
        self.unit = unit
        """Functions whose numbers lie between 0 and 1."""
        self.path = path
        self.hints = hints
        self.annotated: set[tuple[str, str]] = set()
        """Parameters whose hint is an annotation: one that documentation gives is a guess."""
        self.positive: set[str] = set()
        """Parameters, as `function:parameter`, that are said to take positive numbers."""
        self._compiled: dict[int, Any] = {}

    def check(self, law: "dict[str, Any]", args: "list[Node]", patience: float = 1.0) -> Seen:
        """Run a law on one input."""
        stage = [0]
        values: list[Any] = []
        try:
            with guarded(patience):
                values = [self.evaluator.value(each, {}) for each in args]
                if not self._is_meant(law, values):
                    return Seen(OUTSIDE)
                state, actual = self._function(law)(*values, stage)
                return Seen(state, actual)
        except OutOfTime:
            return Seen(LATE)
        except BaseException as error:  # noqa: BLE001  whatever the code raises is what it did
            if stage[0] != _STEPS or not isinstance(error, Exception) or is_too_large(error):
                return Seen(OUTSIDE)
            return self._judged(law, error, args)

    def _function(self, law: "dict[str, Any]") -> Any:
        made = self._compiled.get(id(law))
        if made is None:
            names = ", ".join([*(each[0] for each in law["variables"]), "_stage"])
            source = f"def law({names}):\n" + "\n".join(f"    {each}" for each in _body(law))
            space = self.evaluator.namespace
            space["_shown"] = shown
            exec(compile(source, "<law>", "exec"), space)  # noqa: S102
            made = self._compiled[id(law)] = space.pop("law")
        return made

    def _is_meant(self, law: "dict[str, Any]", values: "list[Any]") -> bool:
        """Whether the input is one that the callable's author has to reckon with."""
        for (_, owner, parameter), value in zip(law["variables"], values):  # noqa: B905  as many
            hint = self.hints.get((owner, parameter))
            is_default = value is None and (owner, parameter) not in self.annotated
            if hint is not None and not fits(value, hint) and not is_default:
                return False
            if f"{owner}:{parameter}" in self.positive and not is_positive(value):
                return False
            if owner in self.unit and type(value) in (int, float) and not 0 <= value <= 1:
                return False
            if law["basis"] == "named" and type(value) in (int, float) and value < 0:
                return False
            is_guess = hint is None or (owner, parameter) not in self.annotated
            is_bare = is_guess or law["kind"] == "arguments"
            if not is_finite(value) or (is_bare and not is_plain(value)):
                return False
            if (
                parameter in _COUNTS
                and law["kind"] not in _STRICT
                and type(value) is int
                and value < 0
            ):
                return False
        return True

    def _judged(self, law: "dict[str, Any]", error: Exception, args: "list[Node]") -> Seen:
        names = {each.__name__ for each in type(error).__mro__}
        if names & set(law["allowed"]):
            return Seen(OUTSIDE)
        kind = type(error).__name__
        is_broken = (
            self._is_accident(law, error, args) if law["kind"] == "error"
            else (law["basis"] == "stated" and self._is_typed(law)) or not names & set(_MISFITS)
        )  # fmt: skip
        if not is_broken:
            return Seen(OUTSIDE)
        told = f"{kind}: {error}"[:_SHOWN]
        return Seen(BROKEN, told, kind, str(error)[:_SHOWN], self._frame(error))

    def _is_accident(self, law: "dict[str, Any]", error: Exception, args: "list[Node]") -> bool:
        """Whether an error is nothing that the callable says or means to raise."""
        kind = type(error).__name__
        if kind in _ALWAYS or isinstance(error.__cause__, StopIteration):
            return True
        values = [self.evaluator.value(each, {}) for each in args]
        if _IS_TEMPLATE.search(str(error)) and any(isinstance(each, str) for each in values):
            return False
        is_typed = self._is_typed(law)
        if not all(map(is_moderate, values)):
            return False
        if law["shown"] == "never":
            return is_typed or kind not in _MISFITS
        if is_deliberate(error.__traceback__, self.path):
            return False
        if law["shown"] == "stated":
            is_foreign = type(error).__module__ != "builtins"  # another library refuses in words
            return is_typed or not (kind in _MISFITS or is_foreign)
        if kind == "ZeroDivisionError" and any(
            each == 0 for each in values if type(each) in (int, float)
        ):
            return False
        return is_typed and kind in _ACCIDENTS

    def _is_typed(self, law: "dict[str, Any]") -> bool:
        return all(
            self.hints.get((owner, name)) is not None and (owner, name) in self.annotated
            for _, owner, name in law["variables"]
        )

    def _frame(self, error: Exception) -> str:
        """The innermost function of the module."""
        trace, found = error.__traceback__, ""
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.path:
                found = trace.tb_frame.f_code.co_name
            trace = trace.tb_next
        return found


def _body(law: "dict[str, Any]") -> "list[str]":
    shown_value = "result" if law["kind"] == "error" else law["shown"]
    return [
        f"if not ({law['guard']}): return 'outside', ''",
        f"_stage[0] = {_SETUP}",
        *law["setup"],
        f"_stage[0] = {_STEPS}",
        *law["steps"],
        f"_stage[0] = {_CHECK}",
        f"if {law['check']}: return 'held', ''",
        f"return 'broken', _shown({shown_value})",
    ]


def shown(value: Any) -> str:
    """A value for people."""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001  a `repr` of the code under test
        text = f"<no repr: {type(error).__name__}>"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def is_finite(value: Any) -> bool:
    """Whether no number in it is infinite, missing or beyond all measure."""
    if isinstance(value, float):
        return math.isfinite(value) and abs(value) < 1e12
    if isinstance(value, int):
        return abs(value) < 10**12
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(is_finite, value))
    if isinstance(value, dict):
        return all(is_finite(each) for pair in value.items() for each in pair)
    return True


def is_positive(value: Any) -> bool:
    """Whether no number in it is zero or less."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(is_positive, value))
    return not isinstance(value, (int, float)) or value > 0


def is_plain(value: Any) -> bool:
    """Whether it is made of plain values all the way down."""
    if type(value) in (list, tuple, set, frozenset):
        return all(map(is_plain, value))
    if type(value) is dict:
        return all(is_plain(each) for pair in value.items() for each in pair)
    return value is None or type(value) in (int, float, str, bytes, bool)


def is_moderate(value: Any) -> bool:
    """Whether it is of everyday size."""
    if isinstance(value, datetime.date):
        return _FIRST_YEAR <= value.year <= _LAST_YEAR
    if isinstance(value, (int, float)):
        return abs(value) <= _LARGEST
    if isinstance(value, (str, bytes)):
        return len(value) <= _LONGEST
    if isinstance(value, (list, tuple, set, frozenset)):
        return len(value) <= _LONGEST and all(map(is_moderate, value))
    if isinstance(value, dict):
        return len(value) <= _LONGEST and all(
            is_moderate(each) for pair in value.items() for each in pair
        )
    return True
