"""Reads `setup.cfg` and `setup.py` as texts: nothing of a repository is run for it."""

from __future__ import annotations

import ast
import configparser
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reverie.environment.declarations import MOST_BYTES, Declaration, Group, Metadata
from reverie.syntax.parsing import NOT_PYTHON, parse_module

CONFIG, SCRIPT = "setup.cfg", "setup.py"
TESTS_REQUIRE = "tests_require"
_ATTRIBUTE, _FILE = "attr:", "file:"


def read_text(path: Path) -> str | None:
    """A file of a project; None where there is none that can be read."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        return path.read_bytes().decode("utf-8-sig", "replace")
    except OSError:
        return None


def read_ini(text: str) -> Mapping[str, Mapping[str, str]]:
    """The sections of an ini file; none where it is not one."""
    parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except (ValueError, configparser.Error):
        return {}
    return {
        name: {key: value or "" for key, value in parser[name].items()}
        for name in parser.sections()
    }


def read_config(root: Path) -> Declaration | None:
    """What `setup.cfg` says of the project; None where that is nothing."""
    text = read_text(root / CONFIG)
    sections = {} if text is None else read_ini(text)
    metadata, options = sections.get("metadata", {}), sections.get("options", {})
    if not metadata and not options:
        return None
    extras = sections.get("options.extras_require", {})
    groups = [Group(CONFIG, name, _lines(value, root)) for name, value in extras.items()]
    if options.get("tests_require"):
        groups.append(Group(CONFIG, TESTS_REQUIRE, _lines(options["tests_require"], root)))
    version = metadata.get("version", "").strip()
    is_elsewhere = version.startswith((_ATTRIBUTE, _FILE))
    found = _version_elsewhere(root, version) if is_elsewhere else version
    points = sections.get("options.entry_points", {})
    return Declaration(
        CONFIG,
        runtime=_lines(options["install_requires"], root)
        if "install_requires" in options
        else None,
        groups=tuple(groups),
        requires_python=options.get("python_requires") or None,
        metadata=Metadata(
            name=metadata.get("name") or None,
            version=found or None,
            is_dynamic=not found,
            entry_points={name: _points(value.splitlines()) for name, value in points.items()},
        ),
    )


def _lines(value: str, root: Path) -> tuple[str, ...]:
    if value.strip().startswith(_FILE):
        names = [each.strip() for each in value.strip().removeprefix(_FILE).split(",")]
        return tuple(f"-r {name}" for name in names if (root / name).is_file())
    split = value.splitlines() if "\n" in value.strip() else value.split(";")
    if ";" in value and "\n" not in value.strip() and re.search(r";\s*(python|sys|os|plat)", value):
        split = [value]
    return tuple(each.strip() for each in split if each.strip())


def _version_elsewhere(root: Path, said: str) -> str | None:
    if said.startswith(_FILE):
        text = read_text(root / said.removeprefix(_FILE).strip())
        return None if text is None else text.strip().partition("\n")[0] or None
    module, _, name = said.removeprefix(_ATTRIBUTE).strip().rpartition(".")
    parts = module.split(".")
    for start in (root, root / "src"):
        for place in (
            start.joinpath(*parts).with_suffix(".py"),
            start.joinpath(*parts, "__init__.py"),
        ):
            found = assigned_text(place, name)
            if found is not None:
                return found
    return None


def assigned_text(path: Path, name: str) -> str | None:
    """The text that a module gives to a name, read from its source."""
    text = read_text(path)
    if text is None:
        return None
    try:
        tree = parse_module(text)
    except NOT_PYTHON:
        return None
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            value = getattr(node, "value", None)
            if (
                isinstance(target, ast.Name)
                and target.id == name
                and isinstance(value, ast.Constant)
                and isinstance(value.value, str)
            ):
                return value.value
    return None


def read_script(root: Path) -> Declaration | None:
    """What `setup.py` says in plain literals; None without a call of `setup`."""
    text = read_text(root / SCRIPT)
    if text is None:
        return None
    try:
        tree = parse_module(text)
    except NOT_PYTHON:
        return None
    known = _assignments(tree)
    given = _keywords(tree, known)
    if given is None:
        return None
    extras = given.get("extras_require")
    groups = [
        Group(SCRIPT, str(name), _texts(lines))
        for name, lines in (extras.items() if isinstance(extras, dict) else ())
    ]
    if _texts(given.get("tests_require")):
        groups.append(Group(SCRIPT, TESTS_REQUIRE, _texts(given["tests_require"])))
    version, points = given.get("version"), given.get("entry_points")
    return Declaration(
        SCRIPT,
        runtime=_runtime(given, text, root),
        groups=tuple(groups),
        requires_python=given.get("python_requires")
        if _is_text(given, "python_requires")
        else None,
        metadata=Metadata(
            name=given.get("name") if _is_text(given, "name") else None,
            version=version if isinstance(version, str) else None,
            is_dynamic=not isinstance(version, str),
            entry_points=_script_points(points),
        ),
    )


def _runtime(given: Mapping[str, Any], text: str, root: Path) -> tuple[str, ...] | None:
    if "install_requires" not in given:
        return None
    lines = _texts(given["install_requires"])
    named = re.search(r"[\w./-]*requirements[\w./-]*\.(?:txt|in)", text)
    if not lines and named is not None and (root / named[0]).is_file():
        return (f"-r {named[0]}",)
    return lines


def _is_text(given: Mapping[str, Any], name: str) -> bool:
    return isinstance(given.get(name), str)


def _keywords(tree: ast.Module, known: dict[str, Any]) -> dict[str, Any] | None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
            name = called.id if isinstance(called, ast.Name) else called
            if name == "setup":
                found: dict[str, Any] = {}
                for each in node.keywords:
                    value = _value(each.value, known)
                    if each.arg is not None:
                        found[each.arg] = value
                    elif isinstance(value, dict):
                        found |= value
                return found
    return None


def _assignments(tree: ast.Module) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                known.setdefault(target.id, _value(node.value, known))
            elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                table, key = known.get(target.value.id), _value(target.slice, known)
                if isinstance(table, dict) and isinstance(key, str):
                    table.setdefault(key, _value(node.value, known))
    return known


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """A literal, with names that stand for one; None for what is not known."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return list(_elements(parts, known))
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {_value(key, known): _value(value, known) for key, value in pairs if key}
        case ast.Name(id=name):
            return known.get(name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = _value(left, known), _value(right, known)
            if isinstance(first, list) and isinstance(second, list):
                return first + second
            return first + second if isinstance(first, str) and isinstance(second, str) else first
        case ast.Subscript(value=table, slice=key):
            found = _value(table, known)
            return found.get(_value(key, known)) if isinstance(found, dict) else None
        case ast.Call(func=ast.Name(id="dict"), keywords=words):
            return {each.arg: _value(each.value, known) for each in words if each.arg}
    return None


def _elements(parts: list[ast.expr], known: Mapping[str, Any]) -> Iterator[Any]:
    for each in parts:
        if isinstance(each, ast.Starred):
            inner = _value(each.value, known)
            yield from inner if isinstance(inner, list) else ()
        else:
            yield _value(each, known)


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(each.strip() for each in value.splitlines() if each.strip())
    if isinstance(value, list):
        return tuple(each for each in value if isinstance(each, str))
    return ()


def _script_points(points: object) -> dict[str, dict[str, str]]:
    if isinstance(points, str):
        sections = read_ini(points)
        return {name: dict(table) for name, table in sections.items()}
    if not isinstance(points, dict):
        return {}
    return {str(name): _points(_texts(lines)) for name, lines in points.items()}


def _points(lines: Any) -> dict[str, str]:
    pairs = (each.partition("=") for each in lines if "=" in each)
    return {name.strip(): value.strip() for name, _, value in pairs}
