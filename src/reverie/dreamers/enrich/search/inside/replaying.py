"""What was found, run again as source on the module as it is, in forks of this process."""

import functools
import os
import traceback
from contextlib import ExitStack
from typing import Any

from .children import Teller, in_child
from .conditions import Conditions
from .loading import load_plain
from .recorder import Recorder
from .searching import namespace_of
from .seeing import Viewer
from .trying import OutOfTime, driven, guarded, listen

_SECONDS = 30.0
_PATIENCE = 12.0
_ITEMS = "[each async for each in "


def replay(request: "dict[str, Any]") -> "dict[str, Any]":
    """Every scenario of the request: what was seen and which ways were taken.

    Several share a fork where the request says so; one that ends its fork, or what comes after
    it, is run once more in a fork of its own.
    """
    listen()
    conditions = Conditions()
    conditions.change(other=request["other"])
    path = request["path"]
    recorder = Recorder(frozenset({path}))
    recorder.start()
    try:
        module = load_plain(request["module"], request["paths"])
    finally:
        recorder.stop()
    _, arcs = recorder.take()
    namespace = namespace_of(module, request)
    replayer = Replayer(namespace, path, request["root"], conditions)
    scenarios = request["scenarios"]
    found: list[Any] = [None] * len(scenarios)
    for group in request["groups"]:
        several = [(place, scenarios[place]) for place in group]
        told, _ = in_child(functools.partial(replayer.tell_all, scenarios=several), _SECONDS)
        for place, view in told:
            found[place] = view
        for place in group[len(told) :] if len(group) > 1 else ():
            alone = [(place, scenarios[place])]
            told, _ = in_child(functools.partial(replayer.tell_all, scenarios=alone), _SECONDS)
            found[place] = told[0][1] if told else None
    return {"seen": found, "arcs": sorted(arcs.get(path, ()))}


class Replayer:
    """Replays scenarios, in a fork that may not live on."""

    def __init__(
        self, namespace: "dict[str, Any]", path: str, root: str, conditions: Conditions
    ) -> None:
        self.namespace = namespace
        self.conditions = conditions
        self.path = path
        self.root = root
        self.recorder = Recorder(frozenset({path}))
        self.space: dict[str, Any] = {}
        self.views: list[dict[str, Any]] = []

    def tell_all(self, teller: Teller, scenarios: "list[tuple[int, dict[str, Any]]]") -> None:
        """One scenario after the other, each with names of its own."""
        for place, scenario in scenarios:
            self.space, self.views = dict(self.namespace), []
            self.recorder.take()
            self.conditions.begin()
            teller.tell((place, self._view(scenario)))

    def _view(self, scenario: "dict[str, Any]") -> "dict[str, Any] | None":
        """What is seen of a scenario; None when it takes too long."""
        viewer = Viewer(dict(self.namespace))
        try:
            with guarded(_PATIENCE) as said:
                self._run(scenario["steps"], viewer, said)
        except OutOfTime:
            return None
        except BaseException as raised:  # noqa: BLE001  whatever the code raises is what it did
            self.views.append(self._raised(raised))
        lines, arcs = self.recorder.take()
        return {
            "seen": self.views,
            "arcs": sorted(arcs.get(self.path, ())),
            "lines": sorted(set().union(*lines.values())),
        }

    def _run(self, steps: "list[dict[str, Any]]", viewer: Viewer, said: Any) -> None:
        with ExitStack() as entered:
            for step in steps:
                before = len(said.getvalue())
                self.recorder.start()
                try:
                    value = self._value(step, entered)
                finally:
                    self.recorder.stop()
                if step["name"] is not None:
                    self.space[step["name"]] = value
                view = viewer.look(value)
                view["printed"] = said.getvalue()[before:]
                self.views.append(view)

    def _value(self, step: "dict[str, Any]", entered: ExitStack) -> Any:
        source = step["source"]
        if step["form"] == "change":
            exec(compile(source, "<step>", "exec"), self.space)  # noqa: S102
            return None
        if source.startswith(_ITEMS):
            made = eval(source.removeprefix(_ITEMS).removesuffix("]"), self.space)
            return driven(_gathered(made))
        value = eval(compile(source, "<step>", "eval"), self.space)
        if step["form"] == "enter":
            return entered.enter_context(value)
        return driven(value) if step["is_awaited"] else value

    def _raised(self, error: BaseException) -> "dict[str, Any]":
        kind = type(error)
        try:
            message = str(error)
        except Exception:  # noqa: BLE001  of the code under test
            message = ""
        frames = [
            each for each in traceback.extract_tb(error.__traceback__)
            if each.filename.startswith(self.root + os.sep)
        ]  # fmt: skip
        where = f"{frames[-1].filename}:{frames[-1].name}:{frames[-1].lineno}" if frames else None
        return {"type": f"{kind.__module__}.{kind.__qualname__}", "raised": message, "where": where}


async def _gathered(items: Any) -> "list[Any]":
    return [each async for each in items]
