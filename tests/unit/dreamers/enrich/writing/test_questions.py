"""Stories are told without lines that only ask something."""

import ast

from tests.unit.dreamers.enrich.writing.scenarios import NOTHING, call, make, scenario, value

from reverie.dreamers.enrich.writing.selecting.manual import manual_of
from reverie.dreamers.enrich.writing.selecting.threads import Questions

MODULE = """
class Cache:
    def put(self, key):
        self._items.append(key)

    def refill(self):
        self.put("a")

    def size(self):
        return len(self._items)
"""
QUESTIONS = Questions(manual_of(ast.parse(MODULE)).functions)


def test_a_question_is_the_end_of_a_story_of_its_own() -> None:
    story = scenario(
        (make("Cache()", "cache"), NOTHING),
        (call("cache.size()", "Cache.size"), value("0", "builtins.int")),
        (call("cache.refill()", "Cache.refill"), NOTHING),
        (call("cache.size()", "Cache.size"), value("1", "builtins.int")),
    )
    told = [[step.line.source for step in each.steps] for each in QUESTIONS.apart(story)]
    assert told == [
        ["Cache()", "cache.size()"],
        ["Cache()", "cache.refill()", "cache.size()"],
    ]


def test_what_changes_something_stays() -> None:
    story = scenario(
        (make("Cache()", "cache"), NOTHING),
        (call("cache.put('a')", "Cache.put"), NOTHING),
        (call("cache.put('b')", "Cache.put"), NOTHING),
    )
    assert list(QUESTIONS.apart(story)) == [story]
