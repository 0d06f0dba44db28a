"""A function watched: what it gives for each call, and which laws its results keep."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.dreamers.generate.inside.trying import _called, _TooLong
    from reverie.dreamers.generate.inside.values import _fresh, _key

_LEAST_CALLS = 5
_LEAST_TELLING = 3
_NOT_MEANT = (TypeError, AttributeError, RecursionError, MemoryError)


def _observe(
    source: str, name: str, calls: "list[list[Any]]", laws: "list[list[str]]"
) -> "dict[str, Any]":
    """The outcome of each call (None: nothing to hold on to), and the numbers of the laws kept.

    A law is two expressions of `function` and `args`: what always holds, and when that tells
    anything.
    """
    space: dict[str, Any] = {"__name__": "made"}
    exec(source, space)  # noqa: S102  inside the sandbox
    outcomes = [_outcome(space[name], args) for args in calls]
    good = [args for args, each in zip(calls, outcomes, strict=True) if each and "result" in each]
    kept = [
        number
        for number, (law, telling) in enumerate(laws)
        if _keeps(space[name], law, telling, good)
    ]
    return {"outcomes": outcomes, "laws": kept}


def _outcome(function: Any, args: "list[Any]") -> "dict[str, Any] | None":
    given = _fresh(args)
    try:
        result = _called(function, given)
        again = _called(function, _fresh(args))
        if _key(result) != _key(again):
            return None
        kind = type(result).__name__
        return {"result": result, "type": kind, "spares": _key(given) == _key(args)}
    except _NOT_MEANT:
        return None
    except Exception as error:  # noqa: BLE001  what it raises is what is looked for
        return {"raises": type(error).__name__}
    except _TooLong:
        return None


def _keeps(function: Any, law: str, telling: str, calls: "list[list[Any]]") -> bool:
    """Whether a law holds for every call, and tells something for enough of them."""
    told = 0
    for args in calls:
        try:
            if not _called(_judged, [law, function, args]):
                return False
            told += bool(_called(_judged, [telling, function, args]))
        except (Exception, _TooLong):  # noqa: BLE001  then it is no law of this function
            return False
    return len(calls) >= _LEAST_CALLS and told >= _LEAST_TELLING


def _judged(expression: str, function: Any, args: "list[Any]") -> Any:
    space = {"function": lambda *given: function(*_fresh(list(given))), "args": _fresh(args)}
    return eval(expression, space)


def _behaviours(functions: "list[list[str]]", calls: "list[list[Any]]") -> "list[list[str | None]]":
    """What each function (source and name) gives for each call; None where it gives nothing."""
    answers = []
    for source, name in functions:
        space: dict[str, Any] = {"__name__": "made"}
        exec(source, space)  # noqa: S102  inside the sandbox
        answers.append([_told(space[name], args) for args in calls])
    return answers


def _told(function: Any, args: "list[Any]") -> "str | None":
    try:
        return _key(_called(function, _fresh(args)))
    except (Exception, _TooLong):  # noqa: BLE001  nothing to compare
        return None
