"""The search as it runs inside the sandbox, in the target's interpreter: standard library only.

Shipped as source by `search.program`; nothing here is imported by the host.
"""
