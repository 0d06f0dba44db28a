"""Mangled sources never crash the index, and facts survive their way through the journal."""

import ast
import random
import sysconfig
from pathlib import Path

from benchmarks.index.mangling import mangled
from hypothesis import given
from hypothesis import strategies as st

from reverie.index.reading import read_bytes
from reverie.index.remembering.encoding import decode_facts, encode_facts, encode_imports
from reverie.index.search.ranking import question_shape
from reverie.index.search.symbols import normal_type, symbols_of

STDLIB = Path(sysconfig.get_path("stdlib"))
SOURCES = [(STDLIB / f"{name}.py").read_bytes() for name in ("bisect", "keyword", "types")]


def test_mangled_files_have_an_error_or_facts() -> None:
    chance = random.Random(8)
    errors = 0
    for number in range(300):
        raw = mangled(SOURCES, chance, number)
        facts = read_bytes(raw, is_test=number % 2 == 0)
        errors += facts.error is not None
        assert decode_facts(encode_facts(facts), encode_imports(facts)) == facts
    assert 100 < errors < 300


@given(st.binary(max_size=200))
def test_any_bytes_are_a_file(raw: bytes) -> None:
    facts = read_bytes(raw)
    symbols_of(facts)
    try:
        ast.parse(raw)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        assert facts.error
    else:
        assert facts.error is None


@given(st.text(max_size=80))
def test_any_text_is_a_type_or_a_question(text: str) -> None:
    assert ";" not in normal_type(text)
    question_shape(text)
