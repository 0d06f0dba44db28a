"""New tests are scored by what the repository says of the modules that they import."""

from pathlib import Path

from reverie.model.change import Change, FileEdit
from reverie.trials.findings import Findings
from reverie.trials.keepability import keepability_of, note_keeping

MODULE = """def greeting(name: str) -> str:
    return f"Good morning, {name}"
"""
OLD = """from shop.words import greeting

def test_greeting_is_polite():
    assert greeting("Ada Lovelace") == "Good morning, Ada Lovelace"
"""
NEW = """
def test_greeting_names_the_guest():
    assert greeting("Ada Lovelace").endswith("Ada Lovelace")

class TestGreeting:
    def test_greeting_in_other_cases(self):
        assert greeting([3, -1, 7]) != "q#!"  # type: ignore[arg-type]
"""
PATH = "tests/test_words.py"
GOOD, POOR = (
    f"{PATH}::test_greeting_names_the_guest",
    f"{PATH}::TestGreeting::test_greeting_in_other_cases",
)


def laid_out(folder: Path) -> Change:
    for path, text in {"src/shop/words.py": MODULE, PATH: OLD}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Change((FileEdit(PATH, OLD, OLD + NEW, None, "100644", "100644"),))


def test_only_tests_that_are_new_are_scored(tmp_path: Path) -> None:
    scores = keepability_of(laid_out(tmp_path), tmp_path)
    assert list(scores) == [GOOD, POOR]
    assert scores[GOOD].score > 0.6 > 0.2 > scores[POOR].score


def test_those_below_the_bar_are_named(tmp_path: Path) -> None:
    found = Findings()
    note_keeping(found, laid_out(tmp_path), tmp_path, 0.3)
    assert found.measures["tests.unkeepable"] == 1
    assert found.details["tests.unkeepable"] == (POOR,)
    assert found.measures["tests.keepability"] < 0.2
    assert 0.8 < found.measures["tests.rework"] < 1.4


def test_without_a_bar_none_is_below_it(tmp_path: Path) -> None:
    found = Findings()
    note_keeping(found, laid_out(tmp_path), tmp_path, 0.0)
    assert found.measures["tests.unkeepable"] == 0


def test_a_change_without_tests_has_none_below_the_bar_and_no_score(tmp_path: Path) -> None:
    found = Findings()
    note_keeping(found, Change((FileEdit("a.py", None, "x = 1\n"),)), tmp_path, 0.3)
    assert found.measures == {"tests.unkeepable": 0}
