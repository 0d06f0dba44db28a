"""Where rewrites fit in a module, and what is worth combining."""

from reverie.dreamers.optimise.variants import fitting_rewrites, imagine_variants

TEXT = """\
class Shop:
    def unknown(self, known: list[str], asked: list[str]) -> list[str]:
        return [each for each in asked if each not in known]


def plain(x: int) -> int:
    return x + 1


def small(xs: list[int]) -> list[int]:
    out = []
    for x in xs:
        if x:
            out.append(x)
    return out
"""


def test_functions_and_methods_are_found_by_name_and_small_gains_are_not_told() -> None:
    found = fitting_rewrites(TEXT)
    assert {name: [each.name for each in rewrites] for name, rewrites in found.items()} == {
        "Shop.unknown": ["list_to_set"]
    }


def test_a_small_gain_is_tried_only_where_there_is_no_larger_one() -> None:
    assert [each.pattern for each in imagine_variants(TEXT, "small")] == ["bound_method"]
    text = TEXT.replace("if x:", "if x not in out:")
    patterns = [each.pattern for each in imagine_variants(text, "small")]
    assert "growing_list_with_set" in patterns
    assert not any("bound_method" in each for each in patterns)
