"""What is compared and with which inputs, as files and names; nothing is imported here."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import PolicyError, UsageError
from reverie.index.named_file import require_python
from reverie.index.naming import is_package
from reverie.inputs import calls_for, read
from reverie.model.call import Call
from reverie.model.codec import pick
from reverie.model.execution import Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.policy import check_policy
from reverie.syntax.decoding import decode
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression
from reverie.syntax.unparsing import unparse

_GENERATED_CALLS = 256
_ATTRIBUTE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class CallableTarget:
    """A callable in a file. `root` is what its module is imported from."""

    file: str
    module: str
    root: str
    attribute: str
    watched: tuple[tuple[str, str], ...] = ()
    """Functions by file and qualified name: the share of its time that goes there is asked for."""

    @property
    def shown(self) -> str:
        """What has to be visible inside: the root, or the file alone where that is too wide."""
        try:
            check_policy(Policy(readonly=(self.root,)), IsolationTier.NAMESPACES)
        except PolicyError:
            return self.file
        return self.root

    def document(self) -> dict[str, Any]:
        """As `inside/side.py` reads it."""
        watched = [list(each) for each in self.watched]
        return {**pick(self, "file module root attribute"), "watched": watched}


@dataclass(frozen=True, slots=True)
class Inputs:
    """Where arguments come from: a function `make_input(n, seed)`, or expressions."""

    maker: CallableTarget | None = None
    sources: tuple[str, ...] = ()
    """Calls of `_given`, evaluated afresh for every call with `n`, `seed` and `random`."""
    preamble: str = ""
    """Imports and definitions that the expressions need."""
    is_fixed: bool = False
    """Whether they neither grow nor differ by seed: they come again and again, in turn."""

    def document(self) -> dict[str, Any]:
        """As `inside/side.py` reads it."""
        if self.maker is not None:
            return {"kind": "function", "target": self.maker.document()}
        return {
            "kind": "expressions",
            "sources": list(self.sources),
            "preamble": self.preamble,
        }

    @property
    def first_calls(self) -> int:
        """How many calls of a fresh process show what no cache can help with."""
        return len(self.sources) if self.is_fixed else 1


def parse_target(text: str) -> CallableTarget:
    """`FILE:callable`; `UsageError` names what is wrong with one."""
    given, colon, attribute = text.rpartition(":")
    if not colon or not given or not _ATTRIBUTE.fullmatch(attribute):
        raise UsageError(f"expected FILE:callable, not {text!r}")
    path = Path(given).absolute()
    if not path.is_file():
        raise UsageError(f"no such file: {given!r}")
    if path.suffix != ".py":
        raise UsageError(f"not a Python file: {given!r}")
    require_python(path, given)
    root, parts = path.parent, [path.stem]
    while is_package(root) and root.name.isidentifier():
        parts.insert(0, root.name)
        root = root.parent
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return CallableTarget(str(path), ".".join(parts), str(root), attribute)


def named_target(text: str) -> CallableTarget:
    """`FILE:callable` as a person writes it; `UsageError` where the file never says that name."""
    target = parse_target(text)
    owner = target.attribute.partition(".")[0]
    source = decode(Path(target.file).read_bytes())
    if not re.search(rf"\b{owner}\b|import \*", source):
        raise UsageError(f"{text.rpartition(':')[0]!r} has no callable {target.attribute!r}")
    return target


def inputs_from_expression(text: str) -> Inputs:
    """A call as it would be written, `f(list(range(n)), key=seed)`: its arguments are taken."""
    try:
        tree = fresh_expression(text.strip())
    except NOT_PYTHON as error:
        raise UsageError(f"--call is not an expression: {text!r:.80} ({error})") from error
    if not isinstance(tree, ast.Call):
        raise UsageError(f"--call must be a call such as 'f(n, key=1)', not {text!r:.80}")
    tree.func = ast.Name("_given", ast.Load())
    return Inputs(sources=(unparse(tree),))


def generated_inputs(target: CallableTarget, seed: int) -> Inputs:
    """Typical calls made from the source of a callable alone."""
    try:
        source = Path(target.file).read_text("utf-8")
        shape = read(source, target.attribute, module=target.module)
    except (OSError, ValueError) as error:
        raise UsageError(f"no inputs for {target.attribute!r}: {error}") from error
    calls = calls_for(shape, seed=seed, count=_GENERATED_CALLS, edges=False)
    if not calls:
        raise UsageError(f"no inputs for {target.attribute!r}: give --inputs or --call")
    return inputs_from_calls(calls)


def inputs_from_calls(calls: Sequence[Call]) -> Inputs:
    """Calls as source; a method gets what makes its receiver as its first argument."""
    sources = []
    for call in calls:
        receiver = [] if call.receiver is None else [call.receiver.source]
        sources.append(f"_given({', '.join([*receiver, call.arguments])})")
    preamble = dict.fromkeys(call.preamble for call in calls)
    return Inputs(sources=tuple(sources), preamble="\n".join(preamble))
