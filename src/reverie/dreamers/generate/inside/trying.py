"""Recipes and given bodies tried on the examples; recipes in every order of the arguments."""

import itertools
import signal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.dreamers.generate.inside.values import _fresh, _same

_CALL_SECONDS = 0.2
_BODY_SECONDS = 2.0
_MOST_ARGUMENTS = 4


class _TooLong(BaseException):
    """What is not made for these values may take for ever."""


def _stop(number: int, frame: Any) -> None:
    raise _TooLong


def _called(function: Any, args: "list[Any]", seconds: float = _CALL_SECONDS) -> Any:
    """What a function gives; `_TooLong` when it does not come back in time."""
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return function(*args)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _try_recipes(
    modules: "dict[str, str]", recipes: "list[list[Any]]", examples: "list[dict[str, Any]]"
) -> "list[dict[str, Any]]":
    """The recipes that give every example's result, with the order of arguments that does.

    A recipe is its module, its name, and how many arguments it takes.
    """
    spaces: dict[str, dict[str, Any]] = {}
    for name, source in modules.items():
        spaces[name] = {"__name__": name}
        exec(source, spaces[name])  # noqa: S102  inside the sandbox
    arity = len(examples[0]["args"])
    found = []
    for number, (module, name, takes) in enumerate(recipes):
        if arity != takes or arity > _MOST_ARGUMENTS:
            continue
        for order in itertools.permutations(range(arity)):
            if all(_gives(spaces[module][name], order, each) for each in examples):
                found.append({"number": number, "order": list(order)})
                break
    return found


def _gives(function: Any, order: "tuple[int, ...]", example: "dict[str, Any]") -> bool:
    args = _fresh(example["args"])
    try:
        result = _called(function, [args[at] for at in order])
    except (Exception, _TooLong):  # noqa: BLE001  this recipe is for something else
        return False
    return _same(result, example["result"])


def _try_source(source: str, name: str, examples: "list[dict[str, Any]]") -> "str | None":
    """What is wrong with a function by the examples; None when it gives every result."""
    space: dict[str, Any] = {"__name__": "made"}
    exec(source, space)  # noqa: S102  inside the sandbox
    for each in examples:
        try:
            result = _called(space[name], _fresh(each["args"]), _BODY_SECONDS)
        except Exception as error:  # noqa: BLE001  told as what is wrong
            return f"{each['args']!r:.80} raises {type(error).__name__}"
        except _TooLong:
            return f"{each['args']!r:.80} takes longer than {_BODY_SECONDS} s"
        if not _same(result, each["result"]):
            return f"{each['args']!r:.80} gives {result!r:.80}, not {each['result']!r:.80}"
    return None
