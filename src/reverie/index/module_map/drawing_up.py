"""Draws up the module map: groups with names that stay as long as the groups do."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from reverie.index.graph.names import ModuleNames
from reverie.index.module_map.communities import modularity, part
from reverie.index.module_map.ties import Ties, ties_of
from reverie.model.code import CodeIndex
from reverie.model.sections import MapSection
from reverie.model.standing import Group, ModuleMap

_SAME_GROUP = 0.5
"""Share of common members from which a group is the one it was before."""
_MAJORITY = 0.6
_MOST_OF_A_PACKAGE = 3
"""A group is called by a package that is at most so many times its size."""


def map_modules(
    index: CodeIndex, section: MapSection, before: ModuleMap | None = None
) -> ModuleMap:
    """The map of an index. Groups of the map `before` that are still there keep their ids."""
    names = ModuleNames(index.modules)
    ties = ties_of(index, names, section.threshold, semantic=section.semantic)
    parts = sorted(part(ties, section.algorithm), key=lambda each: (-len(each), sorted(each)))
    kept = _kept_ids(parts, () if before is None else before.groups)
    labels = {members: _label(members, names, ties) for members in parts}
    taken = set(kept.values())
    groups = []
    for members in parts:
        group_id = kept.get(members) or _free(labels[members], taken)
        taken.add(group_id)
        groups.append(Group(group_id, labels[members], tuple(sorted(members))))
    score = modularity(ties, parts)
    return ModuleMap(
        algorithm=section.algorithm.value,
        threshold=section.threshold,
        semantic=section.semantic,
        modularity=None if score is None else round(score, 4),
        groups=tuple(groups),
    )


def _kept_ids(
    parts: Sequence[frozenset[str]], before: Iterable[Group]
) -> dict[frozenset[str], str]:
    """Ids of earlier groups for the parts that share most with them, each given once."""
    known = [(group.id, frozenset(group.members)) for group in before]
    pairs = [
        (len(members & old) / len(members | old), group_id, members)
        for members in parts
        for group_id, old in known
        if members & old
    ]
    kept: dict[frozenset[str], str] = {}
    given: set[str] = set()
    for share, group_id, members in sorted(pairs, key=lambda each: (-each[0], each[1])):
        if share >= _SAME_GROUP and members not in kept and group_id not in given:
            kept[members] = group_id
            given.add(group_id)
    return kept


def _label(members: frozenset[str], names: ModuleNames, ties: Ties) -> str:
    """The package that most members are in; of a mixed group, its best tied member."""
    packages: Counter[str] = Counter()
    for path in members:
        parts = names.by_path[path].name.split(".")
        packages.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))
    common = [name for name, count in packages.items() if count >= _MAJORITY * len(members)]
    label = max(common, key=lambda name: (name.count("."), packages[name], name), default="")
    if label and len(names.below(label)) < _MOST_OF_A_PACKAGE * len(members):
        return label
    anchor = max(sorted(members), key=lambda path: _inner_weight(path, members, ties))
    return names.by_path[anchor].name


def _inner_weight(
    path: str, members: frozenset[str], ties: Mapping[str, Mapping[str, float]]
) -> float:
    return sum(weight for other, weight in ties[path].items() if other in members)


def _free(label: str, taken: set[str]) -> str:
    candidate, number = label, 1
    while candidate in taken:
        number += 1
        candidate = f"{label}~{number}"
    return candidate
