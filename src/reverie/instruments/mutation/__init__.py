"""Mutation: change the code a little, and see whether a test notices."""
