"""Two versions of a callable on disk: as it was, and with a bug planted."""

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fuzz.plants import Plant


@dataclass(frozen=True, slots=True)
class Twin:
    """A callable that is sound in one file and not in the other."""

    name: str
    entry: str
    clean: Path
    buggy: Path


@dataclass(frozen=True, slots=True)
class _Home:
    """Where a module lies, and what has to be beside it."""

    origin: Path
    root: Path | None
    """The folder of its packages; None for a module that stands by itself."""
    beside: tuple[str, ...] = ()


def planted(plant: Plant, folder: Path, packages: Path | None = None) -> Twin:
    """Both versions on disk; a module of the standard library stands by itself."""
    home = _installed(plant.module) if packages is None else _laid(plant.module, packages)
    source = home.origin.read_text("utf-8")
    if source.count(plant.old) != 1:
        raise SystemExit(f"{plant.name}: the patch does not fit this version")
    made = []
    for kind, text in (("clean", source), ("buggy", source.replace(plant.old, plant.new))):
        place = folder / plant.name.replace(":", ".") / kind
        path = _copied(plant.module, home, place)
        path.unlink(missing_ok=True)  # it may be a hard link to what is installed
        path.write_text(text, "utf-8")
        made.append(path)
    return Twin(plant.name, plant.callable, *made)


def given(folder: Path) -> Iterator[Twin]:
    """The twins of a folder of cases: `clean.py`, `buggy.py`, and `meta.json` with the `entry`."""
    for each in sorted(folder.iterdir()):
        if (each / "meta.json").is_file():
            entry = json.loads((each / "meta.json").read_text("utf-8"))["entry"]
            yield Twin(each.name, entry, each / "clean.py", each / "buggy.py")


def _installed(module: str) -> _Home:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{module} is not installed")
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return _Home(Path(spec.origin), None)
    package = importlib.util.find_spec(top)
    if package is None or package.origin is None:
        raise SystemExit(f"{top} is not installed")
    return _Home(Path(spec.origin), Path(package.origin).parent.parent, (top,))


def _laid(module: str, packages: Path) -> _Home:
    """Of a folder of packages, all of them: each may need another."""
    origin = packages.joinpath(*module.split(".")).with_suffix(".py")
    if not origin.is_file():
        raise SystemExit(f"{module} is not in {packages}")
    needed = ("mpmath", "six.py") if module.startswith(("sympy", "dateutil")) else ()
    return _Home(origin, packages, (module.partition(".")[0], *needed))


def _copied(module: str, home: _Home, place: Path) -> Path:
    place.mkdir(parents=True)
    if home.root is None:
        return place / f"planted_{module.rpartition('.')[2]}.py"
    for name in home.beside:
        source = home.root / name
        if source.is_dir():
            shutil.copytree(source, place / name, copy_function=_linked)
        elif source.is_file():
            _linked(str(source), str(place / name))
    return place / home.origin.relative_to(home.root)


def _linked(source: str, place: str) -> str:
    """A hard link where the file system has them, as packages are large."""
    try:
        os.link(source, place)
    except OSError:
        shutil.copy2(source, place)
    return place
