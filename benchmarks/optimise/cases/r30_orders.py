# entry: order_totals
"""What customers ordered."""

import random
from dataclasses import dataclass


@dataclass
class Customer:
    """Somebody who orders."""

    number: int
    name: str


@dataclass
class Order:
    """An order of a customer."""

    customer: int
    cents: int


def order_totals(customers: list[Customer], orders: list[Order]) -> dict[str, int]:
    """Cents by name of customer, in the order of the customers."""
    totals: dict[str, int] = {}
    for customer in customers:
        total = 0
        for order in orders:
            if order.customer == customer.number:
                total += order.cents
        totals[customer.name] = totals.get(customer.name, 0) + total
    return totals


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return (
        [Customer(i, f"c{i}") for i in range(n)],
        [Order(r.randrange(n + 1), r.randrange(9999)) for _ in range(n)],
    ), {}
