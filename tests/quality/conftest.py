"""The repositories that changes are judged in have tests of their own: they are not ours."""

collect_ignore = ["guard/roomplan", "guard/shopkit"]
