"""A module imported in a sandbox of its own: the first thing that is asked of one."""

import os
from dataclasses import replace
from pathlib import Path

from reverie.model.code import Module
from reverie.model.execution import Call, Execution, Request
from reverie.sandbox.engine import Sandbox

_PROGRAM = "import importlib\ndef load(name):\n    importlib.import_module(name)\n"
_SECONDS = 30.0


def import_alone(
    sandbox: Sandbox, folder: Path, module: Module, python: str | None = None
) -> Execution:
    """Import one module of a folder; nothing that it needs is imported before it."""
    home = os.path.realpath(folder)
    root = os.path.normpath(os.path.join(home, module.root))
    policy = replace(
        sandbox.section.policy(),
        readonly=(home,),
        python=python,
        import_paths=tuple(dict.fromkeys((root, home))),
        seed=0,
    )
    limits = replace(sandbox.section.limits(), wall_seconds=_SECONDS)
    call = Call(_PROGRAM, "load", {"name": import_name(module)})
    return sandbox.run(Request(call, limits, policy))


def import_name(module: Module) -> str:
    """The name that Python knows a file by, from its root on: also where two share one."""
    inside = os.path.relpath(module.path, module.root).removesuffix(".py")
    return inside.removesuffix("/__init__").replace("/", ".")
