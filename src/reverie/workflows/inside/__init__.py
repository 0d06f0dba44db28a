"""The part of a workflow run that runs inside the sandbox, standard library only.

`reverie.workflows.program` bundles it.
"""
