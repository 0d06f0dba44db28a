"""`python -m reverie`."""

from reverie.interfaces.cli import main

if __name__ == "__main__":
    main()
