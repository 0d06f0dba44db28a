"""The project is run by a pytest of its own: its tests fail on purpose."""

collect_ignore = ["project"]
