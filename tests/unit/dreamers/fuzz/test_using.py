"""Laws of protocols, edits, accidents and models; claims about uses are read with suspicion."""

import copy
import runpy
import sys
from pathlib import Path

import pytest

from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.fuzz.claims.subjects import read_module
from reverie.dreamers.fuzz.inside.accidents import accident_of
from reverie.dreamers.fuzz.inside.edits import BRINK, EMPTY, EQUAL, NORMAL, SPELLED, edits_of
from reverie.dreamers.fuzz.inside.models import model_of, uses_for
from reverie.dreamers.fuzz.inside.prelude import agree, errors_of, same, stray_raises
from reverie.dreamers.fuzz.inside.protocols import ProtocolLaw, laws_for
from reverie.dreamers.fuzz.using import Shown, discoveries, misplaced_raises, protocols

LAWS = {name: ProtocolLaw(name, told) for name, told in protocols().items()}


def kinds(asked: str, kind: str) -> list[str]:
    return [each.source[-1] for each in edits_of([], asked) if each.kind == kind]


def test_a_number_is_also_given_as_a_fraction_and_spelled() -> None:
    assert kinds("f(3)", EQUAL) == ["f(3.0)"]
    assert kinds("f(3)", SPELLED) == ["f('3')"]


def test_all_texts_are_put_into_another_form_together() -> None:
    assert kinds("f('é', table={'é': 1})", NORMAL) == ["f('e\u0301', table={'e\u0301': 1})"]


def test_displays_are_emptied_and_parts_of_numbers_left_alone() -> None:
    assert kinds("f([1, 2])", EMPTY) == ["f([])"]
    assert [*edits_of([], "f(10 ** 3)")] == []
    assert [*edits_of([], "f(x[0])")] == []


def test_just_below_a_larger_unit_has_one_more_beside_it() -> None:
    made = [each for each in edits_of([], "f(3000)") if each.kind == BRINK]
    assert made[0].source == ["f(999)"]
    assert made[0].next_source == ["f(1000)"]


class Row:
    """A sequence with a fault of choice."""

    def __init__(self, items: list[int], fault: str = "") -> None:
        self.items, self.fault = items, fault

    def __len__(self) -> int:
        return len(self.items) + (self.fault == "long")

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self.items)

    def __getitem__(self, at):  # type: ignore[no-untyped-def]
        if isinstance(at, slice):
            return self.items[at] if self.fault != "slices" else self.items[at.start : at.stop]
        if self.fault == "wraps":
            return self.items[at % len(self.items)]
        if self.fault == "zero" and not self.items[at]:
            raise IndexError("undefined")
        return self.items[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and self.items == other.items

    def __copy__(self):  # type: ignore[no-untyped-def]
        return list(self.items) if self.fault == "copy" else Row(self.items)


def is_held(law: ProtocolLaw, subject: object) -> bool:
    space = {"subject": subject, "copy": copy, "same": same, "errors_of": errors_of, "sys": sys}
    for each in law.steps:
        exec(each, space)  # noqa: S102
    assert eval(law.guard, space)
    try:
        return bool(eval(law.check, space))
    except IndexError:
        return False


@pytest.mark.parametrize(
    ("name", "fault"),
    [("length", "long"), ("slices", "slices"), ("beyond", "wraps"), ("places", "zero"),
     ("shallow", "copy")],
)  # fmt: skip
def test_a_law_of_a_protocol_is_broken_by_its_fault_alone(name: str, fault: str) -> None:
    assert LAWS[name] in laws_for(Row, [*LAWS.values()])
    assert is_held(LAWS[name], Row([0, 1, 2]))
    assert not is_held(LAWS[name], Row([0, 1, 2], fault))


class Question:
    """Comparing it makes another one."""

    def __eq__(self, other: object) -> "Question":  # type: ignore[override]
        return Question()

    def __bool__(self) -> bool:
        return False


@pytest.mark.parametrize("name", ["itself", "shallow", "deep"])
def test_what_builds_by_comparing_is_not_asked_whether_it_is_equal(name: str) -> None:
    assert not eval(LAWS[name].guard, {"subject": Question()})


class Text(str):
    """Made of text again."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> "Text":
        return cls(text)


def test_what_is_parsed_has_a_round_trip_to_keep() -> None:
    assert "round trip parse" in {each.name for each in laws_for(Text, [])}


class Forgetful(set):  # type: ignore[type-arg]
    """A set whose `update` takes only the first."""

    def update(self, *others: object) -> None:
        super().update(*others[:1])  # type: ignore[arg-type]


def test_a_set_is_held_beside_a_plain_one() -> None:
    subject = Forgetful({1, 2})
    model = model_of(subject)
    assert model == {1, 2}
    assert agree(Forgetful({1}), {1}, "update", {5})
    assert not agree(Forgetful({1}), {1}, "update", {5}, {6})
    assert ("add", (1,)) in uses_for(subject, model)
    assert model_of([1]) is None


def error_of(source: str, tmp_path: Path) -> Exception:
    path = tmp_path / "subject.py"
    path.write_text(f"def f(x):\n    {source}\n")
    try:
        runpy.run_path(str(path))["f"](None)
    except Exception as error:  # noqa: BLE001
        return error
    raise AssertionError("it works")


@pytest.mark.parametrize(
    ("source", "is_one"),
    [("return x.name", True), ("return later\n    later = 1", True),
     ("raise TypeError(\"'NoneType' object is not iterable\")", False), ("return [][0]", False),
     ("return format(1.5, '.f')", True)],
)  # fmt: skip
def test_only_errors_that_nobody_means_are_accidents(
    source: str, is_one: bool, tmp_path: Path
) -> None:
    assert accident_of(error_of(source, tmp_path), str(tmp_path), "other") is is_one


STRAY = """class Reader:
    def kind(self, word):
        if word == "a":
            return 1
        else:
            raise

    def tried(self, word):
        try:
            return self.kind(word)
        except KeyError:
            raise

    def told(self):
        raise
"""


def test_a_bare_raise_counts_outside_of_handlers_alone() -> None:
    assert stray_raises(STRAY) == ["Reader.kind", "Reader.told"]
    called = "def again():\n    raise\n\ntry:\n    pass\nexcept OSError:\n    again()\n"
    assert stray_raises(called) == []


def test_the_script_of_a_bare_raise_fails_until_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["repro.py"])
    path = tmp_path / "stray_reader.py"
    path.write_text(STRAY)
    target = find_target(str(path), tmp_path, None)
    claims = tuple(misplaced_raises(target, ("Reader",)))
    assert [each.where for each in claims] == ["Reader.kind", "Reader.told"]
    assert not [*misplaced_raises(target, ("Other",))]
    made, _ = next(discoveries(claims, target, read_module(STRAY, target.module)))
    main = runpy.run_path(str(_written(tmp_path, made.repro)))["main"]
    with pytest.raises(AssertionError):
        main()


def _written(folder: Path, text: str) -> Path:
    (folder / "repro.py").write_text(text)
    return folder / "repro.py"


@pytest.mark.parametrize("claim", [None, [], {"statements": ["x ="]}, {"check": "x = 1"}])
def test_a_claim_that_is_no_python_is_nothing(claim: object) -> None:
    assert Shown.read(claim) is None
