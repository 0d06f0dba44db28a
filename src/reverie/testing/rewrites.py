"""The contract every rewrite must pass. Subclass it and provide a `file` fixture.

    class TestMine(RewriteContract):
        @pytest.fixture
        def file(self):
            return files("my_package") / "rewrites.toml"

`complaints_about` says the same without pytest.
"""

from typing import Any

import pytest

from reverie.dreamers.refactor.proposals import functions_of
from reverie.dreamers.refactor.refactoring import Elsewhere, Place
from reverie.dreamers.rewriting.catalogue import entries_of, propose_entry
from reverie.dreamers.rewriting.questions import QUESTIONS
from reverie.dreamers.rewriting.source import Source
from reverie.syntax.matching import holes_in
from reverie.syntax.parsing import parse_module
from reverie.syntax.rewrite_files import Entry, Pair


def proposed(entry: Entry, text: str) -> list[str | None]:
    """The texts that a rewrite makes of a module; None for what is no Python."""
    source = Source(text)
    return [
        source.applied(edits)
        for name, function in functions_of(source.tree).items()
        for edits in propose_entry(entry, Place(source, function, name, Elsewhere()))
    ]


def complaints_about(entry: Entry) -> list[str]:
    """What a rewrite does not keep to, a sentence each."""
    return [*_unknown_words(entry), *_example(entry), *_counterexamples(entry)]


def _unknown_words(entry: Entry) -> list[str]:
    found = []
    for pair in entry.pairs:
        for each in (pair, *pair.uses):
            known = _known_holes(each) | (_known_holes(pair) if each is not pair else set())
            asked = [*each.where, *(c for _, c in each.let), *(c for _, c in each.above)]
            for condition in asked:
                questions, holes = condition.names()
                found += [f"no question {name!r}" for name in sorted(questions - QUESTIONS.keys())]
                found += [f"no hole {name!r} to ask about" for name in sorted(holes - known)]
            written = "\n".join([each.after or "", each.below, *(text for text, _ in each.above)])
            found += [f"nothing fills ${name}" for name in sorted(holes_in(written) - known)]
    return found


def _known_holes(pair: Pair) -> set[str]:
    worked_out = {name for name, _ in (*pair.let, *pair.fresh)}
    return {"whole", *holes_in(pair.pattern.text), *worked_out}


def _example(entry: Entry) -> list[str]:
    for which, text in (("before", entry.before), ("after", entry.after)):
        try:
            parse_module(text)
        except SyntaxError as error:
            return [f"example.{which} is no Python: {error.msg}"]
    made, again = proposed(entry, entry.before), proposed(entry, entry.after)
    found = [] if entry.after in made else ["it does not make example.after of example.before"]
    found += ["what it makes of its example is no Python"] if None in made else []
    found += ["it has something to say about its own result"] if again else []
    return found


def _counterexamples(entry: Entry) -> list[str]:
    if not entry.silent:
        return ["`silent` names no source that it has to leave alone"]
    return [
        f"it does not leave alone what it has to:\n{text}"
        for text in entry.silent
        if proposed(entry, text)
    ]


class RewriteContract:
    """Shipped, so that rewrites written elsewhere are held to the same rules."""

    @pytest.fixture
    def file(self) -> Any:
        raise NotImplementedError("provide the file of rewrites, or the rewrites, under test")

    def test_every_rewrite_does_what_it_says_and_no_more(self, file: Any) -> None:
        entries = entries_of(file, "file")
        assert entries
        assert [
            (each.name, complaints_about(each)) for each in entries if complaints_about(each)
        ] == []

    def test_names_are_told_apart(self, file: Any) -> None:
        names = [each.name for each in entries_of(file, "file")]
        assert len(set(names)) == len(names)
