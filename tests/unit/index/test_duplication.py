import random

from hypothesis import given
from hypothesis import strategies as st

from reverie.index.duplication import duplicated_lines, find_duplicates, winnow
from reverie.model.repository.quality import Block

BODY = "".join(
    f"    if {name} > limit and not {name}.done:\n        total += {name} * factor - {n}\n"
    for n, name in enumerate(["apple", "berry", "cherry", "date", "elder"])
)


def function(name: str, body: str = BODY) -> str:
    return f"def {name}(limit, factor):\n    total = 0\n{body}    return total\n"


def filler(seed: int, lines: int = 30) -> str:
    """Statements that no other seed has."""
    chance = random.Random(seed)
    words = ["+", "-", "*", "//", "%", "|", "&", "^"]
    return "".join(
        f"x = {' '.join(f'{chance.randrange(10**6)} {chance.choice(words)}' for _ in range(6))} 1\n"
        for _ in range(lines)
    )


def test_a_copied_function_is_found_with_its_lines() -> None:
    first = filler(1) + function("f") + filler(2)
    second = filler(3, 7) + function("f")
    (found,) = find_duplicates({"a.py": first.encode(), "b.py": second.encode()}, 60)
    assert found.first == Block("a.py", 31, 43)
    assert found.second == Block("b.py", 8, 20)


def test_new_names_and_comments_do_not_hide_a_copy() -> None:
    disguised = function("g").replace("apple", "fig").replace("limit", "bound")
    disguised = disguised.replace("total = 0\n", "total = 0  # nothing yet\n\n\n")
    sources = {"a.py": function("f").encode(), "b.py": disguised.encode()}
    assert len(find_duplicates(sources, 60)) == 1


def test_other_operators_and_numbers_do() -> None:
    other = BODY.replace("> limit", "< limit").replace("+=", "-=").replace("* factor", "/ factor")
    sources = {"a.py": function("f").encode(), "b.py": function("f", other).encode()}
    assert find_duplicates(sources, 60) == ()


def test_a_copy_within_one_file_is_found_once_and_not_with_itself() -> None:
    source = function("f") + filler(1) + function("g")
    (found,) = find_duplicates({"a.py": source.encode()}, 60)
    assert (found.first.last_line, found.second.first_line) == (13, 44)


def test_a_table_is_no_duplicate_of_itself_or_of_another() -> None:
    rows = "".join(f"    ast.Node{n}: visit_{n},\n" for n in range(60))
    table = f"TABLE = {{\n{rows}}}\n"
    sources = {"a.py": table.encode(), "b.py": ("x = 1\n" + table).encode()}
    assert find_duplicates(sources, 60) == ()


def test_imports_docstrings_and_decorators_are_no_duplicates() -> None:
    text = (
        "import os\nfrom a import (\n" + "    b,\n" * 100 + ")\n" + '"""' + "word " * 200 + '"""\n'
    )
    assert find_duplicates({"a.py": text.encode(), "b.py": text.encode()}, 20) == ()


def test_a_short_repetition_is_none() -> None:
    sources = {"a.py": b"x = f(1)\n", "b.py": b"x = f(1)\n"}
    assert find_duplicates(sources, 20) == ()


def test_what_cannot_be_read_stops_nothing() -> None:
    broken = {"bad.py": b"def f(:\n  '''", "odd.py": b"\xff\xfe\0", "huge.py": b"x = 1\n" * 400_000}
    sources = {**broken, "a.py": function("f").encode(), "b.py": function("f").encode()}
    assert len(find_duplicates(sources, 60)) == 1


def test_many_copies_are_all_known() -> None:
    sources = {f"{n:02}.py": function("f").encode() for n in range(40)}
    assert set(duplicated_lines(find_duplicates(sources, 60))) == set(sources)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 10**6))
def test_a_repetition_as_long_as_asked_is_found_wherever_it_stands(
    before: int, after: int, seed: int
) -> None:
    copied = filler(-1 - seed, 6)
    sources = {
        "a.py": (filler(seed, before) + copied + filler(seed + 1, 3)).encode(),
        "b.py": (filler(seed + 2, after) + copied + filler(seed + 3, 3)).encode(),
    }
    found = find_duplicates(sources, 60)
    assert any(
        each.first.first_line <= before + 1 and each.first.last_line >= before + 6 for each in found
    )


@given(st.lists(st.integers(0, 50), max_size=60), st.integers(1, 12))
def test_every_window_keeps_one_of_its_smallest(hashes: list[int], window: int) -> None:
    kept = list(winnow(hashes, window))
    assert all(hashes[position] == value for position, value in kept)
    positions = [position for position, _ in kept]
    assert positions == sorted(set(positions))
    for start in range(len(hashes) - window + 1):
        inside = [at for at in positions if start <= at < start + window]
        assert min(hashes[start : start + window]) in {hashes[at] for at in inside}
