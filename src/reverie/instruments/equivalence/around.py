"""Scenarios around a call that brought news: at edges, at lengths, with what is looked up in it."""

import ast
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator

from reverie.instruments.equivalence.characters import asks_for_characters, character_calls
from reverie.instruments.equivalence.contract import Contract
from reverie.instruments.equivalence.derived import asks_for_types, derived_calls
from reverie.instruments.equivalence.edges import edge_calls
from reverie.instruments.equivalence.facts import Facts
from reverie.instruments.equivalence.matches import matched_calls
from reverie.instruments.equivalence.scenario import Scenario, Step
from reverie.instruments.equivalence.sizes import (
    counting_calls,
    inner_sized_calls,
    sized_calls,
    sizes_near,
)
from reverie.model.call import Call

_AT_EDGES = 6
"""Calls whose every place is put at every edge."""
_MOST_EDGES = 90
_AT_SIZES = 3
"""Calls whose lists and texts get the lengths that the sources name."""
_AT_INNER_SIZES = 10
"""The same for the lists inside: which of them matters is not known."""
_AT_MATCHES = 6
"""Calls whose tables get the words of the sources, and are asked for them."""
_AT_TYPES = 12
"""Calls whose values are given as those of derived classes, if a version asks for types."""
_AT_CHARACTERS = 2
"""Calls whose texts get one character of every kind, if a version asks for kinds."""
_MOST_DIRECTED = 8


class Around:
    """Makes the scenarios of one call after another; of the first ones the most."""

    def __init__(self, facts: Facts) -> None:
        self._words = [ast.literal_eval(each) for each in facts.constants]
        self._changed = self._words[: min(facts.changed_constants, _MOST_DIRECTED)]
        self._sizes = sizes_near(facts.constants)
        self._types = _AT_TYPES if asks_for_types(facts.old.tree, facts.new.tree) else 0
        is_asking = asks_for_characters(facts.old.tree, facts.new.tree)
        self._characters = _AT_CHARACTERS if is_asking else 0
        self._made: Counter[str] = Counter()

    def of(self, call: Call, contract: Contract) -> Iterator[Scenario]:
        """Every scenario around a call."""
        edges = itertools.islice(edge_calls(call, self._changed), _MOST_EDGES)
        for each in self._first("edges", _AT_EDGES, edges):
            yield Scenario.of(contract.fit(each))
        for each in self._first("sizes", _AT_SIZES, sized_calls(call, self._sizes)):
            yield Scenario((Step(each, is_large=True),))
        for each in self._first("counts", _AT_SIZES, counting_calls(call)):
            yield Scenario((Step(each, is_large=True),))
        for each in self._first("inside", _AT_INNER_SIZES, inner_sized_calls(call, self._sizes)):
            yield Scenario((Step(each, is_large=True),))
        for each in self._first("matches", _AT_MATCHES, matched_calls(call, self._words)):
            yield Scenario.of(contract.fit(each))
        for each in self._first("characters", self._characters, character_calls(call)):
            yield Scenario.of(each)
        for each in self._first("types", self._types, derived_calls(call)):
            yield Scenario.of(each)

    def _first(self, name: str, most: int, made: Iterable[Call]) -> list[Call]:
        """What is made, for so many calls of which anything is."""
        found = list(made) if self._made[name] < most else []
        self._made[name] += bool(found)
        return found
