"""Source as gates read it, and which gates stand before each stage."""

import ast

import pytest

from reverie.gates.judge import (
    GUARDRAILS,
    PROOFS,
    judge,
    judge_callable,
    judge_statically,
    needs_of,
)
from reverie.gates.python import imported_names, origin_of, parse, same
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling, Verdict
from reverie.model.settings.judgement import GuardSection
from reverie.syntax.nodes import dotted, functions

from .matters import edit, matter, production


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def test_a_file_is_read_with_its_path_and_text() -> None:
    found = parse("a.py", "x = 1\n\ny = 2\n")
    assert found is not None
    assert (found.path, found.text) == ("a.py", "x = 1\n\ny = 2\n")
    assert found.place(found.tree.body[1]) == "a.py:3"
    assert found.place(found.tree) == "a.py:1"


@pytest.mark.parametrize("text", [None, "def f(:\n", "a = 1\0", "(" * 10_000])
def test_what_python_cannot_read_is_none(text: str | None) -> None:
    assert parse("a.py", text) is None


def test_reading_warns_nobody() -> None:
    assert parse("a.py", "a = '\\d'\nb = 1 is 1\n") is not None
    assert parse("a.py", "") is not None


@pytest.mark.parametrize(
    ("text", "name"),
    [("a", "a"), ("a.b", "a.b"), ("a.b.c", "a.b.c"), ("f().b", ""), ("a[0].b", ""), ("1", "")],
)
def test_a_dotted_name(text: str, name: str) -> None:
    assert dotted(expression(text)) == name


def test_no_node_has_no_name() -> None:
    assert dotted(None) == origin_of(None, {}) == ""


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import a", {"a": "a"}), ("import a.b", {"a": "a"}), ("import a.b as c", {"c": "a.b"}),
        ("import a as b, c", {"b": "a", "c": "c"}), ("from a import b", {"b": "a.b"}),
        ("from a.b import c as d", {"d": "a.b.c"}), ("from . import a", {"a": ".a"}),
        ("from .. import a", {"a": "..a"}), ("from .a import b", {"b": ".a.b"}),
        ("def f():\n    import a", {"a": "a"}), ("a = 1", {}),
    ],
)  # fmt: skip
def test_names_that_imports_bind(line: str, names: dict[str, str]) -> None:
    assert imported_names(ast.parse(line)) == names


@pytest.mark.parametrize(
    ("text", "origin"),
    [("a", "os"), ("a.b", "os.b"), ("a.b.c", "os.b.c"), ("x.y", "x.y"), ("x", "x"), ("f().a", "")],
)
def test_what_a_name_stands_for(text: str, origin: str) -> None:
    assert origin_of(expression(text), {"a": "os"}) == origin


def test_functions_by_their_dotted_names() -> None:
    text = (
        "def a(): \n    def inner(): ...\n"
        "class C:\n    def b(self): ...\n    class D:\n        async def c(self): ...\n"
        "if x:\n    def d(): ...\ntry:\n    def e(): ...\nfinally:\n    def f(): ...\n"
        "with x:\n    def g(): ...\nfor x in y:\n    def h(): ...\n"
    )
    names = [name for name, _ in functions(ast.parse(text))]
    assert names == ["a", "C.b", "C.D.c", "d", "e", "f", "g"]
    assert [name for name, _ in functions(ast.parse("def a(): ..."), "x.")] == ["x.a"]


def test_layout_makes_no_difference() -> None:
    assert same(expression("f( 1,2 )"), expression("f(1, 2)"))
    assert not same(expression("f(1)"), expression("f(2)"))


NAMES = {
    Stage.A: "paths size baseline kept oracle honesty test_reach chance",
    Stage.B: "paths size baseline errors reach surface state complexity examples",
    Stage.C: "paths size baseline errors reach surface state complexity examples",
    Stage.INTEGRATION: "paths size baseline kept oracle honesty test_reach chance front errors reach"
    " state",
    Stage.STUBS: "paths size baseline kept oracle honesty test_reach chance filling errors reach state",
}
PROVEN = {
    Stage.A: "stability worth mutation ratchet keeping",
    Stage.B: "suite watch equivalence effects mutation ratchet",
    Stage.C: "suite watch equivalence effects mutation ratchet speed memory",
    Stage.INTEGRATION: "stability worth mutation ratchet integration effects",
    Stage.STUBS: "stability worth mutation ratchet shown effects",
}
PLAIN = ("def f(a):\n    x = a\n    return x\n", "def f(a):\n    return a\n")
BAD = ("def f(a):\n    return a\n", "def f(a):\n    return eval(a)\n")


def test_which_gates_stand_before_each_stage() -> None:
    assert {s: " ".join(g.name for g in gates) for s, gates in GUARDRAILS.items()} == NAMES
    assert {s: " ".join(g.name for g in gates) for s, gates in PROOFS.items()} == PROVEN


@pytest.mark.parametrize("stage", [Stage.B, Stage.C])
def test_guardrails_come_first_and_what_they_refuse_needs_no_proof(stage: Stage) -> None:
    static = judge_statically(production(*PLAIN, stage))
    assert [each.gate for each in static] == NAMES[stage].split()
    whole = judge(production(*PLAIN, stage))
    gates = list(dict.fromkeys(each.gate for each in whole.rulings))
    assert gates == [*NAMES[stage].split(), *PROVEN[stage].split()]
    assert whole.verdict is Verdict.BORDERLINE
    refused = judge(production(*BAD, stage))
    assert [each.gate for each in refused.rulings] == NAMES[stage].split()
    assert refused.verdict is Verdict.REJECT


@pytest.mark.parametrize(
    ("stage", "proofs"),
    [
        (Stage.B, ["equivalence", "effects"]),
        (Stage.C, ["equivalence", "effects", "speed", "memory"]),
    ],
)
def test_a_callable_alone_owes_the_tests_of_its_repository(stage: Stage, proofs: list[str]) -> None:
    found = judge_callable(production(*PLAIN, stage))
    assert [each.gate for each in found.rulings] == [*NAMES[stage].split(), *proofs]
    assert str(found.needs[0]) == "the tests of its repository (reverie guard)"
    assert found.needs[1:] == needs_of(production(*PLAIN, stage))
    refused = judge_callable(production(*BAD, stage))
    assert [each.gate for each in refused.rulings] == NAMES[stage].split()


def test_people_owe_everything_at_stage_c() -> None:
    section = GuardSection(approvals=3)
    change = edit("src/a.py", "", "a = 1\n")
    assert tuple(map(str, needs_of(matter(change, stage=Stage.C, section=section)))) == (
        "3 approvals by different people, none of them the author",
        "a decision record (ADR)", "a canary plan", "a tested rollback",
    )  # fmt: skip
    for stage in (Stage.A, Stage.B, Stage.D, Stage.INTEGRATION):
        assert needs_of(matter(change, stage=stage)) == ()


def test_a_finding_is_never_promoted() -> None:
    found = judge(matter(edit("src/a.py", "", "a = 1\n"), stage=Stage.D))
    said = "a finding is for people to read; it is never promoted"
    assert found.rulings == (Ruling("stage", Answer.FAIL, "never_promoted", said, "D"),)
    assert judge_statically(matter(edit("src/a.py", "", "a = 1\n"), stage=Stage.D)) == ()


def test_where_a_proof_fails_what_was_not_measured_is_no_doubt() -> None:
    measured = {
        "equivalence.callables": 1.0,
        "equivalence.different": 1.0,
        "equivalence.equivalent": 0.0,
    }
    asked = matter(edit("src/shop/stock.py", *PLAIN), stage=Stage.C, measures=measured)
    for found in (judge(asked), judge_callable(asked)):
        codes = [each.reason_code for each in found.rulings if each.verdict is not Answer.PASS]
        assert codes == ["behaviour_changed"]


def test_a_judgement_carries_what_people_owe() -> None:
    assert judge(production(*PLAIN, Stage.C)).needs == needs_of(production(*PLAIN, Stage.C))
    assert judge(production(*PLAIN, Stage.B)).needs == ()


def test_a_callable_of_a_stage_without_proofs_is_judged_by_its_guardrails() -> None:
    asked = matter(edit("tests/test_a.py", None, "a = 1\n"), stage=Stage.A)
    assert [each.gate for each in judge_callable(asked).rulings] == NAMES[Stage.A].split()
