"""Imports modules one after another and says which cannot be; runs in the sandbox."""

import importlib
import os
import sys
from typing import Any


def import_all(request: "dict[str, Any]") -> "dict[str, Any]":
    """Every module that cannot be imported, with the error and the module that is missing."""
    sys.path[:0] = request["paths"]
    sys.argv = [""]
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 1)
    failed = {}
    for name in request["modules"]:
        try:
            importlib.import_module(name)
        except BaseException as error:  # noqa: BLE001 - whatever a module does when imported
            missing = getattr(error, "name", None) if isinstance(error, ImportError) else None
            failed[name] = [type(error).__name__, str(error)[:300], str(missing or "")]
    return {"failed": failed}
