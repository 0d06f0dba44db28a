"""The part of a stressed step that runs inside the sandbox, standard library only.

Its files are never imported on the host: `program` joins their text, and that of the plain
step, into one program.
"""
