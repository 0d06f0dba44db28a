"""The calls before a broken law: which of them it needs, when it does not break by itself."""

from collections import deque
from collections.abc import Callable
from typing import Any

from reverie.dreamers.enrich.search.inside.children import Teller, in_child
from reverie.dreamers.enrich.search.inside.nodes import Node, render
from reverie.dreamers.enrich.search.inside.trying import OutOfTime, guarded

_MOST = 2000
_SECONDS = 5.0
_MOST_TRIES = 80


class History:
    """The last calls of this process, to be written out when they matter."""

    def __init__(self) -> None:
        self._calls: deque[tuple[str, list[Node]]] = deque(maxlen=_MOST)

    def note(self, law: "dict[str, Any]", args: "list[Node]") -> None:
        """A law was held against an input: its subject has been called with it."""
        if args and all(each[1] == law["subject"] for each in law["variables"]):
            text = "\n".join((*law["setup"], *law["steps"]))
            many = max(1, text.count(f"{law['subject']}("))
            self._calls.extend([(law["subject"], args)] * many)

    def calls(self) -> "list[str]":
        """All of them as source, the earliest first."""
        return [
            f"{name}({', '.join(render(each, {}) for each in args)})" for name, args in self._calls
        ]

    def clear(self) -> None:
        """A new process has no past."""
        self._calls.clear()


def needed_calls(
    calls: "list[str]", namespace: "dict[str, Any]", is_broken: "Callable[[], bool]"
) -> "list[str] | None":
    """As few of the calls as were found to make it break; None when not even all of them do."""
    tries = 0

    def breaks(several: "list[str]") -> bool:
        nonlocal tries
        tries += 1
        return tries <= _MOST_TRIES and breaks_after(several, namespace, is_broken)

    if not breaks(calls):
        return None
    size = len(calls) // 2
    while size >= 1:
        at = 0
        while at < len(calls):
            shorter = calls[:at] + calls[at + size :]
            if breaks(shorter):
                calls = shorter
            else:
                at += size
        size //= 2
    return calls


def breaks_after(
    calls: "list[str]", namespace: "dict[str, Any]", is_broken: "Callable[[], bool]"
) -> bool:
    """Whether it breaks in a process in which only these calls were made before."""

    def work(teller: Teller) -> None:
        for each in calls:
            try:
                with guarded():
                    eval(each, namespace)
            except (Exception, OutOfTime):  # noqa: BLE001  refusing is what it may do
                continue
        teller.tell(is_broken())

    told, _ = in_child(work, _SECONDS)
    return told == [True]
