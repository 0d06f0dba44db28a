"""The part of a stressed step that runs inside the sandbox, standard library only.

`reverie.workflows.scenarios.runs` bundles it with the plain step.
"""
