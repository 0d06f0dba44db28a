"""Runs inside the sandbox, as one program (`program.py` joins the parts): standard library only."""
