"""The dashboard: the journal in a browser.

Pages are rendered here, on the server, from the journal alone; what the script adds is comfort.
Everything a page shows goes through `rendering`, which makes it inert.
"""
