"""The MCP server: what coding agents can ask of Reverie, over stdio or HTTP.

Every tool works on one repository, that the server was started for. No tool takes a path outside
of it, writes into it, or runs anything outside of the sandbox.
"""
