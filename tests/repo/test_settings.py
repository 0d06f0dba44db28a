"""A setting that nothing reads is a promise that nobody keeps."""

import ast
from pathlib import Path

from reverie.settings import known_settings, variable_of

# Settings whose room is not built yet. Take a key off the list when something reads it.
AWAITED: set[str] = {
    "sandbox.slots",
    "sandbox.recycle_after",
    "journal.record",
    "safety.disable",
}


def attributes_read(root: Path) -> set[str]:
    """Every attribute name that the package reads somewhere."""
    return {
        node.attr
        for path in (root / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    }


def test_every_setting_has_a_reader(root: Path) -> None:
    read = attributes_read(root)
    unread = {key for key in known_settings() if key.partition(".")[2] not in read}
    assert unread == AWAITED


def test_every_setting_is_documented_and_bounded() -> None:
    for key, about in known_settings().items():
        assert about.doc.endswith("."), key
        assert about.reader.bounds, key


def test_every_default_is_within_its_own_bounds() -> None:
    from reverie.settings import Settings, shown

    for key, about in known_settings().items():
        value = Settings().value(key)
        if value is not None:
            given = {} if key == "safety.paths" else shown(key, value)
            assert about.reader.check(given) == value, key


def test_no_two_settings_share_a_variable() -> None:
    variables = [variable_of(key) for key in known_settings()]
    assert len(variables) == len(set(variables))
