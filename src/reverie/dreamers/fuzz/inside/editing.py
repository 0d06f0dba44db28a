"""A use with one literal edited: errors nobody means, ends that never come, relations broken."""

import ast
import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from reverie.dreamers.enrich.search.inside.trying import OutOfTime

from .accidents import accident_of, passes
from .checking import shown
from .edits import BRINK, EQUAL, NORMAL, OTHER, SPELLED, Edit, edits_of, value_of
from .use import LATE_PATIENCE, Claim, Use, called, callee_of

_PRIVATE = re.compile(r"(?<![\w'\"])_\w")
_AMOUNT = re.compile(r"^-?(?P<number>\d+(?:\.\d+)?) ?(?P<unit>[A-Za-zµμ]\w*)$")
_QUICK_SECONDS = 0.05
_RELATED = (3, 0.34)
_AMOUNTS = (5, 0.34)


class Searched:
    """What is looked for faults, and which arguments are shown as fractions, or spelled."""

    def __init__(
        self, folder: str, is_target: "Callable[[CodeType], bool]", uses: "list[dict[str, Any]]"
    ) -> None:
        self.folder = folder
        self.is_target = is_target
        self.numbers = {
            (name.rpartition(".")[2], place, kind)
            for use in uses
            for name, place, kind in shown_numbers(use["asked"])
        }


class Editing:
    """The edits of one use."""

    def __init__(self, use: Use, searched: Searched) -> None:
        self.use = use
        self.searched = searched
        self.value: Any = None
        self.seconds = 0.0

    def all(self, until: float) -> "Iterator[tuple[list[str], str]]":
        """Try every edit; those that work with another number are given back."""
        began = time.process_time()
        self.value = self.use.value(self.use.lines, self.use.asked)
        self.seconds = time.process_time() - began
        if _PRIVATE.search("\n".join([*self.use.lines, self.use.asked])):
            return  # what is private may be given what its callers know of
        for edit in edits_of(self.use.lines, self.use.asked):
            if time.monotonic() > until:
                return
            made = self._tried(edit)
            if edit.kind == OTHER and type(edit.was) in (int, float) and made is not None:
                *lines, asked = edit.source
                yield lines, asked

    def _tried(self, edit: Edit) -> Any:
        *lines, asked = edit.source
        try:
            made = self.use.value(lines, asked)
        except OutOfTime:
            self._late(lines, asked)
            return None
        except Exception as error:  # noqa: BLE001  refusing is what it may do
            self._error(edit, error)
            return None
        self._amount(edit, made)
        if edit.kind in (EQUAL, SPELLED, NORMAL):
            self._related(edit, made)
        return made

    def _error(self, edit: Edit, error: Exception) -> None:
        *lines, asked = edit.source
        if not accident_of(error, self.searched.folder, edit.kind):
            return
        if not passes(error, self.searched.is_target):
            return
        name, where = type(error).__name__, _frame(error, self.searched.folder)
        says = f"{asked} works, or is refused in words"
        claim = Claim(f"error {name} {where}", says, f"{name}: {error}", asked)
        claim.lines = [*lines, f"result = {asked}"]
        claim.errors, claim.where = [name], where
        self.use.tell(claim)

    def _late(self, lines: "list[str]", asked: str) -> None:
        """What takes long is told when it does not end with far more patience either."""
        if self.seconds > _QUICK_SECONDS:
            return
        try:
            self.use.value(lines, asked, LATE_PATIENCE)
        except OutOfTime:
            claim = Claim(
                f"endless {callee_of(asked)}", f"{asked} returns", "it does not return", asked
            )
            claim.lines = [*lines, f"result = {asked}"]
            claim.is_late = True
            self.use.tell(claim)
        except Exception:  # noqa: BLE001  refusing is what it may do
            return

    def _related(self, edit: Edit, made: Any) -> None:
        """The same number, or the same text in another form, gives the same text."""
        *lines, asked = edit.source
        if not isinstance(self.value, str) or not isinstance(made, str):
            return
        callee = callee_of(asked)
        check, says = "first == result", f"{callee} gives the same for an equal number"
        is_held = self.value == made
        if edit.kind == NORMAL:
            check = "unicodedata.normalize('NFC', first) == unicodedata.normalize('NFC', result)"
            says = f"{callee} gives the same for the same text in another normal form"
            is_held = _composed(self.value) == _composed(made)
        elif (callee.rpartition(".")[2], edit.place, edit.kind) not in self.searched.numbers:
            return
        key = f"{edit.kind} {callee}"
        self.use.note(key, is_held, asked)
        if not is_held:
            claim = Claim(key, says, f"{shown(made)} after {shown(self.value)}", asked)
            first = [*self.use.lines, f"first = {self.use.asked}"]
            claim.lines = [*first, *lines, f"result = {asked}"]
            claim.check, claim.trust = check, _RELATED
            self.use.tell(claim)

    def _amount(self, edit: Edit, made: Any) -> None:
        """An amount with its unit: not 0 of it, and not 1000 of one where 1 of the next begins."""
        amount = _AMOUNT.match(made) if isinstance(made, str) else None
        if amount is None or edit.kind not in (OTHER, BRINK):
            return
        *lines, asked = edit.source
        number = float(amount["number"])
        if edit.kind == BRINK:
            self._brink(edit, number, amount["unit"])
        if not _is_amount(edit.made):
            return
        key = f"zero {callee_of(asked)}"
        self.use.note(key, number != 0, asked)
        if number == 0:
            claim = Claim(key, f"{callee_of(asked)} shows an amount", shown(made), asked)
            claim.lines = [*lines, f"result = {asked}"]
            claim.check, claim.trust = f"result != {made!r}", _AMOUNTS
            self.use.tell(claim)

    def _brink(self, edit: Edit, number: float, unit: str) -> None:
        *lines, asked = edit.source
        *_, more = edit.next_source
        try:
            beyond = self.use.value(lines, more)
        except (Exception, OutOfTime):  # noqa: BLE001  refusing is what it may do
            return
        amount = _AMOUNT.match(beyond) if isinstance(beyond, str) else None
        if amount is None or amount["unit"] == unit or float(amount["number"]) != 1:
            return
        if number < (1000 if int(edit.made) % 10 == 9 else 1024):
            return
        key = f"brink {callee_of(asked)}"
        says = f"{callee_of(asked)} has a larger unit: {more} is {beyond!r}"
        claim = Claim(key, says, f"{number:g} {unit}", asked)
        claim.lines = [*lines, f"beyond = {more}", f"result = {asked}"]
        claim.check = f"(result, beyond) != {(self.use.value(lines, asked), beyond)!r}"
        self.use.tell(claim)


def shown_numbers(asked: str) -> "Iterator[tuple[str, int, str]]":
    """Arguments that are fractions, or spell a number: callee, which, and which of both."""
    call = called(ast.parse(asked, mode="eval").body)
    if not isinstance(call, ast.Call):
        return
    for place, each in enumerate(call.args):
        value = value_of(each)
        if type(value) is float:
            yield ast.unparse(call.func), place, EQUAL
        elif type(value) is str and value.replace(".", "", 1).removeprefix("-").isdigit():
            yield ast.unparse(call.func), place, SPELLED


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _is_amount(value: Any) -> bool:
    """Whether it is a number, or spells one, of one or more."""
    try:
        return float(value) >= 1
    except (TypeError, ValueError, OverflowError):
        return False


def _frame(error: BaseException, folder: str) -> str:
    """The innermost function of the package."""
    trace, found = error.__traceback__, ""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(folder):
            found = trace.tb_frame.f_code.co_name
        trace = trace.tb_next
    return found
