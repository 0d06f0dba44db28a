"""Facts about use, written down and read again."""

import ast

import pytest

from reverie.index.orphans.source import FORMAT, decode_source, encode_source, facts_of

SOURCE = """#!/usr/bin/env python
\"\"\"Deprecated: use another.\"\"\"
import importlib, sys
sys.path.append("x")
def load(name):
    return importlib.import_module(f"app.{name}")
print(load("\\ud800"))
"""


def test_facts_come_back_as_they_were() -> None:
    facts = facts_of(SOURCE, ast.parse(SOURCE))
    assert all((facts.mentions, facts.signs, facts.fingerprint.marks))
    assert decode_source(encode_source(facts)) == facts


def test_facts_of_another_format_are_not_used() -> None:
    facts = facts_of("x = 1\n", ast.parse("x = 1\n"))
    assert decode_source(encode_source(facts).replace(FORMAT, "0/3.0/big")) is None


@pytest.mark.parametrize("text", ["{", "[]", "7", f'["{FORMAT}"]'])
def test_what_nobody_wrote_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        decode_source(text)
