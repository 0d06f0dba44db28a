"""What is read from strangers is read whatever it says."""

import json
from keyword import iskeyword
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reverie.model.outcome import ErrorCategory
from reverie.sandbox.encode import find_entry
from reverie.trials.dream_sandbox import first_lines
from reverie.trials.fixes import suggest_fix
from reverie.workflows.answers import Files, files_claimed, first_difference

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    max_leaves=20,
)
NAMES = st.from_regex(r"[a-z]{1,8}", fullmatch=True).filter(lambda name: not iskeyword(name))


@given(st.text(), st.lists(NAMES))
def test_any_text_has_an_entry_or_none(code: str, names: list[str]) -> None:
    assert find_entry(code, names) is None


@given(st.lists(NAMES, min_size=1, unique=True), st.lists(NAMES, unique=True))
def test_the_entry_is_always_one_of_the_functions(functions: list[str], names: list[str]) -> None:
    code = "\n".join(f"def {name}_f({', '.join(names)}): ..." for name in functions)
    assert find_entry(code, names) == f"{functions[-1]}_f"


@given(st.sampled_from(list(ErrorCategory)), st.text())
def test_any_message_has_a_fix_or_none(category: ErrorCategory, message: str) -> None:
    found = suggest_fix(category, message)
    assert found is None or found.evidence.split()[0] in message


@given(st.text(alphabet="a\n"), st.integers(1, 5))
def test_an_excerpt_is_short_and_honest(text: str, most: int) -> None:
    excerpt = first_lines(text, most)
    if excerpt.is_cut:
        assert excerpt.text.count("\n") == most + 1
        assert text.startswith("\n".join(excerpt.text.split("\n")[:most]))
    else:
        assert excerpt.text == text


@given(PLAIN)
def test_nothing_differs_from_itself_after_a_journey(value: Any) -> None:
    assert first_difference(value, json.loads(json.dumps(value))) is None


@given(PLAIN, PLAIN)
def test_values_without_a_difference_are_equal(first: Any, second: Any) -> None:
    second = json.loads(json.dumps(second))
    if first_difference(first, second) is None:
        assert json.loads(json.dumps(first)) == second


@given(st.dictionaries(NAMES, st.binary()), st.lists(NAMES))
def test_files_come_back_as_they_went(contents: dict[str, bytes], folders: list[str]) -> None:
    files = Files(contents, tuple(folders))
    assert files_claimed(json.loads(json.dumps(files.document()))) == files


@given(st.dictionaries(st.text(), PLAIN))
def test_any_claim_is_read(claim: dict[str, Any]) -> None:
    files_claimed(claim)
    files_claimed({"files": claim, "folders": list(claim)})
