"""A small shop."""

from shopkit.cart import Cart, Item

__all__ = ["Cart", "Item"]
