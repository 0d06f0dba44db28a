"""Reverie's pytest plugin: deterministic runs without edits, and every failure as an event.

Off unless `--reverie`, `REVERIE=1` or `reverie = true` in the ini file asks for it. It needs the
standard library and pytest only, and nothing of the `reverie` package: it also runs where that
is not installed.
"""

pytest_plugins = ("reverie_pytest.plugin",)
