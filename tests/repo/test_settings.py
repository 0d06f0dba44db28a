"""A setting that nothing reads is a promise that nobody keeps."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from reverie.settings import known_settings, variable_of

# Settings whose room is not wired yet. Take a key off the list when something reads it.
AWAITED: set[str] = set()


def keys_read(root: Path) -> set[str]:
    """Every key that the package reads off something that looks like its section.

    That is `section.key`, `….section.key`, `settings.journal.key`, or `self.key` in the section.
    """
    read: set[str] = set()
    known: dict[str, list[tuple[str, str]]] = {}
    for key in known_settings():
        section, _, name = key.partition(".")
        known.setdefault(name, []).append((key, section))
    spelled = re.compile(rf"\.\s*({'|'.join(sorted(known))})\b")
    for path in (root / "src").rglob("*.py"):
        text = path.read_text("utf-8")
        named = {key for name in spelled.findall(text) for key, _ in known[name]}
        if named <= read:
            continue
        for owner, node in attributes(ast.parse(text)):
            base = node.value.attr if isinstance(node.value, ast.Attribute) else None
            base = node.value.id if isinstance(node.value, ast.Name) else base
            for key, section in known.get(node.attr, ()):
                if base in (section, "section") or (base == "self" and owner == section):
                    read.add(key)
    return read


def attributes(tree: ast.Module) -> Iterator[tuple[str, ast.Attribute]]:
    """Every attribute that is read, with the section whose class it stands in."""
    for part in tree.body:
        is_section = isinstance(part, ast.ClassDef) and part.name.endswith("Section")
        owner = part.name.removesuffix("Section").lower() if is_section else ""
        for node in ast.walk(part):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                yield owner, node


def test_every_setting_has_a_reader(root: Path) -> None:
    assert set(known_settings()) - keys_read(root) == AWAITED


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
