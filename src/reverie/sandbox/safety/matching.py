"""Find the rules that speak about a symbol or a name, quickly."""

import fnmatch
import functools
import re
from collections.abc import Iterable

from reverie.sandbox.safety.rule import Rule, RuleKind
from reverie.sandbox.safety.ruleset import RuleSet

_GLOB = frozenset("*?[")


class Matcher:
    """The enabled rules of a set, indexed by kind; answers are remembered."""

    __slots__ = ("_answers", "_by_kind", "rules")

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._by_kind: dict[RuleKind, list[tuple[Rule, _Patterns, _Patterns]]] = {}
        self._answers: dict[tuple[RuleKind, str], tuple[Rule, ...]] = {}
        for rule in rules:
            if rule.enabled or rule.kind is RuleKind.UNJUDGED:
                wanted = _Patterns((*rule.symbols, *rule.names))
                entry = (rule, wanted, _Patterns(rule.exceptions))
                self._by_kind.setdefault(rule.kind, []).append(entry)

    def matching(self, kind: RuleKind, name: str) -> tuple[Rule, ...]:
        """The rules of a kind that object to the name."""
        key = (kind, name)
        answer = self._answers.get(key)
        if answer is None:
            rules = self._by_kind.get(kind, ())
            answer = tuple(r for r, yes, no in rules if yes.match(name) and not no.match(name))
            self._answers[key] = answer
        return answer

    def of_kind(self, kind: RuleKind) -> list[Rule]:
        """All rules of a kind."""
        return [rule for rule, _, _ in self._by_kind.get(kind, ())]


class _Patterns:
    """Exact names and globs. A glob without `()` does not reach into the results of calls."""

    __slots__ = ("_exact", "_inside", "_plain")

    def __init__(self, patterns: Iterable[str]) -> None:
        listed = tuple(patterns)
        self._exact = frozenset(listed)
        globs = [pattern for pattern in listed if _GLOB & set(pattern)]
        self._inside = _compile([pattern for pattern in globs if "()" in pattern])
        self._plain = _compile([pattern for pattern in globs if "()" not in pattern])

    def match(self, name: str) -> bool:
        if name in self._exact:
            return True
        if "()" in name:
            return self._inside is not None and self._inside.match(name) is not None
        return self._plain is not None and self._plain.match(name) is not None


def _compile(patterns: list[str]) -> re.Pattern[str] | None:
    if not patterns:
        return None
    return re.compile("|".join(f"(?:{fnmatch.translate(pattern)})" for pattern in patterns))


@functools.lru_cache(maxsize=16)
def matcher_for(rules: RuleSet) -> Matcher:
    """The index of a rule set; sets that were seen before are not indexed again."""
    return Matcher(rules)
