"""Groups of modules: which, how named, and that they stay."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.index.module_map import louvain, map_modules, modularity, part
from reverie.model.repository.code import CodeIndex
from reverie.model.sections import MapAlgorithm, MapSection

NAMES = "abcdefgh"


def ties(edges: list[tuple[str, str]]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {name: {} for name in NAMES}
    for a, b in edges:
        if a != b:
            found[a][b] = found[b][a] = 1.0
    return found


def cliques() -> CodeIndex:
    """Two packages of five modules each, tied by a single import."""
    files = {}
    for package in ("north", "south"):
        files[f"{package}/__init__.py"] = ""
        for n in range(5):
            others = ", ".join(f"m{k}" for k in range(5) if k != n)
            files[f"{package}/m{n}.py"] = (
                f'"""Part of the {package}."""\nfrom {package} import {others}\n'
            )
    files["north/m0.py"] += "import south.m0\n"
    return files  # type: ignore[return-value]


graphs = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=20).map(ties)


@given(graphs, st.sampled_from(MapAlgorithm))
def test_every_module_is_in_exactly_one_group(graph: dict, algorithm: MapAlgorithm) -> None:
    parts = part(graph, algorithm)
    assert sorted(node for members in parts for node in members) == list(NAMES)


@given(graphs)
def test_louvain_is_no_worse_than_one_group_or_none(graph: dict) -> None:
    found = modularity(graph, louvain(graph))
    if found is not None:
        alone = modularity(graph, [frozenset({name}) for name in NAMES])
        assert alone is not None
        assert found >= max(alone, 0.0) - 1e-9


@given(graphs)
def test_the_same_graph_gives_the_same_groups(graph: dict) -> None:
    turned = {node: dict(reversed(others.items())) for node, others in reversed(graph.items())}
    assert {frozenset(each) for each in louvain(graph)} == {
        frozenset(each) for each in louvain({name: turned[name] for name in sorted(turned)})
    }


def test_a_graph_without_ties_has_no_modularity() -> None:
    assert modularity(ties([]), []) is None


@pytest.mark.parametrize("algorithm", [MapAlgorithm.LOUVAIN, MapAlgorithm.LABEL])
def test_packages_that_keep_to_themselves_are_groups(
    algorithm: MapAlgorithm, indexed: Callable
) -> None:
    found = map_modules(indexed(cliques()), MapSection(algorithm=algorithm))
    assert {group.label for group in found.groups} == {"north", "south"}
    assert [len(group.members) for group in found.groups] == [6, 6]
    assert found.modularity is not None
    assert found.modularity > 0.3


def test_components_part_only_what_nothing_ties(indexed: Callable) -> None:
    section = MapSection(algorithm=MapAlgorithm.COMPONENTS)
    assert len(map_modules(indexed(cliques()), section).groups) == 1


def test_a_higher_threshold_leaves_weak_ties_out(indexed: Callable) -> None:
    files = {
        "a.py": "import b, c\n\ndef f():\n    return [b.g(), b.g(), b.g(), b.g()]\n",
        "b.py": "def g():\n    return 1\n",
        "c.py": "VALUE = 1\n",
    }
    components = MapAlgorithm.COMPONENTS
    index = indexed(files)
    low = map_modules(index, MapSection(algorithm=components, threshold=0.1))
    high = map_modules(index, MapSection(algorithm=components, threshold=0.9))
    assert [group.members for group in low.groups] == [("a.py", "b.py", "c.py")]
    assert [group.members for group in high.groups] == [("a.py", "b.py"), ("c.py",)]


def test_words_tie_modules_when_asked(indexed: Callable) -> None:
    same = (
        '"""Invoices, dunning letters and ledgers."""\n\ndef post_invoice():\n    """Dunning."""\n'
    )
    files = {"a.py": same, "b.py": same, "c.py": '"""Weather on Mars."""\n', "d.py": "X = 1\n"}
    components = MapAlgorithm.COMPONENTS
    plain = map_modules(indexed(files), MapSection(algorithm=components))
    meant = map_modules(indexed(files), MapSection(algorithm=components, semantic=True))
    assert len(plain.groups) == 4
    assert meant.groups[0].members == ("a.py", "b.py")


def test_ids_are_the_same_in_every_run_and_unique(indexed: Callable) -> None:
    index = indexed(cliques())
    first, second = map_modules(index, MapSection()), map_modules(index, MapSection())
    assert first == second
    ids = [group.id for group in first.groups]
    assert len(set(ids)) == len(ids)


def test_a_group_that_changes_a_little_keeps_its_id(indexed: Callable) -> None:
    before = map_modules(indexed(cliques()), MapSection())
    known = replace(before, groups=tuple(replace(g, id=f"kept {g.id}") for g in before.groups))
    files = {**cliques(), "north/m5.py": "from north import m0, m1\n"}
    after = map_modules(indexed(files), MapSection(), known)
    assert {group.id for group in after.groups} == {group.id for group in known.groups}
    assert after.group_of()["north/m5.py"] == known.group_of()["north/m0.py"]


def test_a_new_group_gets_an_id_of_its_own(indexed: Callable) -> None:
    before = map_modules(indexed({"a.py": "import b\n", "b.py": ""}), MapSection())
    both = {"a.py": "import b\n", "b.py": "", "x.py": "import y\n", "y.py": ""}
    after = map_modules(indexed(both), MapSection(), before)
    assert before.groups[0].id in {group.id for group in after.groups}
    assert len({group.id for group in after.groups}) == 2
