"""Inputs for callables of real packages: `reverie optimise FILE:callable --inputs one of these`."""
