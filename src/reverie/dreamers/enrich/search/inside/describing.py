"""Which call a form is, and which argument fills which parameter: for forms read from examples."""

import re

from .making import Maker
from .nodes import FORM, Line, Node, places
from .surface import Action, Surface

_CALLED = re.compile(r"^(?P<name>[A-Za-z_][\w.]*)\($")
_METHOD = re.compile(r"^\.(?P<name>\w+)\($")
_NAMED = re.compile(r"^, (?P<name>\w+)=$|^, $")
_MOST_SEEN = 40


class Describer:
    """Knows the actions of a surface by the names that source uses for them."""

    def __init__(self, surface: Surface, maker: Maker) -> None:
        self.maker = maker
        self.by_name = {each.key: each for each in (*surface.functions, *surface.private)}
        self.by_method: dict[str, Action] = {}
        for several in surface.makers.values():
            self.by_name.update({each.key: each for each in several})
        for several in surface.methods.values():
            for each in several:
                self.by_method.setdefault(each.key.rpartition(".")[2], each)

    def describe(self, line: Line) -> Line:
        """The line with its calls known, and its arguments kept as examples."""
        node = self._known(line.node)
        callee = line.callee
        for _, part in places(node):
            if callee is None and part.about is not None:
                callee = part.about[0]
        shape = line.form
        action = self.by_name.get(callee or "")
        if shape == "call" and action is not None and node.about is not None:
            shape = action.form if node.about[0] == callee else shape
        return Line(node, shape, callee, line.number)

    def _known(self, node: Node) -> Node:
        items = tuple(self._known(each) for each in node.items)
        about = node.about
        if node.kind == FORM and about is None:
            about = self._about(node.value, items)
        return Node(node.kind, node.value, items, about)

    def _about(
        self, pieces: "tuple[str, ...]", items: "tuple[Node, ...]"
    ) -> "tuple[str, tuple[str, ...]] | None":
        if len(pieces) < 2 or not pieces[-1].endswith(")"):
            return self._bare(pieces)
        found = _CALLED.match(re.sub(r"\(\w+=$", "(", pieces[0]))
        if found is not None:
            action, names, first = self.by_name.get(found["name"]), [], 0
        else:
            method = _METHOD.match(pieces[1]) if pieces[0] == "" else None
            action = self.by_method.get(method["name"]) if method is not None else None
            names, first = [""], 1
        if action is None:
            return None
        return self._bound(action, pieces, items, names, first)

    def _bare(self, pieces: "tuple[str, ...]") -> "tuple[str, tuple[str, ...]] | None":
        action = self.by_name.get(pieces[0].removesuffix("()")) if len(pieces) == 1 else None
        return None if action is None else (action.key, ())

    def _bound(
        self,
        action: Action,
        pieces: "tuple[str, ...]",
        items: "tuple[Node, ...]",
        names: "list[str]",
        first: int,
    ) -> "tuple[str, tuple[str, ...]]":
        taken = [each.name for each in action.parameters]
        for place in range(first, len(items)):
            named = re.search(r"(\w+)=$", pieces[place])
            index = place - first
            name = (
                named[1] if named else taken[index] if index < len(taken) else (taken or [""])[-1]
            )
            names.append(name)
            shown = self.maker.seen.setdefault((action.key.rpartition(".")[2], name), [])
            if len(shown) < _MOST_SEEN and not _refers(items[place]):
                shown.append(items[place])
        return action.key, tuple(names)


def _refers(node: Node) -> bool:
    return any(each.kind == "ref" for _, each in places(node))
