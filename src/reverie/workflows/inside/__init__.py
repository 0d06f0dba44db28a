"""The part of a workflow run that runs inside the sandbox, standard library only.

Its files are never imported on the host: `program` joins their text into one program.
"""
