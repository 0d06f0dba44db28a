"""Both versions of a changed function on the calls that the tests make, where they are made."""
