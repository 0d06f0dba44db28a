"""Where presets come from: files, the environment, the canonical ones; and how files rotate."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.model.stress import Preset
from reverie.workflows.scenarios.presets import preset_document, read_preset

_MOST_BYTES = 1_000_000


def read_presets(text: str, where: str) -> tuple[Preset, ...]:
    """Presets from JSON: one, a list, or an object of them by scenario, perhaps by level too."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not JSON: {error}") from error
    presets = tuple(read_preset(each, where) for each in _flat(document, where, 0))
    if not presets:
        raise UsageError(f"{where}: holds no preset")
    names = [each.name for each in presets]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{where}: two presets are {name!r}")
    return presets


def _flat(document: Any, where: str, depth: int) -> list[Any]:
    if depth > 3:
        raise UsageError(f"{where}: presets are nested too deeply")
    if isinstance(document, list):
        return [inner for each in document for inner in _flat(each, where, depth + 1)]
    if isinstance(document, dict) and "SCENARIO_NAME" not in document:
        if not all(isinstance(each, dict | list) for each in document.values()):
            raise UsageError(f"{where}: a preset needs SCENARIO_NAME")
        return [inner for each in document.values() for inner in _flat(each, where, depth + 1)]
    return [document]


def read_preset_file(path: str) -> tuple[Preset, ...]:
    """The presets of a file."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(_MOST_BYTES + 1)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise UsageError(f"preset file {path!r}: {error}") from error
    if len(text) > _MOST_BYTES:
        raise UsageError(f"preset file {path!r}: larger than {_MOST_BYTES} characters")
    return read_presets(text, f"preset file {path!r}")


def rotate(files: Sequence[tuple[Preset, ...]], turn: int) -> tuple[Preset, ...]:
    """The presets of one turn: the files take turns, first to last and again."""
    return files[turn % len(files)]


def write_preset_file(path: str, presets: Sequence[Preset]) -> None:
    """Write presets so that `read_preset_file` reads them back; whole or not at all."""
    target = Path(path)
    text = json.dumps([preset_document(each) for each in presets], indent=2) + "\n"
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(target)
    except (OSError, ValueError) as error:
        beside.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path!r}: {error}") from error
