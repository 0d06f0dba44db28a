"""Uses that tests and documents show: run again, edited, their objects held to laws."""

import hashlib
import sys
import time
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

from .editing import Editing, Searched
from .holding import Holding
from .protocols import ProtocolLaw
from .use import LATE_PATIENCE, Use

_LOOKING_SHARE = 0.4
"""Of the time, for finding the uses that come to what is searched."""
_LEAST_SECONDS, _MOST_SECONDS = 0.4, 4.0


class Uses:
    """One run."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.began = time.monotonic()
        self.request = request
        self.seconds: float = request["seconds"]
        self.uses: list[dict[str, Any]] = request["uses"]
        self.names: list[str] = request["names"]
        self.module = load_plain(request["module"], request["paths"])
        self.laws = [ProtocolLaw(name, told) for name, told in request["protocols"].items()]
        self.searched = Searched(request["folder"], self.is_target, self.uses)
        self.spaces: dict[tuple[str, ...], dict[str, Any]] = {}
        self.held: dict[str, set[str]] = {}
        self.broken: dict[str, set[str]] = {}
        self.claims: dict[str, dict[str, Any]] = {}
        self.executions = 0
        listen()

    def run(self) -> "dict[str, Any]":
        """All uses, as far as there is time; those that come to what is searched take it."""
        until = self.began + self.seconds
        reaching = self._reaching(self.began + self.seconds * _LOOKING_SHARE)
        for place, number in enumerate(reaching):
            left = until - time.monotonic()
            if left <= 0 or self.executions >= self.request["most"]:
                break
            share = min(_MOST_SECONDS, max(_LEAST_SECONDS, left / (len(reaching) - place)))
            self._try(self.uses[number], share)
        return {"findings": self._believed(), "executions": self.executions}

    def is_target(self, code: CodeType) -> bool:
        """Whether a function is what is searched."""
        if code.co_filename != str(self.module.__file__):
            return False
        name = code.co_qualname
        return not self.names or any(
            name == each or name.startswith(f"{each}.") for each in self.names
        )

    def _reaching(self, until: float) -> "list[int]":
        """Uses that come to what is searched, as far as there is time: those that name it first."""

        def rank(number: int) -> "tuple[bool, str]":
            text = "\n".join([*self.uses[number]["lines"], self.uses[number]["asked"]])
            is_named = any(each in text for each in self.names)
            return not is_named, hashlib.sha256(text.encode()).hexdigest()

        waiting = sorted(range(len(self.uses)), key=rank)
        found: list[int] = []
        while waiting and time.monotonic() < until:

            def work(teller: Teller, waiting: "list[int]" = waiting) -> None:
                for number in waiting:
                    if time.monotonic() > until:
                        break
                    teller.tell((number, None))
                    teller.tell((number, self._reaches(self._use(self.uses[number], teller))))

            told, _ = in_child(work, max(0.1, until - time.monotonic()) + _MOST_SECONDS)
            asked = {number for number, _ in told}
            found += [number for number, reaches in told if reaches]
            self.executions += len(asked)
            waiting = [each for each in waiting if each not in asked]
            if not asked:
                break
        return found

    def _use(self, told: "dict[str, Any]", teller: Teller) -> Use:
        return Use(told, lambda: dict(self._space(told["before"])), teller)

    def _space(self, before: "list[str]") -> "dict[str, Any]":
        """What imports and helpers of a file bind."""
        key = tuple(before)
        if key not in self.spaces:
            space: dict[str, Any] = {"__name__": "uses"}
            for each in before:
                try:
                    with guarded(LATE_PATIENCE):
                        exec(each, space)  # noqa: S102
                except (Exception, OutOfTime):  # noqa: BLE001  uses of it will fail by themselves
                    continue
            self.spaces[key] = space
        return self.spaces[key]

    def _reaches(self, use: Use) -> bool:
        """Whether a use works, and comes to what is searched."""
        found: list[Any] = []

        def profile(frame: Any, event: str, argument: Any) -> None:
            if event == "call" and not found and self.is_target(frame.f_code):
                found.append(frame)

        sys.setprofile(profile)
        try:
            is_fine = use.is_fine()
        finally:
            sys.setprofile(None)
        return is_fine and bool(found)

    def _try(self, told: "dict[str, Any]", seconds: float) -> None:
        """A use, its objects, and its edits with theirs, in a process of its own."""
        self._space(told["before"])

        def work(teller: Teller) -> None:
            use = self._use(told, teller)
            objects = Holding(use, self.module.__name__, self.names, self.laws)
            objects.all(use.lines, use.asked)
            for lines, asked in Editing(use, self.searched).all(time.monotonic() + seconds):
                objects.all(lines, asked)

        said, _ = in_child(work, seconds + _MOST_SECONDS)
        for each in said:
            if isinstance(each, dict):
                self._keep(each)
            elif isinstance(each, tuple):
                key, is_held, about = each
                (self.held if is_held else self.broken).setdefault(key, set()).add(about)
        self.executions += len(said)

    def _keep(self, claim: "dict[str, Any]") -> None:
        known = self.claims.get(claim["key"])
        if known is None or len(claim["input"]) < len(known["input"]):
            self.claims[claim["key"]] = claim

    def _believed(self) -> "list[dict[str, Any]]":
        """Claims whose law is obeyed by as many others as it takes."""
        found = []
        for key, claim in self.claims.items():
            held, broken = len(self.held.get(key, ())), len(self.broken.get(key, ()))
            if held >= claim["least"] and broken <= claim["most"] * (held + broken):
                found.append({**claim, "held": held})
        return found


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """Try the uses of one module; see `Uses`."""
    try:
        return Uses(request).run()
    except Unimportable as error:
        return {"unimportable": str(error)}
