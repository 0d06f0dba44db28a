"""What runs in the sandbox: one variant of a module, called with inputs that grow."""

import ast
import hashlib
import importlib
import importlib.util
import re
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_RAISED = "raised an error"
_SHORT_SECONDS = 1e-4
_BATCH = 40
_BATCHES = 3


def _race(order: "dict[str, Any]", source: str) -> "dict[str, Any]":
    """Seconds of CPU and a digest of what came out, for every size in turn."""
    sys.path[:0] = order["roots"]
    module = _loaded(order["module"], order["path"], source)
    call: Any = module
    for part in order["entry"].split("."):
        call = getattr(call, part)
    make = _maker(order, module)
    sizes: list[int] = []
    seconds: list[float] = []
    digests: list[str] = []
    size = order["first_size"]
    while len(sizes) < order["most_sizes"]:
        spent, digest = _timed(call, *make(size, order["seed"]))
        if spent < _SHORT_SECONDS:
            spent = min(_batch_seconds(call, make, size) for _ in range(_BATCHES))
        seconds.append(spent)
        digests.append(digest)
        sizes.append(size)
        if spent > order["enough_seconds"]:
            break
        size *= 2
    samples = [_shown(make, *each) for each in order["samples"]]
    return {"sizes": sizes, "seconds": seconds, "digests": digests, "samples": samples}


def _batch_seconds(
    call: "Callable[..., Any]", make: "Callable[[int, int], Any]", size: int
) -> float:
    """Of one call, from many: the clock cannot tell short ones apart."""
    given = [make(size, seed) for seed in range(_BATCH)]
    started = time.thread_time()
    for args, kwargs in given:
        _answer(call, args, kwargs)
    return (time.thread_time() - started) / _BATCH


def _shown(make: "Callable[[int, int], Any]", size: int, seed: int) -> str:
    """Arguments as they would be written, or their number and names where they cannot be.

    Nothing where there are none of this size.
    """
    try:
        args, kwargs = make(size, seed)
        shown = repr((list(args), kwargs))
    except Exception:  # noqa: BLE001  of the maker
        return ""
    try:
        ast.literal_eval(shown)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return ",".join([f"@{len(args)}", *map(str, kwargs)])
    return shown if len(shown) <= 20_000 else ""


def _loaded(name: str, path: str, source: str) -> types.ModuleType:
    """The module with this text, once: its package imports this one too, and no other."""
    sys.meta_path.insert(0, _Given(name, path, source))
    return importlib.import_module(name)


class _Given:
    """Finds one module, whose text was given."""

    def __init__(self, name: str, path: str, source: str) -> None:
        self.name, self.path = name, path
        self.code = compile(source, path, "exec")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.name:
            return None
        is_package = self.path.endswith("__init__.py")
        spec = importlib.util.spec_from_loader(name, self, origin=self.path, is_package=is_package)  # type: ignore[arg-type]
        if spec is not None and is_package:
            spec.submodule_search_locations = [self.path.rpartition("/")[0]]
        return spec

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        module.__file__ = self.path
        exec(self.code, module.__dict__)  # noqa: S102  inside the sandbox


def _maker(order: "dict[str, Any]", module: types.ModuleType) -> "Callable[[int, int], Any]":
    if order["maker_source"] is None:
        return getattr(module, order["maker"])  # type: ignore[no-any-return]
    inputs = types.ModuleType("reverie_inputs")
    inputs.__dict__.update(module.__dict__)  # arguments may be objects of its classes
    exec(order["maker_source"], inputs.__dict__)  # noqa: S102
    return getattr(inputs, order["maker"])  # type: ignore[no-any-return]


def _timed(call: "Callable[..., Any]", args: "list[Any]", kwargs: "dict[str, Any]") -> Any:
    started = time.thread_time()
    result = _answer(call, args, kwargs)
    spent = time.thread_time() - started
    shown = _ADDRESS.sub("", repr((result, args, kwargs)))
    digest = hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()
    is_raised = isinstance(result, tuple) and result[:1] == (_RAISED,)
    return spent, f"!{digest}" if is_raised else digest


def _answer(call: "Callable[..., Any]", args: "list[Any]", kwargs: "dict[str, Any]") -> Any:
    """What a call gives, to its end; an error is an answer."""
    try:
        result = call(*args, **kwargs)
        return ("iterator", list(result)) if isinstance(result, Iterator) else result
    except Exception as error:  # noqa: BLE001  of the code under test
        return (_RAISED, type(error).__name__, str(error))
