"""Started in Python children of a test run: they keep to its network rule.

Then the `sitecustomize` that this file stands in front of runs, as if this one were not there.
"""

import importlib.machinery
import importlib.util
import os
import sys


def _keep_to_the_rule() -> None:
    rule = os.environ.get("_REVERIE_NETWORK")
    name = "reverie_pytest.network"
    if rule is None or name in sys.modules:
        return
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "network.py")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {path}")
    network = importlib.util.module_from_spec(spec)
    sys.modules[name] = network  # the plugin finds it there, should this child run pytest
    spec.loader.exec_module(network)
    network.set_rule(rule)


def _run_the_next() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if os.path.abspath(folder) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_keep_to_the_rule()
_run_the_next()
