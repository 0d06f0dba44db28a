"""What `reverie guard` takes for the change of a branch, and what it says where nothing was run."""

from collections.abc import Callable

LRU = "def newest(names):\n    return sorted(names)[-1]\n"
TEST = "from shop import newest\n\n\ndef test_newest():\n    assert newest(['a', 'b']) == 'b'\n"


def test_what_the_base_did_since_is_no_change_of_the_branch(
    cli: Callable, scripted: Callable
) -> None:
    repository = scripted()
    repository.commit("Begin", {"shop.py": LRU, "tests/test_shop.py": TEST})
    repository.git("branch", "topic")
    repository.commit("Meanwhile", {"other.py": "OTHER = 1\n", "shop.py": LRU + "\n\nMORE = 2\n"})
    repository.git("checkout", "-q", "topic")
    repository.commit("Topic", {"notes.py": "NOTES = 3\n"})
    place = ("--repo", str(repository.folder))
    document = cli("guard", "--base", "main", "--head", "topic", "--static", "--json", *place)
    (size,) = [each for each in document.document["rulings"] if each["gate"] == "size"]
    assert size["reason"].startswith("1 file, 1 line")


def test_a_change_that_is_refused_unrun_says_so(cli: Callable, scripted: Callable) -> None:
    repository = scripted()
    repository.commit("Begin", {"shop.py": LRU, "tests/test_shop.py": TEST})
    repository.commit(
        "Both",
        {"shop.py": LRU.replace("-1", "0"), "tests/test_shop.py": TEST.replace("== 'b'", "== 'a'")},
    )
    shown = cli("guard", "--base", "HEAD~1", "--head", "HEAD", "--repo", str(repository.folder))
    assert shown.code == 1
    assert "It was refused before anything was run" in shown.out


def test_a_head_that_the_base_has_grown_from_is_judged_as_taking_that_back(
    cli: Callable, scripted: Callable
) -> None:
    repository = scripted()
    repository.commit("Begin", {"shop.py": LRU, "tests/test_shop.py": TEST})
    repository.commit("Fix", {"shop.py": LRU.replace("-1", "0")})
    place = ("--repo", str(repository.folder))
    document = cli("guard", "--base", "HEAD", "--head", "HEAD~1", "--static", "--json", *place)
    (size,) = [each for each in document.document["rulings"] if each["gate"] == "size"]
    assert size["reason"].startswith("1 file, 2 lines")
