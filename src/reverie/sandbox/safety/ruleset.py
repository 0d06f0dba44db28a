"""The rules in force: a frozen collection that changes by making another one; rules by symbol."""

import fnmatch
import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from reverie.errors import ConfigError
from reverie.sandbox.safety.rule import Rule, RuleKind


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules by id, in a fixed order."""

    rules: tuple[Rule, ...] = ()

    @staticmethod
    def default() -> "RuleSet":
        """The rules that come with the package, read once."""
        return _default()

    @classmethod
    def from_dicts(cls, data: Iterable[Mapping[str, Any]]) -> "RuleSet":
        """The inverse of `to_dicts`; what cannot be judged is reported whether listed or not."""
        listed = cls(tuple(Rule.from_dict(item) for item in data))
        missing = [r for r in cls.default() if r.kind is RuleKind.UNJUDGED and r.id not in listed]
        rules = (*listed.rules, *missing)
        if len({rule.id for rule in rules}) < len(rules):
            raise ConfigError("two rules have the same id")
        return cls(rules)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Plain values, ready for JSON."""
        return [rule.to_dict() for rule in self.rules]

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __contains__(self, rule_id: object) -> bool:
        return any(rule.id == rule_id for rule in self.rules)

    def get(self, rule_id: str) -> Rule:
        """The rule with this id; `ConfigError` when there is none."""
        for rule in self.rules:
            if rule.id == rule_id:
                return rule
        raise ConfigError(f"no safety rule has the id {rule_id!r}")

    def with_rule(self, rule: Rule) -> "RuleSet":
        """The same rules and one more; an id is taken once."""
        if rule.id in self:
            raise ConfigError(f"a safety rule with the id {rule.id!r} is already there")
        if rule.kind is RuleKind.UNJUDGED:
            raise ConfigError(f"rule {rule.id!r}: kind 'unjudged' belongs to the checker itself")
        return RuleSet((*self.rules, rule))

    def enable(self, rule_id: str) -> "RuleSet":
        """The same rules with this one switched on."""
        return self._switched(rule_id, enabled=True)

    def disable(self, rule_id: str) -> "RuleSet":
        """The same rules with this one switched off. What cannot be judged never passes."""
        if self.get(rule_id).kind is RuleKind.UNJUDGED:
            raise ConfigError(f"rule {rule_id!r} cannot be disabled: unjudged source never passes")
        return self._switched(rule_id, enabled=False)

    def _switched(self, rule_id: str, *, enabled: bool) -> "RuleSet":
        self.get(rule_id)
        rules = (replace(r, enabled=enabled) if r.id == rule_id else r for r in self.rules)
        return RuleSet(tuple(rules))


@functools.cache
def _default() -> RuleSet:
    import tomllib
    from importlib import resources

    text = resources.files("reverie.sandbox.safety").joinpath("rules.toml").read_text("utf-8")
    rules = tuple(Rule.from_dict(item) for item in tomllib.loads(text)["rule"])
    if len({rule.id for rule in rules}) < len(rules):
        raise ConfigError("rules.toml: two rules have the same id")
    return RuleSet(rules)


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
