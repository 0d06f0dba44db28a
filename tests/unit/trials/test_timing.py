"""What of a change is timed, and with which calls."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reverie.instruments.benchmark.rounds import Comparison
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.model.call import Call, Expression
from reverie.model.change import FileEdit
from reverie.model.measurements.benchmark import SpeedJudgement, SpeedVerdict
from reverie.trials import timing
from reverie.trials.changed import changed_code

BEFORE = """
class Cart:
    @property
    def total(self):
        return sum([x for x in self.items])

def _sum(values):
    return sum([x for x in values])

def price(values):
    return _sum(values)
"""


def edit(after: str, before: str = BEFORE) -> FileEdit:
    return FileEdit("shop.py", before, after, mode_before="100644", mode_after="100644")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("sum([x for x in values])", "sum(values)", ("_sum",), id="also a private one"),
        pytest.param(
            "sum([x for x in self.items])", "sum(self.items)", ("Cart.total",), id="method"
        ),
        pytest.param("def _sum", "LIMIT = 3\ndef _sum", (), id="nothing that a function shows"),
    ],
)
def test_what_is_rewritten_is_timed(old: str, new: str, expected: tuple[str, ...]) -> None:
    change = edit(BEFORE.replace(old, new))
    assert timing._timed(change, changed_code(change.before or "", change.after or "")) == expected


def test_the_same_steps_under_other_names_need_not_be_timed_beside_what_is_faster() -> None:
    renamed = BEFORE.replace("sum([x for x in self.items])", "sum([y for y in self.items])")
    both = edit(renamed.replace("sum([x for x in values])", "sum(values)"))
    for change, expected in ((both, ("_sum",)), (edit(renamed), ("Cart.total",))):
        code = changed_code(change.before or "", change.after or "")
        assert not code.is_same
        assert timing._timed(change, code) == expected


def test_the_function_of_a_property_is_reached_through_it() -> None:
    assert timing._inside(edit(BEFORE), "Cart.total") == ".fget"
    assert timing._inside(edit(BEFORE), "price") == ""


def test_a_call_that_the_new_text_knows_by_heart_is_told() -> None:
    change = edit(BEFORE.replace("return _sum", "if values == 'lemons': return 3\n    return _sum"))
    assert timing._is_known(Call((Expression("'lemons'"),)), change)
    assert not timing._is_known(Call((Expression("'pears'"),)), change)
    assert not timing._is_known(Call((Expression("'lemons'"),)), edit(BEFORE))


@pytest.mark.parametrize(
    ("file", "module"), [("shop.py", "shop"), ("src/shop/__init__.py", "shop"), ("a/b.py", "a.b")]
)
def test_a_module_is_found_in_its_repository(tmp_path: Path, file: str, module: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("", "utf-8")
    assert timing._file_of(tmp_path, module) == file
    assert timing._file_of(tmp_path, "json") is None


@pytest.mark.parametrize(
    ("grown", "usual", "growth", "expected"),
    [
        ("faster", "slower", (1.0, 1.0), "slower"),
        ("faster", "slower", (2.0, 1.1), "faster"),
        ("faster", "no_difference", (1.0, 1.0), "faster"),
        ("faster", None, (1.0, 1.0), "faster"),
        ("no_difference", "faster", (1.0, 1.0), "faster"),
        ("slower", "faster", (2.0, 1.0), "slower"),
    ],
)
def test_what_is_faster_with_many_items_is_not_slower_with_those_of_the_tests(
    monkeypatch: pytest.MonkeyPatch,
    grown: str,
    usual: str | None,
    growth: tuple[float, float],
    expected: str,
) -> None:
    old, new = (SimpleNamespace(value=each) for each in growth)

    def found(word: str | None) -> Any:
        judged = SimpleNamespace(verdict=word and SpeedVerdict(word), reason_code=word)
        return (
            None
            if word is None
            else SimpleNamespace(judgement=judged, growth=SimpleNamespace(old=old, new=new))
        )

    for name in ("_users", "_enlarged", "_callers"):
        monkeypatch.setattr(timing._Watch, name, lambda *_: None)
    monkeypatch.setattr(timing._Watch, "_itself", lambda *_: found(grown))
    asked: list[Any] = []
    monkeypatch.setattr(timing._Watch, "_recorded", lambda *_: asked.append(usual) or found(usual))
    watch: Any = timing._Watch(None, None)  # type: ignore[arg-type]
    assert watch.judged(edit(BEFORE), "price", 1).judgement.verdict == SpeedVerdict(expected)
    # Where time grows less, nothing that the tests call could speak against it.
    assert not (asked and growth[0] - growth[1] > 0.5)


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (Inputs(sources=("_given(3)",), is_fixed=True), "p50 2.00x, as the tests call it"),
        (
            Inputs(sources=("_given(__import__('nx', fromlist=['_']).path(n))",)),
            "p50 2.00x, on total(nx.path(n)), n = 25",
        ),
    ],
)
def test_a_gain_is_told_with_the_calls_that_show_it(
    tmp_path: Path, inputs: Inputs, expected: str
) -> None:
    (tmp_path / "shop.py").write_text(BEFORE, "utf-8")
    target = parse_target(f"{tmp_path}/shop.py:Cart.total")
    judged = SpeedJudgement(SpeedVerdict.FASTER, "faster", "p50 2.00x", None, 1, None)
    comparison = Comparison(target, target, inputs, 25, 0)
    assert timing._on_what(judged, comparison).reason == expected
