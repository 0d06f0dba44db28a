from dataclasses import replace

from reverie.dreamers.optimise.race import Course, Finish, Race, sample_calls
from reverie.dreamers.optimise.variants import Variant

COURSE = Course("a.py", "a", ("/r",), "f", "make", "def make(n, seed):\n    return [nx.g(n)], {}\n")


def test_literals_are_read_and_nothing_else_is_believed() -> None:
    (call,) = sample_calls(("([1, 'a'], {'key': 2})", "__import__('os')", ""), COURSE)
    assert call.render("f") == "f(1, 'a', key=2)"


def test_what_cannot_be_written_is_made_anew_by_its_maker() -> None:
    course = replace(COURSE, module_names=frozenset({"nx", "other"}))
    first, second = sample_calls(("@1", "@1,key"), course)
    assert first.render("f") == "f(make(1, 0)[0][0])"
    assert second.render("f") == "f(make(1, 1)[0][0], key=make(1, 1)[1]['key'])"
    assert first.names == {"nx"}
    assert "def make(n, seed)" in first.preamble


def test_a_claim_about_arguments_that_is_none_is_passed_over() -> None:
    assert sample_calls(("@x", "@1,a b", "@"), COURSE) == ()


def test_a_gain_that_only_shows_in_large_inputs_is_timed_there() -> None:
    seconds = {8: 1e-5, 64: 5e-4, 512: 6e-3, 4096: 0.2}
    finish = Finish(Variant("", ()), 9.0, {8: 1.0, 64: 1.1, 512: 2.5, 4096: 9.0})
    assert Race([finish], seconds).size_for(finish, 0.001) == 512
    plain = Finish(Variant("", ()), 9.0, {8: 1.0, 64: 2.0, 512: 2.5, 4096: 9.0})
    assert Race([plain], seconds).size_for(plain, 0.001) == 64
    lucky = replace(finish, gains={**finish.gains, 64: 1.6, 128: 1.1})
    assert Race([lucky], seconds | {128: 2e-3}).size_for(lucky, 0.001) == 512
