"""Objects that a use makes on its way, held to Python's protocols and beside plain containers."""

import ast
import copy
import pickle
import sys
from collections.abc import Iterator
from typing import Any

from reverie.dreamers.enrich.search.inside.trying import OutOfTime, guarded

from .checking import shown
from .models import model_of, uses_for
from .prelude import agree, errors_of, outcome, same
from .protocols import FATAL, ProtocolLaw, laws_for
from .use import PATIENCE, SILENT, Claim, Use

_MOST_PARTS, _MOST_OBJECTS, _LONGEST = 6, 100, 30
_LIKE_A_MODEL = (4, 0.4)


class Holding:
    """The objects of one use. Those that were held before, by source, are left out."""

    def __init__(
        self, use: Use, module: str, names: "list[str]", laws: "list[ProtocolLaw]"
    ) -> None:
        self.use = use
        self.module = module
        self.names = names
        self.laws = laws
        self.seen: set[str] = set()

    def all(self, lines: "list[str]", asked: str) -> None:
        """Those that an expression comes to on its way."""
        for text, subject in self._parts(lines, asked):
            self.hold(lines, text, subject)

    def _parts(self, lines: "list[str]", asked: str) -> "Iterator[tuple[str, Any]]":
        tree = ast.parse(asked)
        nodes = [each for each in ast.walk(tree) if isinstance(each, (ast.Call, ast.Name))]
        texts = dict.fromkeys([asked, *map(ast.unparse, nodes)])
        for text in list(texts)[: _MOST_PARTS + 1]:
            try:
                yield text, self.use.value(lines, text)
            except (Exception, OutOfTime):  # noqa: BLE001  a part of something larger
                continue

    def hold(self, lines: "list[str]", text: str, subject: Any) -> None:
        """Every law that is about the class of an object, if it is searched."""
        if not self._is_own(subject) or text in self.seen or len(self.seen) >= _MOST_OBJECTS:
            return
        self.seen.add(text)
        for law in laws_for(type(subject), self.laws):
            self._ask(law, lines, text, type(subject).__name__)
        self._model(lines, text, subject)

    def _is_own(self, value: Any) -> bool:
        kind = type(value)
        if kind.__module__ != self.module or isinstance(value, (type, BaseException)):
            return False
        return not self.names or any(each.__name__ in self.names for each in kind.__mro__)

    def _ask(self, law: ProtocolLaw, lines: "list[str]", text: str, kind: str) -> None:
        error: Exception | None = None
        is_asked, is_held = False, False
        try:
            subject = self.use.value(lines, text)
            with guarded(PATIENCE):
                space = {**self.use.space, "subject": subject, "copy": copy, "pickle": pickle,
                         "sys": sys, "same": same, "errors_of": errors_of}  # fmt: skip
                for each in law.steps:
                    exec(each, space)  # noqa: S102
                if not eval(law.guard, space):
                    return
                is_asked = True
                is_held = bool(eval(law.check, space))
        except OutOfTime:
            return
        except Exception as raised:  # noqa: BLE001  of the code under test
            error = raised
        if error is not None and not _breaks(error, law, is_asked):
            return
        key = f"{law.name} {kind}"
        self.use.note(key, is_held, text)
        if not is_held:
            self._tell(law, key, [*lines, f"subject = {text}", *law.steps], text, error)

    def _tell(
        self, law: ProtocolLaw, key: str, lines: "list[str]", text: str, error: "Exception | None"
    ) -> None:
        kind = key.rpartition(" ")[2]
        told = "it is not so" if error is None else f"{type(error).__name__}: {error}"
        claim = Claim(key, f"{kind}: {law.says}", told, text)
        claim.lines, claim.check, claim.trust = lines, law.check, law.trust
        if error is not None:
            claim.errors = [type(error).__name__]
            claim.trust = (0, 1.0) if type(error).__name__ in FATAL else law.trust
        self.use.tell(claim)

    def _model(self, lines: "list[str]", text: str, subject: Any) -> None:
        """Beside a plain container with the same in it, if it stands for one."""
        try:
            with guarded(PATIENCE):
                model = model_of(subject)
        except (Exception, OutOfTime):  # noqa: BLE001  it cannot be looked at as one
            return
        if model is None or len(model) > _LONGEST:
            return
        for name, args in uses_for(subject, model):
            self._beside(lines, text, type(model), name, args)

    def _beside(
        self, lines: "list[str]", text: str, model: Any, name: str, args: "tuple[Any, ...]"
    ) -> None:
        try:
            own = self.use.value(lines, text)
            with guarded(PATIENCE):
                plain = model(own)
                refused = outcome(copy.deepcopy(own), name, args)
                if isinstance(refused[1], SILENT) or refused[1] is NotImplemented:
                    return  # it is not meant to do this
                expected = outcome(model(own), name, args)
                is_held = agree(own, plain, name, *args)
        except (Exception, OutOfTime):  # noqa: BLE001  it is no such thing after that
            return
        kind = type(own).__name__
        key = f"model {kind} {name}"
        given = ", ".join(map(repr, args))
        self.use.note(key, is_held, f"{text} {given}")
        if is_held:
            return
        says = f"{kind}.{name} does what {model.__name__}.{name} does"
        actual = f"{_told(refused)} for {_told(expected)}"
        claim = Claim(key, says, actual, f"subject = {text}; subject.{name}({given})")
        claim.lines = [*lines, f"subject = {text}", f"model = {model.__name__}(subject)"]
        claim.check = f"agree(subject, model, {', '.join((repr(name), *map(repr, args)))})"
        claim.trust = _LIKE_A_MODEL
        self.use.tell(claim)


def _breaks(error: Exception, law: ProtocolLaw, is_asked: bool) -> bool:
    """Whether an error breaks a law: not where nobody promises that it can be done."""
    if type(error).__name__ in FATAL:
        return True
    return is_asked and not law.is_optional and not isinstance(error, SILENT)


def _told(told: "tuple[str, Any, Any]") -> str:
    return told[0] or f"{shown(told[1])}, then {shown(told[2])}"
