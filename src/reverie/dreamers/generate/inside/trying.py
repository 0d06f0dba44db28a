"""Recipes tried on the examples, every order of the arguments."""

import itertools
import signal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.dreamers.generate.inside.values import _fresh, _same

_CALL_SECONDS = 0.2
_MOST_ARGUMENTS = 4


class _TooLong(BaseException):
    """A recipe that is not made for these values may take for ever."""


def _stop(number: int, frame: Any) -> None:
    raise _TooLong


def _try_recipes(
    modules: "dict[str, str]", recipes: "list[list[Any]]", examples: "list[dict[str, Any]]"
) -> "list[dict[str, Any]]":
    """The recipes that give every example's result, with the order of arguments that does.

    A recipe is its module, its name, and how many arguments it takes.
    """
    signal.signal(signal.SIGALRM, _stop)
    spaces: dict[str, dict[str, Any]] = {}
    for name, source in modules.items():
        spaces[name] = {}
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
        signal.setitimer(signal.ITIMER_REAL, _CALL_SECONDS)
        result = function(*(args[at] for at in order))
    except (Exception, _TooLong):  # noqa: BLE001  this recipe is for something else
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return _same(result, example["result"])
