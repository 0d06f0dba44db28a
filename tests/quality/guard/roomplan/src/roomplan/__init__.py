"""Rooms, times and prices."""

from .names import initials, slug
from .prices import discount, price_of
from .times import free_slots, merge, overlaps

__all__ = ["discount", "free_slots", "initials", "merge", "overlaps", "price_of", "slug"]
