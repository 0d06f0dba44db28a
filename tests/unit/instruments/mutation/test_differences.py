import difflib
from pathlib import Path

import pytest

from reverie.instruments.mutation.mutant_texts import changed_source, diff_of, source_of
from reverie.model.measurements.suite import Mutant

LINES = [f"line_{number} = {number}" for number in range(1, 13)]


def mutant(source: str, text: str, replacement: str) -> Mutant:
    start = source.index(text)
    where = {"first_line": 1, "last_line": 1, "start": start, "end": start + len(text)}
    return Mutant(
        "id", "m.py", 1, "any", "<module>", None, replacement=replacement, number=0, **where
    )


@pytest.mark.parametrize("source", ["\n".join(LINES), "\n" + "\n".join(LINES) + "\n"])
@pytest.mark.parametrize(
    ("text", "replacement"),
    [
        ("line_1 = 1", "x"),
        ("line_2 = 2", "x\ny\nz"),
        ("line_6 = 6\nline_7 = 7\nline_8 = 8", "line_6 = 6\nother\nline_8 = 8"),
        ("line_12 = 12", "line_12 = 13"),
    ],
)
def test_a_difference_is_that_of_the_whole_file(
    tmp_path: Path, source: str, text: str, replacement: str
) -> None:
    Path(tmp_path, "m.py").write_text(source)
    source_of.cache_clear()
    chosen = mutant(source, text, replacement)
    after = changed_source(str(tmp_path), chosen).splitlines()
    whole = difflib.unified_diff(source.splitlines(), after, "a/m.py", "b/m.py", n=2, lineterm="")
    assert diff_of(str(tmp_path), chosen) == "\n".join(whole)
