"""Who may book."""


def may_book(role: str) -> bool:
    """Guests may not."""
    return role in ("member", "admin")
