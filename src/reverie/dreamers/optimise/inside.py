"""What runs in the sandbox: one variant of a module, called with inputs that grow."""

import hashlib
import importlib
import re
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


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
        seconds.append(spent)
        digests.append(digest)
        sizes.append(size)
        if spent > order["enough_seconds"]:
            break
        size *= 2
    samples = [_shown(make, *each) for each in order["samples"]]
    return {"sizes": sizes, "seconds": seconds, "digests": digests, "samples": samples}


def _shown(make: "Callable[[int, int], Any]", size: int, seed: int) -> str:
    """Arguments as they would be written; nothing where there are none of this size."""
    try:
        args, kwargs = make(size, seed)
        shown = repr((list(args), kwargs))
    except Exception:  # noqa: BLE001  of the maker
        return ""
    return shown if len(shown) <= 20_000 else ""


def _loaded(name: str, path: str, source: str) -> types.ModuleType:
    package = name.rpartition(".")[0]
    if package:
        importlib.import_module(package)
    module = types.ModuleType(name)
    module.__dict__.update(__file__=path, __package__=package)
    sys.modules[name] = module
    exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102  inside the sandbox
    return module


def _maker(order: "dict[str, Any]", module: types.ModuleType) -> "Callable[[int, int], Any]":
    if order["maker_source"] is None:
        return getattr(module, order["maker"])  # type: ignore[no-any-return]
    inputs = types.ModuleType("reverie_inputs")
    inputs.__dict__.update(module.__dict__)  # arguments may be objects of its classes
    exec(order["maker_source"], inputs.__dict__)  # noqa: S102
    return getattr(inputs, order["maker"])  # type: ignore[no-any-return]


def _timed(call: "Callable[..., Any]", args: "list[Any]", kwargs: "dict[str, Any]") -> Any:
    started = time.process_time()
    try:
        result = call(*args, **kwargs)
        if isinstance(result, Iterator):
            result = ("iterator", list(result))
    except Exception as error:  # noqa: BLE001  of the code under test
        result = ("raised", type(error).__name__, str(error))
    spent = time.process_time() - started
    shown = _ADDRESS.sub("", repr((result, args, kwargs)))
    return spent, hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()
