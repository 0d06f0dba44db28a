"""`python -m reverie.autonomous`: cycles and integrations, by the flags of `run_autonomous.py`."""

from reverie.interfaces.cli.autonomous import main

if __name__ == "__main__":
    main()
