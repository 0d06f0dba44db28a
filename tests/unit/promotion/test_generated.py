from collections.abc import Callable
from pathlib import Path

from reverie.promotion.git import Git
from reverie.promotion.trial_tree import lay_generated


def test_what_a_build_put_beside_code_is_laid_into_a_copy(
    scripted: Callable, tmp_path: Path
) -> None:
    made = scripted("shop")
    ignored = "_version.py\n*.mo\n.venv\n__pycache__\nbuild\nsecret.txt\n*.egg-info\n"
    made.commit("One", {".gitignore": ignored, "src/shop/__init__.py": "", "README": ""})
    generated = {"src/shop/_version.py": "v = 1", "src/shop/locale/de/shop.mo": "m"}
    others = {
        ".venv/pyvenv.cfg": "",
        ".venv/lib/x/_version.py": "",
        "src/shop/__pycache__/a.mo": "",
        "build/shop/_version.py": "",
        "secret.txt": "",
        "src/shop.egg-info/secret.txt": "",
    }
    made.write({**generated, **others})
    copy = tmp_path / "copy"
    (copy / "src" / "shop").mkdir(parents=True)
    (copy / "src" / "shop" / "__init__.py").touch()
    git = Git.find(made.folder)
    assert git is not None
    assert lay_generated(git, copy) == tuple(sorted(generated))
    assert (copy / "src/shop/_version.py").read_text() == "v = 1"
    assert not (copy / "secret.txt").exists()
    assert made.git("status", "--porcelain") == ""


def test_what_the_copy_has_stays_and_links_are_not_followed(
    scripted: Callable, tmp_path: Path
) -> None:
    made = scripted("shop")
    made.commit("One", {".gitignore": "gen*\n", "shop/a.py": ""})
    made.write({"shop/gen_one.py": "new"})
    (made.folder / "shop" / "gen_link.py").symlink_to("/etc/hostname")
    copy = tmp_path / "copy"
    (copy / "shop").mkdir(parents=True)
    (copy / "shop" / "gen_one.py").write_text("old")
    git = Git.find(made.folder)
    assert git is not None
    assert lay_generated(git, copy) == ()
    assert (copy / "shop" / "gen_one.py").read_text() == "old"
