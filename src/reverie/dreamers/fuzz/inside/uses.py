"""Uses that tests and documents show, run again, changed by one edit, their objects held to laws."""

import ast
import copy
import hashlib
import itertools
import pickle
import re
import sys
import time
import unicodedata
from types import CodeType
from typing import Any

from reverie.dreamers.enrich.search.inside.searching import Unimportable, load_plain
from reverie.dreamers.enrich.search.inside.trying import (
    OutOfTime,
    Teller,
    guarded,
    in_child,
    listen,
)

from .accidents import accident_of, passes
from .checking import shown
from .edits import BRINK, EQUAL, NORMAL, OTHER, SPELLED, Edit, called, edits_of, shown_numbers
from .models import model_of, model_text, uses_for
from .prelude import agree, errors_of, outcome, same
from .protocols import FATAL, OPTIONAL, ProtocolLaw, laws_for

_PATIENCE = 5.0
_LATE_PATIENCE = 30.0
_MOST_ITEMS = 1000
_LOOKING_SHARE = 0.4
"""Of the time, for finding the uses that come to what is searched."""
_LEAST_SECONDS, _MOST_SECONDS = 0.4, 4.0
_MOST_OBJECTS = 25
_MOST_PARTS = 6
_SILENT = (TypeError, AttributeError, NotImplementedError)


class Uses:
    """One run."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.began = time.monotonic()
        self.request = request
        self.module = load_plain(request["module"], request["paths"])
        self.path = str(self.module.__file__)
        self.folder = request["folder"]
        self.names: list[str] = request["names"]
        self.spaces: dict[tuple[str, ...], dict[str, Any]] = {}
        self.counts: dict[str, list[int]] = {}
        self.claims: dict[str, dict[str, Any]] = {}
        self.objects: dict[str, set[str]] = {}
        self.numbers = {
            (name.rpartition(".")[2], place, kind)
            for use in request["uses"] for name, place, kind in shown_numbers(use["asked"])
        }  # fmt: skip
        """Arguments that are shown as fractions, or spelled."""
        self.executions = 0
        listen()

    def run(self) -> "dict[str, Any]":
        """All uses, as far as there is time; those that come to what is searched take it."""
        until = self.began + self.request["seconds"]
        reaching = self._reaching(self.began + self.request["seconds"] * _LOOKING_SHARE)
        for place, number in enumerate(reaching):
            left = until - time.monotonic()
            if left <= 0:
                break
            share = min(_MOST_SECONDS, max(_LEAST_SECONDS, left / (len(reaching) - place)))
            self._try(self.request["uses"][number], share)
        return {"findings": self._believed(), "executions": self.executions, "reaching": len(reaching)}

    def _reaching(self, until: float) -> "list[int]":
        """Uses that come to what is searched, as far as there is time: those that name it first."""
        uses = self.request["uses"]

        def rank(number: int) -> "tuple[bool, str]":
            text = "\n".join([*uses[number]["lines"], uses[number]["asked"]])
            is_named = any(each.rpartition(".")[2] in text for each in self.names)
            return not is_named, hashlib.sha256(text.encode()).hexdigest()

        waiting = sorted(range(len(uses)), key=rank)
        found: list[int] = []
        while waiting and time.monotonic() < until:

            def work(teller: Teller, waiting: "list[int]" = waiting) -> None:
                for number in waiting:
                    if time.monotonic() > until:
                        break
                    teller.tell((number, None))
                    teller.tell((number, _Trying(self, uses[number], teller).is_reaching()))

            told, _ = in_child(work, max(0.1, until - time.monotonic()) + _MOST_SECONDS)
            asked = {number for number, _ in told}
            found += [number for number, reaches in told if reaches]
            self.executions += len(asked)
            waiting = [each for each in waiting if each not in asked]
            if not asked:
                break
        return found

    def _space(self, use: "dict[str, Any]") -> "dict[str, Any]":
        key = tuple(use["before"])
        if key not in self.spaces:
            space: dict[str, Any] = {"__name__": "uses"}
            for each in use["before"]:
                try:
                    with guarded(_LATE_PATIENCE):
                        exec(each, space)
                except (Exception, OutOfTime):  # noqa: BLE001  uses of it will fail by themselves
                    continue
            self.spaces[key] = space
        return dict(self.spaces[key])

    def _try(self, use: "dict[str, Any]", seconds: float) -> None:
        def work(teller: Teller) -> None:
            _Trying(self, use, teller).all(time.monotonic() + seconds)

        told, _ = in_child(work, seconds + _MOST_SECONDS)
        for each in told:
            if isinstance(each, tuple):
                self._count(*each)
            elif isinstance(each, dict):
                self._keep(each)

    def _count(self, key: str, is_held: bool, about: str) -> None:
        self.executions += 1
        seen = self.objects.setdefault(f"{key} {is_held}", set())
        if about not in seen:
            seen.add(about)
            self.counts.setdefault(key, [0, 0])[not is_held] += 1

    def _keep(self, claim: "dict[str, Any]") -> None:
        known = self.claims.get(claim["key"])
        if known is None or len(claim["input"]) < len(known["input"]):
            self.claims[claim["key"]] = claim

    def _believed(self) -> "list[dict[str, Any]]":
        found = []
        for key, claim in self.claims.items():
            held, broken = self.counts.get(key, (0, 0))
            if held >= claim["least"] and broken <= claim["most"] * (held + broken):
                found.append({**claim, "held": held, "broken": broken})
        return found

    def is_target(self, code: CodeType) -> bool:
        """Whether a function is what is searched."""
        if code.co_filename != self.path:
            return False
        name = getattr(code, "co_qualname", code.co_name)
        return not self.names or any(name == each or name.startswith(f"{each}.") for each in self.names)


class _Trying:
    """One use in a process of its own."""

    def __init__(self, uses: Uses, use: "dict[str, Any]", teller: Teller) -> None:
        self.uses = uses
        self.use = use
        self.teller = teller
        self.seconds = 0.0

    def is_reaching(self) -> bool:
        """Whether the use works, and comes to what is searched."""
        found: list[Any] = []

        def profile(frame: Any, event: str, argument: Any) -> None:
            if event == "call" and not found and self.uses.is_target(frame.f_code):
                found.append(frame)

        sys.setprofile(profile)
        try:
            self._value(self.use["lines"], self.use["asked"])
        except (Exception, OutOfTime):  # noqa: BLE001  it does not work here
            return False
        finally:
            sys.setprofile(None)
        return bool(found)

    def _value(self, lines: "list[str]", asked: str, patience: float = _PATIENCE) -> Any:
        space = self.uses._space(self.use)
        with guarded(patience):
            for each in lines:
                exec(each, space)
            self.space = space
            return _finished(eval(asked, space))

    def all(self, until: float) -> None:
        """The use itself, its objects, then its edits and theirs."""
        lines, asked = self.use["lines"], self.use["asked"]
        began = time.process_time()
        value = self._value(lines, asked)
        self.seconds = time.process_time() - began
        for text, each in self._parts(asked, value):
            self._hold(lines, text, each)
        if re.search(r"(?<![\w'\"])_\w", "\n".join([*lines, asked])):
            return  # what is private may be given what its callers know of
        for edit in edits_of(lines, asked):
            if time.monotonic() > until:
                break
            self._edited(edit, value)

    def _parts(self, asked: str, value: Any) -> "list[tuple[str, Any]]":
        """Objects that are made on the way."""
        found = [(asked, value)]
        nodes = [each for each in ast.walk(ast.parse(asked)) if isinstance(each, (ast.Call, ast.Name))]
        for node in nodes[: _MOST_PARTS + 1]:
            text = ast.unparse(node)
            if text != asked and not any(isinstance(each, ast.Lambda) for each in ast.walk(node)):
                try:
                    found.append((text, self._value(self.use["lines"], text)))
                except (Exception, OutOfTime):  # noqa: BLE001  part of something larger
                    continue
        return found

    # Edits

    def _edited(self, edit: Edit, value: Any) -> None:
        *lines, asked = edit.source
        try:
            made = self._value(lines, asked)
        except OutOfTime:
            self._late(lines, asked)
            return
        except RecursionError as error:
            self._error(edit, error)
            return
        except Exception as error:  # noqa: BLE001  refusing is what it may do
            self._error(edit, error)
            return
        self._amount(edit, made)
        if edit.kind in (EQUAL, SPELLED, NORMAL):
            self._related(edit, value, made)
        elif edit.kind == OTHER and type(edit.was) in (int, float) and _is_own(made, self.uses):
            self._hold(lines, asked, made)

    def _error(self, edit: Edit, error: Exception) -> None:
        *lines, asked = edit.source
        if not accident_of(error, self.uses.folder, edit.kind) or not passes(error, self.uses.is_target):
            return
        name = type(error).__name__
        where = _frame(error, self.uses.folder)
        self._tell(
            f"error {name} {where}", lines, f"result = {asked}", "True", f"{asked} works, or is refused in words",
            f"{name}: {error}", asked, errors=[name], where=where,
        )  # fmt: skip

    def _late(self, lines: "list[str]", asked: str) -> None:
        if self.seconds > 0.05:
            return
        try:
            self._value(lines, asked, _LATE_PATIENCE)
        except OutOfTime:
            self._tell("endless " + _callee(asked), lines, f"result = {asked}", "True", f"{asked} returns",
                       "it does not return", asked, is_late=True)  # fmt: skip
        except Exception:  # noqa: BLE001  refusing is what it may do
            return

    def _related(self, edit: Edit, value: Any, made: Any) -> None:
        *lines, asked = edit.source
        callee = _callee(asked)
        key = f"{edit.kind} {callee}"
        if edit.kind == NORMAL:
            if not (isinstance(value, str) and isinstance(made, str)):
                return
            is_held = unicodedata.normalize("NFC", value) == unicodedata.normalize("NFC", made)
            check = "unicodedata.normalize('NFC', first) == unicodedata.normalize('NFC', result)"
            says = f"{callee} gives the same for the same text in another normal form"
        else:
            known = (callee.rpartition(".")[2], edit.place, edit.kind)
            if not isinstance(value, str) or not isinstance(made, str) or known not in self.uses.numbers:
                return
            is_held = value == made
            check, says = "first == result", f"{callee} gives the same for {edit.was!r} and the same number"
        self.teller.tell((key, is_held, asked))
        if not is_held:
            first = self.use["asked"]
            self._tell(key, [*self.use["lines"], f"first = {first}", *lines], f"result = {asked}", check, says,
                       f"{shown(made)} after {shown(value)}", asked, least=3, most=0.34)  # fmt: skip

    def _amount(self, edit: Edit, made: Any) -> None:
        """An amount with its unit: not 0 of it, and not 1000 of one where 1 of the next begins."""
        amount = _AMOUNT.match(made) if isinstance(made, str) else None
        if amount is None or not isinstance(edit.was, (int, str)) or edit.kind not in ("other", BRINK):
            return
        *lines, asked = edit.source
        callee = _callee(asked)
        number = float(amount["number"])
        if edit.kind == BRINK:
            self._brink(edit, number, amount["unit"], callee)
        if float(_number_of(edit.made) or 0) >= 1:
            self.teller.tell((f"zero {callee}", number != 0, asked))
            if number == 0:
                self._tell(f"zero {callee}", lines, f"result = {asked}", f"result != {made!r}", f"{callee} shows an amount",
                           shown(made), asked, least=5, most=0.34)  # fmt: skip

    def _brink(self, edit: Edit, number: float, unit: str, callee: str) -> None:
        *lines, asked = edit.source
        *_, more = edit.next_source
        try:
            beyond = self._value(lines, more)
        except (Exception, OutOfTime):  # noqa: BLE001  refusing is what it may do
            return
        amount = _AMOUNT.match(beyond) if isinstance(beyond, str) else None
        if amount is None or amount["unit"] == unit or float(amount["number"]) != 1:
            return
        is_held = number < (1000 if int(edit.made) % 10 == 9 else 1024)
        key = f"brink {callee}"
        self.teller.tell((key, is_held, asked))
        if not is_held:
            statements = [*lines, f"beyond = {more}"]
            check = f"(result, beyond) != {(self._value(lines, asked), beyond)!r}"
            self._tell(key, statements, f"result = {asked}", check, f"{callee} shows {beyond!r} from there on",
                       f"{number:g} {unit}", asked)  # fmt: skip

    # Objects

    def _hold(self, lines: "list[str]", text: str, subject: Any) -> None:
        if not _is_own(subject, self.uses):
            return
        kind = type(subject)
        seen = self.uses.objects.setdefault(f"kind {kind.__qualname__}", set())
        if len(seen) >= _MOST_OBJECTS * 4 or text in seen:
            return
        seen.add(text)
        for law in laws_for(kind):
            self._ask(law, lines, text)
        self._model(lines, text, subject)

    def _ask(self, law: ProtocolLaw, lines: "list[str]", text: str) -> None:
        key = f"{law.name} {_kind_of(self, lines, text)}"
        error: BaseException | None = None
        is_held = True
        try:
            subject = self._value(lines, text)
            with guarded(_PATIENCE):
                space = {**self.space, "subject": subject, "copy": copy, "pickle": pickle, "sys": sys,
                         "same": same, "errors_of": errors_of}  # fmt: skip
                stage = 0
                for each in law.steps:
                    exec(each, space)
                if not eval(law.guard, space):
                    return
                stage = 1
                is_held = bool(eval(law.check, space))
        except OutOfTime:
            return
        except Exception as raised:  # noqa: BLE001  of the code under test
            is_early = stage_of(locals()) == 0 or isinstance(raised, _SILENT)
            if type(raised).__name__ not in FATAL and is_early:
                return
            if law.name in OPTIONAL and type(raised).__name__ not in FATAL:
                return
            is_held, error = False, raised
        self.teller.tell((key, is_held, text))
        if not is_held:
            told = "False" if error is None else f"{type(error).__name__}: {error}"
            names = ["AssertionError"] if error is None else [type(error).__name__]
            is_fatal = bool(set(names) & FATAL)
            kind = key.partition(" ")[2] if not law.name.startswith("round") else key.rpartition(" ")[2]
            is_lossy = law.name.startswith(("round", "shown"))
            least, most = (0, 1.0) if is_fatal else (8, 0.15) if is_lossy else (2, 0.5)
            self._tell(key, [*lines, f"subject = {text}", *law.steps], None, law.check, f"{kind}: {law.says}",
                       told, text, least=least, most=most, errors=names)  # fmt: skip

    def _model(self, lines: "list[str]", text: str, subject: Any) -> None:
        try:
            with guarded(_PATIENCE):
                model = model_of(subject)
        except (Exception, OutOfTime):  # noqa: BLE001  it cannot be looked at as one
            return
        if model is None or len(model) > 30:
            return
        kind = type(subject).__name__
        for name, args in uses_for(subject, model):
            try:
                own, plain = self._value(lines, text), None
                with guarded(_PATIENCE):
                    plain = type(model)(own)
                    refused = outcome(copy.deepcopy(own), name, args)
                    if isinstance(refused[1], _SILENT) or refused[1] is NotImplemented:
                        continue
                    is_held = agree(own, plain, name, *args)
            except (Exception, OutOfTime):  # noqa: BLE001  it is no such thing after that
                continue
            key = f"model {kind} {name}"
            given = ", ".join(map(repr, args))
            about = f"{text} {given}"
            self.teller.tell((key, is_held, about))
            if not is_held:
                expected = outcome(type(model)(model), name, args)
                done = f"subject.{name}({given})"
                steps = [*lines, f"subject = {text}", f"model = {model_text(model)}"]
                self._tell(
                    key, steps, None, f"agree(subject, model, {', '.join((repr(name), *map(repr, args)))})",
                    f"{kind}.{name} does what {type(model).__name__}.{name} does",
                    f"{_outcome(refused)} for {_outcome(expected)}", f"subject = {text}; {done}", least=4, most=0.4,
                )  # fmt: skip

    def _tell(
        self, key: str, lines: "list[str]", last: "str | None", check: str, says: str, actual: str, told: str,
        *, least: int = 0, most: float = 1.0, errors: "list[str] | None" = None, is_late: bool = False, where: str = "",
    ) -> None:  # fmt: skip
        statements = [*self.use["before"], *lines, *([last] if last else [])]
        self.teller.tell({
            "key": key, "statements": statements, "check": check, "says": says, "actual": actual[:300],
            "input": told, "least": least, "most": most, "errors": errors or ["AssertionError"],
            "is_late": is_late, "where": where,
        })  # fmt: skip


_AMOUNT = re.compile(r"^-?(?P<number>\d+(?:\.\d+)?) ?(?P<unit>[A-Za-zµμ]\w*)$")


def _number_of(value: Any) -> "float | None":
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def stage_of(names: "dict[str, Any]") -> int:
    """How far a law was asked."""
    return int(names.get("stage", 0))


def _outcome(told: "tuple[str, Any, Any]") -> str:
    return told[0] or f"{shown(told[1])}, then {shown(told[2])}"


def _is_own(value: Any, uses: Uses) -> bool:
    """Whether an object is of a class that is searched."""
    kind = type(value)
    if kind.__module__ != uses.module.__name__ or isinstance(value, (type, BaseException)):
        return False
    return not uses.names or any(each.__name__ in uses.names for each in kind.__mro__)


def _kind_of(trying: _Trying, lines: "list[str]", text: str) -> str:
    return type(trying._value(lines, text)).__name__


def _finished(value: Any) -> Any:
    if hasattr(type(value), "__next__"):
        return list(itertools.islice(value, _MOST_ITEMS))
    return value


def _callee(asked: str) -> str:
    tree = called(ast.parse(asked, mode="eval").body)
    return ast.unparse(tree.func) if isinstance(tree, ast.Call) else "it"


def _frame(error: BaseException, folder: str) -> str:
    trace, found = error.__traceback__, ""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(folder):
            found = trace.tb_frame.f_code.co_name
        trace = trace.tb_next
    return found


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """Try the uses of one module; see `Uses`."""
    try:
        return Uses(request).run()
    except Unimportable as error:
        return {"unimportable": str(error)}
