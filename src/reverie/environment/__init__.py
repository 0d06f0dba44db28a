"""The environment of a repository: what it declares, which Python fits, one made if need be."""
