"""What a run knows: laws by their variables, inputs worth keeping, and what was broken."""

from typing import Any

from reverie.dreamers.enrich.search.inside.nodes import Node


class Group:
    """Laws about the same variables: one input serves them all."""

    def __init__(self, variables: "list[list[str]]", laws: "list[int]") -> None:
        self.variables = variables
        self.laws = laws
        self.corpus: list[list[Node]] = []
        self.accepted: list[list[Node]] = []
        """Inputs on which a law held: the code did not refuse them."""
        self.near: list[tuple[list[Node], Any, bool]] = []
        self.is_late = False


class Board:
    """What was found; crosses between processes."""

    def __init__(self, laws: int) -> None:
        self.held = [0] * laws
        self.breaks = [0] * laws
        self.fresh = [[0, 0] for _ in range(laws)]
        """The same of inputs made anew: neighbours of one that breaks a law break it again."""
        self.broken: dict[int, list[tuple[list[Node], tuple[str, str], bool]]] = {}
        """Inputs that break a law, how, and whether because it does not end."""
        self.earlier: dict[int, tuple[list[str], list[Node]]] = {}
        """The calls before the first input that broke a law, as source, and that input."""
        self.executions = 0
        self.taken: set[int] = set()
        self.learned: Any = None
        self.corpora: list[tuple[list[list[Node]], list[list[Node]]]] = []
