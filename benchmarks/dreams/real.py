"""Functions of packages that are installed here, in an order that a seed decides."""

import random
import sysconfig
from pathlib import Path

from reverie.dreamers.procedures.procedure import Procedure, procedures_in

PACKAGES = (
    "click", "rich", "packaging", "markdown_it", "mako", "dateutil", "pluggy", "iniconfig",
    "coverage", "alembic", "sqlalchemy", "pygments", "platformdirs", "pathspec", "hypothesis",
    "mdurl", "grimp", "importlinter", "pycparser", "yaml",
)  # fmt: skip


def real_procedures(seed: int, packages: tuple[str, ...] = PACKAGES) -> list[Procedure]:
    site = Path(sysconfig.get_paths()["purelib"])
    found: list[Procedure] = []
    for package in packages:
        for path in sorted((site / package).rglob("*.py")):
            parts = path.relative_to(site).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            if "tests" in parts or "test" in parts:
                continue
            module = ".".join(parts[:-1] if is_package else parts)
            source = path.read_text("utf-8", errors="replace")
            found += procedures_in(source, module, is_package=is_package, repository=package)
    random.Random(seed).shuffle(found)
    return found
