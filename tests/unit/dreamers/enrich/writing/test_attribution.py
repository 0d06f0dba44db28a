import ast
from dataclasses import replace

from tests.unit.dreamers.enrich.writing.scenarios import call, scenario, value

from reverie.dreamers.enrich.writing.selecting.attribution import attribution_of

MODULE = """
class Plain:
    def key(self):
        return 1

    def own(self):
        return 2


class Other:
    def key(self):
        return 3
"""


def test_a_line_is_about_the_method_that_ran() -> None:
    attribution = attribution_of(ast.parse(MODULE))
    seen = scenario(
        (call("read('a').key()", "Other.key"), value("1", "builtins.int")),
        (call("read('a').own()", "Plain.own"), value("2", "builtins.int")),
    )
    plain, other = frozenset({(3, 4)}), frozenset({(11, 12)})
    assert [each.callee for each in attribution.of(replace(seen, arcs=plain)).steps] == [
        "Plain.key",
        "Plain.own",
    ]
    assert attribution.of(replace(seen, arcs=other)).steps[0].callee == "Other.key"
    both = replace(seen, arcs=frozenset())
    assert attribution.of(both) is both
