"""What runs on the far side of the boundary: launcher, zygote and runner.

Standard library only, and never an import of the rest of Reverie: a fresh interpreter loads
this folder by path as the package `inside`, long before and far away from the host program.
"""
