import pytest

from reverie.trials.dream_sandbox import first_lines


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\nb", "a\nb\n"])
def test_what_fits_stays(text: str) -> None:
    assert first_lines(text, 2).text == text
    assert not first_lines(text, 2).is_cut


def test_what_is_cut_says_so() -> None:
    excerpt = first_lines("1\n2\n3\n4\n", 2)
    assert excerpt.is_cut
    assert excerpt.text == "1\n2\n[2 more lines]\n"
    assert first_lines("1\n2\n3", 2).text == "1\n2\n[1 more lines]\n"
