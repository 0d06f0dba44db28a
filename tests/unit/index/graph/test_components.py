"""Cycles, layers and reach, held against plain definitions."""

from hypothesis import given
from hypothesis import strategies as st

from reverie.index.graph import cycles, layers, reverse_reach, strongly_connected

NODES = range(9)
graphs = st.builds(
    lambda edges: {node: {b for a, b in edges if a == node and b != a} for node in NODES},
    st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=22),
)


def reached(graph: dict[int, set[int]], start: int) -> set[int]:
    found: set[int] = set()
    waiting = list(graph[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += graph[node]
    return found


@given(graphs)
def test_a_component_is_what_leads_to_each_other(graph: dict[int, set[int]]) -> None:
    components = strongly_connected(graph)
    assert sorted(node for members in components for node in members) == list(NODES)
    home = {node: at for at, members in enumerate(components) for node in members}
    for a in NODES:
        for b in NODES:
            together = a == b or (b in reached(graph, a) and a in reached(graph, b))
            assert (home[a] == home[b]) == together


@given(graphs)
def test_a_component_comes_after_what_it_points_to(graph: dict[int, set[int]]) -> None:
    home = {node: at for at, each in enumerate(strongly_connected(graph)) for node in each}
    assert all(home[b] <= home[a] for a in NODES for b in graph[a])


@given(graphs)
def test_reach_is_the_share_of_others_that_lead_here(graph: dict[int, set[int]]) -> None:
    reach = reverse_reach(graph)
    for node in NODES:
        leading = [other for other in NODES if other != node and node in reached(graph, other)]
        assert reach[node] == len(leading) / (len(NODES) - 1)


@given(graphs)
def test_a_layer_stands_on_what_is_imported(graph: dict[int, set[int]]) -> None:
    height = layers(graph)
    for a in NODES:
        below = {b for b in graph[a] if a not in reached(graph, b)}
        assert all(height[a] > height[b] for b in below)
        if not graph[a]:
            assert height[a] == 0


def test_cycles_are_named_largest_first() -> None:
    graph = {"a": {"b"}, "b": {"a"}, "x": {"y"}, "y": {"z"}, "z": {"x"}, "lone": {"a"}}
    assert cycles(graph) == (("x", "y", "z"), ("a", "b"))


def test_the_reach_of_a_lonely_module_is_not_known() -> None:
    assert reverse_reach({"a": set()}) == {"a": None}
    assert reverse_reach({}) == {}


def test_a_long_chain_needs_no_recursion() -> None:
    graph = {at: {at + 1} for at in range(5000)} | {5000: set()}
    assert layers(graph)[0] == 5000
    assert reverse_reach(graph)[5000] == 1.0
