"""What an installed copy would say about itself is written beside the dependencies."""

from collections.abc import Callable
from pathlib import Path

from reverie.environment.declarations import Metadata
from reverie.environment.installed import (
    complete_metadata,
    generated_files,
    write_own_package,
    write_scripts,
)
from reverie.environment.needs import read_needs

Lay = Callable[[dict[str, str]], Path]


def completed(root: Path, tag: str | None = None) -> Metadata:
    return complete_metadata(root, read_needs(root, "3.11").metadata, tag)


def test_a_version_that_is_written_somewhere_is_found(lay: Lay) -> None:
    dynamic = '[project]\nname = "shop"\ndynamic = ["version"]\n'
    root = lay({"pyproject.toml": dynamic, "src/shop/__init__.py": '__version__ = "2.5"\n'})
    assert completed(root, "v9.9").version == "2.5"


def test_without_one_the_newest_tag_says_it(lay: Lay) -> None:
    root = lay({"pyproject.toml": '[project]\nname = "shop"\ndynamic = ["version"]\n',
                "shop/__init__.py": ""})  # fmt: skip
    assert completed(root, "release-3.1.4").version == "3.1.4"
    assert completed(root, None).version == "0.1.dev0"


def test_metadata_and_entry_points_can_be_asked_for(tmp_path: Path) -> None:
    metadata = Metadata("my-shop", "1.2", entry_points={"shop.plugins": {"a": "shop.a:Plugin"}})
    write_own_package(tmp_path, metadata, ("attrs>=22",))
    from importlib.metadata import distributions

    (found,) = distributions(path=[str(tmp_path)])
    assert (found.name, found.version, found.requires) == ("my-shop", "1.2", ["attrs>=22"])
    (point,) = found.entry_points
    assert (point.group, point.name, point.value) == ("shop.plugins", "a", "shop.a:Plugin")


def test_a_copy_that_is_there_already_stays(tmp_path: Path) -> None:
    (tmp_path / "my_shop-9.dist-info").mkdir()
    write_own_package(tmp_path, Metadata("my-shop", "1.2"), ())
    assert [each.name for each in tmp_path.iterdir()] == ["my_shop-9.dist-info"]


def test_a_command_whose_name_leads_elsewhere_is_not_written(tmp_path: Path) -> None:
    points = {"console_scripts": {"../evil": "shop:main", "shop": "shop.cli:main",
                                  "odd": "shop:main()\nimport os"}}  # fmt: skip
    write_scripts(tmp_path, Metadata("shop", "1", entry_points=points))
    assert [each.name for each in tmp_path.iterdir()] == ["shop"]


def test_a_version_file_that_a_build_would_write_is_made(lay: Lay) -> None:
    root = lay({"pyproject.toml": '[tool.hatch.build.hooks.vcs]\nversion-file = "src/shop/_v.py"\n'
                '[tool.setuptools_scm]\nwrite_to = "../outside.py"\n',
                "src/shop/__init__.py": ""})  # fmt: skip
    files = generated_files(root, "1.2.3")
    assert list(files) == ["src/shop/_v.py"]
    space: dict[str, object] = {}
    exec(files["src/shop/_v.py"], space)  # noqa: S102 - our own text
    assert (space["version"], space["version_tuple"]) == ("1.2.3", (1, 2, 3))
