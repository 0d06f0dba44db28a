"""One step while the world misbehaves: faults in, the call, and what fired and came of it."""

import copy
import os
import pickle
import signal
import tempfile
import time
from collections.abc import Callable
from typing import Any

from reverie.workflows.inside.step import (
    Redirect,
    _call,
    _collect,
    _describe,
    _for_each,
    _forbid_network,
    _hand_on,
    _load,
    _resolve,
    _settle,
)
from reverie.workflows.scenarios.inside.arguments import Drift, _changed_call
from reverie.workflows.scenarios.inside.network import Network
from reverie.workflows.scenarios.inside.strain import (
    Burst,
    CpuQuota,
    MemoryShare,
    _memory,
    _need,
    _share_one_arena,
)
from reverie.workflows.scenarios.inside.watch import Board, Overdue, Watch, _told

_WATCHED = ("injection", "traversal")


def _run_stressed(**order: Any) -> "dict[str, Any]":
    """Everything about one stressed step, as `runs` orders it."""
    root, _, redirect = _settle(order)
    _share_one_arena()
    board = Board(order["faults"])
    with _World(order, board) as world:
        told = _perform(order, board, world, root, redirect)
    found = _collect(root, redirect.open, order["most_bytes"])
    return {
        **found,
        **told,
        "fired": board.fired,
        "harm": board.harm,
        "exchanges": board.exchanges,
        "records": board.records,
        "has_network": world.network is not None,
    }


class _World:
    """The faults that surround a step; undone whatever happens."""

    def __init__(self, order: "dict[str, Any]", board: "Board") -> None:
        self.faults = order["faults"]
        self.board = board
        self.network: Network | None = None
        self.drift = Drift(self.faults["drift_every"], board)
        self.open: list[Any] = []
        if order["safe_mode"]:
            _forbid_network()
        else:
            try:
                self.network = Network(self.faults, order["upstream"], board)
                self.network.install()
                self.open.append(self.network)
            except OSError:
                self.network = None
        self.drift.install()
        self.open.append(self.drift)

    def begin(self) -> None:
        """The faults that would hinder us as well: as late as can be."""
        faults = self.faults
        self.drift.is_on = True
        if faults["memory"] < 1:
            self._add(MemoryShare(faults["memory"], faults["need"], faults["headroom"], self.board))
        if faults["cpu_quota"] < 1:
            self._add(CpuQuota(faults["cpu_quota"], self.board))

    def watch(self, payload: Any, root: str) -> None:
        """Look for what a payload does."""
        self._add(Watch(payload, root, self.board))

    def _add(self, fault: Any) -> None:
        """A fault that cannot be had here does not fire, and is nobody's failure."""
        try:
            fault.install()
        except OSError:
            return
        self.open.append(fault)

    def end(self) -> None:
        """Undo, last first."""
        while self.open:
            self.open.pop().close()

    def __enter__(self) -> "_World":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def _perform(
    order: "dict[str, Any]", board: "Board", world: _World, root: str, redirect: "Redirect"
) -> "dict[str, Any]":
    function = _load(order["step"])
    roots = tuple(order["roots"])
    invocation = _Invocation(function, order, world, redirect)
    change = order["faults"]["change"]
    if change is not None and order["is_first"]:
        changed = _changed_call(function, order["params"], change, board, redirect.open)
        if changed is not None:
            invocation.args, invocation.params = changed
            if change["kind"] in _WATCHED:
                world.watch(eval(change["source"], {}), root)
    faults = order["faults"]
    burst = Burst(invocation, faults, board, roots) if faults["threads"] else None
    before = _memory()
    value, error, seconds = _timed(invocation, burst, world, order)
    world.end()
    told: dict[str, Any] = {"seconds": seconds, "need": _need(before, _memory()), "raised": None}
    if burst is not None:
        told |= {"results": burst.results, "errors": len(burst.errors)}
    errors = [_told(each, roots, function) for each in _errors(error, burst)]
    if errors:
        accidents = [each for each in errors if not each["refused"]]
        return {**told, "raised": (accidents or errors)[0], **_describe(None)}
    return {**told, **_describe(value), **(_hand_on(value) if order["hands_on"] else {})}


def _errors(error: BaseException | None, burst: "Burst | None") -> "list[BaseException]":
    own = [] if error is None else [error]
    return own if burst is None else [*own, *burst.errors]


def _timed(
    invocation: "_Invocation", burst: "Burst | None", world: _World, order: "dict[str, Any]"
) -> "tuple[Any, BaseException | None, float]":
    """What the call returned or raised, and how long it took; one that does not end is ended."""

    def ring(*_: object) -> None:
        raise Overdue(f"no end after {order['deadline']:g} s")

    world.begin()
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, order["deadline"])
    began = time.perf_counter()
    value, error = None, None
    try:
        if burst is None:
            value = _resolve(invocation())
        else:
            value = burst.run(in_turn=order["faults"]["in_turn"])
    except BaseException as raised:  # noqa: BLE001  whatever it raises is the answer
        error = raised
    finally:
        seconds = time.perf_counter() - began
        signal.setitimer(signal.ITIMER_REAL, 0)
    return value, error, seconds


class _Invocation:
    """The call of a step, with arguments of its own every time it is made."""

    def __init__(
        self,
        function: "Callable[..., Any]",
        order: "dict[str, Any]",
        world: _World,
        redirect: "Redirect",
    ) -> None:
        self.step = function
        self.args: tuple[Any, ...] = ()
        self.params: dict[str, Any] = order["params"]
        self.each, self.cached = order["each"], order["cached"]
        self.drift = world.drift
        self.handed: bytes | None = None
        if order["handed"] is not None:
            with redirect.open(os.path.join(tempfile.gettempdir(), "handed"), "rb") as file:
                self.handed = file.read()

    def __call__(self) -> Any:
        params = {name: self._fresh(value) for name, value in self.params.items()}
        if self.handed is None:
            return self.step(*self.args, **params)
        # Made by this workflow, in the sandbox, and read by it there, never by the host.
        value = self.drift.changed(pickle.loads(self.handed))  # noqa: S301
        if self.each:
            return _for_each(self.step, params, value, self.cached)
        return _call(self.step, params, value)

    def _fresh(self, value: Any) -> Any:
        try:
            return self.drift.changed(copy.deepcopy(value))
        except Exception:  # noqa: BLE001  a payload need not be copyable
            return value
