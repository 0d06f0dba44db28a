from reverie.dreamers.optimise.variants import imagine_variants, reached_functions
from reverie.dreamers.rewriting.source import Source

TEXT = '''\
"""A queue and a list that grows."""


def neighbours(links: dict[int, list[int]], node: int) -> list[int]:
    return links.get(node, [])


def order(links: dict[int, list[int]], start: int) -> list[int]:
    """Breadth first."""
    found = []  # in order
    queue = [start]
    queued = [start]
    while queue:
        node = queue.pop(0)
        found.append(node)
        for other in neighbours(links, node):
            if other not in queued:
                queued.append(other)
                queue.append(other)
    return found


def unused() -> None:
    pass
'''


def test_rewrites_are_combined() -> None:
    patterns = {each.pattern for each in imagine_variants(TEXT, "order")}
    assert {"pop_front", "growing_list_with_set", "growing_list_with_set+pop_front"} <= patterns


def test_comments_and_the_rest_of_the_module_stay() -> None:
    for variant in imagine_variants(TEXT, "order"):
        assert "found = []  # in order" in variant.source
        assert variant.source.endswith("def unused() -> None:\n    pass\n")


def test_only_what_the_entry_reaches_is_looked_at() -> None:
    assert set(reached_functions(Source(TEXT).tree, "order")) == {"order", "neighbours"}
    assert reached_functions(Source(TEXT).tree, "nobody") == {}


def test_the_same_question_has_the_same_variants() -> None:
    assert imagine_variants(TEXT, "order") == imagine_variants(TEXT, "order")
