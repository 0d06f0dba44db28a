"""The search as it runs inside the sandbox, in the target's interpreter: standard library only.

Bundled by `search.program`.
"""
