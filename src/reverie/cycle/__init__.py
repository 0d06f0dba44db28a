"""The loop: index, dream, try, score, rule, promote; journaled so that it can be taken up again."""
