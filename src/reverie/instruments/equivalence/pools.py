"""Constants worth trying, by type: of both sources, and of what the versions compared."""

import ast
import copy
import random

_MOST_POOLED = 400


class Pools:
    """Literals by type; what was learned twice over is drawn more often."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._pools: dict[type, list[ast.expr]] = {}
        self._known: set[str] = set()

    def learn(self, source: str, weight: int = 1) -> None:
        """Put a literal into the pool of its type; a list gives its items."""
        if source in self._known:
            return
        self._known.add(source)
        try:
            node = ast.parse(source, mode="eval").body
            items = node.elts if isinstance(node, ast.List) else [node]
            learned = [(type(ast.literal_eval(each)), each) for each in items]
        except (SyntaxError, ValueError):
            return
        for kind, each in learned:
            pool = self._pools.setdefault(kind, [])
            if len(pool) < _MOST_POOLED:
                pool += [each] * weight

    def learn_separated(self, separator: str) -> None:
        """Numbers and words with a separator between them, as code that splits there takes them."""
        for text in ("1{0}0", "0{0}0{0}2", "10{0}0{0}0", "a{0}b"):
            self.learn(ascii(text.format(separator)))

    def draw(self, kind: type) -> ast.expr | None:
        """A literal of the type; None when none is known."""
        pool = self._pools.get(kind)
        return copy.deepcopy(self.chance.choice(pool)) if pool else None
