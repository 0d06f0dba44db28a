"""Builds a wheel from an unpacked source archive; runs in the sandbox, without a network."""

import base64
import importlib
import os
import shutil
import sys
import tempfile
from typing import Any


def build_wheel(request: "dict[str, Any]") -> "dict[str, Any]":
    """What the build asks for besides, or the wheel itself."""
    folder = os.path.join(tempfile.mkdtemp(), "source")
    shutil.copytree(request["source"], folder, symlinks=True)
    os.chdir(folder)
    sys.argv = ["setup.py"]
    sys.path[:0] = [os.path.join(folder, each) for each in request["backend_path"]]
    name, _, attribute = request["backend"].partition(":")
    backend: Any = importlib.import_module(name)
    for each in filter(None, attribute.split(".")):
        backend = getattr(backend, each)
    if request["asks"]:
        asked = getattr(backend, "get_requires_for_build_wheel", None)
        return {"requires": [str(each) for each in asked()] if asked is not None else []}
    out = tempfile.mkdtemp()
    built = backend.build_wheel(out)
    with open(os.path.join(out, built), "rb") as file:
        return {"name": str(built), "wheel": base64.b64encode(file.read()).decode("ascii")}
