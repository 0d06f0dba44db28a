"""One version of the code under test, loaded under its own name beside the other one."""

import ast
import builtins
import sys
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.instruments.equivalence.inside.probes import Instrument, Probes, reachable

_MISFITS = (TypeError, AttributeError)


class Version:
    """A module of its own in the interpreter; its relatives are kept apart from the other's."""

    def __init__(self, order: "dict[str, Any]", is_probed: bool) -> None:
        self.name: str = order["module"]
        self.entry: str = order["entry"]
        self.path: str = order["path"]
        self.roots: list[str] = order["roots"]
        self.relatives: dict[str, types.ModuleType] = {}
        self.probes = Probes()
        self.counted: dict[int, str] = {}
        """Ways of the branches that the entry can reach, with what each depends on."""
        self._begin_load()
        tree = ast.parse(order["source"])
        self.raising = {
            line
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise | ast.Assert)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        self.module = self._load(self._probed(tree) if is_probed else tree)
        self.leave()

    def _probed(self, tree: ast.Module) -> ast.Module:
        owners = reachable(tree, self.entry)
        instrumented = ast.fix_missing_locations(Instrument(self.probes).visit(tree))
        self.counted = {
            2 * number + way: self.probes.conditions[number]
            for number, ways in self.probes.outcomes.items()
            for way in ((0, 1) if ways == 2 else (1,) if ways == 1 else ())
            if self.probes.branches[number] in owners
        }
        return instrumented  # type: ignore[no-any-return]

    def _begin_load(self) -> None:
        self._before = set(sys.modules)
        sys.path[:0] = self.roots

    def _load(self, tree: ast.Module) -> types.ModuleType:
        module = types.ModuleType(self.name)
        module.__file__ = self.path
        module.__package__ = self.name.rpartition(".")[0]
        module.__dict__["__builtins__"] = builtins
        module.__dict__.update(self.probes.names())
        sys.modules[self.name] = module
        code = compile(tree, self.path, "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102  inside the sandbox, this is the job
        return module

    def enter(self) -> None:
        """Put this version's modules and folders in place."""
        sys.path[:0] = self.roots
        sys.modules.update(self.relatives)

    def leave(self) -> None:
        """Take them away again; what comes from its folders is its own, the rest is shared."""
        del sys.path[: len(self.roots)]
        for name in set(sys.modules) - self._before:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if name == self.name or any(file.startswith(root + "/") for root in self.roots):
                self.relatives[name] = sys.modules.pop(name)

    def find(self, qualname: str) -> Any:
        """A callable of this version by its name."""
        found: Any = self.module
        for part in qualname.split("."):
            found = getattr(found, part)
        return found

    def coverage(self) -> "list[int]":
        """Counted branches taken since the probes were started."""
        return sorted(self.probes.taken)

    def is_deliberate(self, error: BaseException) -> bool:
        """Whether a `raise` or `assert` of this version's own module raised it."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is None or trace.tb_frame.f_code.co_filename != self.path:
            return False
        return trace.tb_lineno in self.raising


def is_misfit(error: BaseException, is_deliberate: bool) -> bool:
    """Whether an error says that the arguments had the wrong shape, and nobody raised it.

    A `raise` of the code under test is its behaviour; an operation that met a value of a
    type it does not know, or a tuple of the wrong length, is a misuse of the function.
    """
    is_unpacking = isinstance(error, ValueError) and "values to unpack" in str(error)
    return (isinstance(error, _MISFITS) or is_unpacking) and not is_deliberate
