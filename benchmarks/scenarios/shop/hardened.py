"""The same steps, each ready for what its scenario does."""

import json
import os
import sqlite3
import threading
import time
import urllib.request

_issued = 0
_issuing = threading.Lock()
_counting = threading.Lock()
_TRIES = 5


def fetch_orders(url="http://orders.example.com/v1/orders"):
    if not isinstance(url, str) or len(url) > 2000 or not url.startswith(("http://", "https://")):
        raise ValueError(f"not a URL: {url!r:.80}")
    failure = None
    for turn in range(_TRIES):
        try:
            with urllib.request.urlopen(url, timeout=0.8) as response:
                orders = json.loads(response.read())["orders"]
            if isinstance(orders, list):
                return orders
        except (OSError, ValueError, KeyError, TypeError) as error:
            failure = error
        time.sleep(0.01 * turn)
    raise RuntimeError("no orders to be had") from failure


def total(orders):
    if not isinstance(orders, list):
        raise TypeError("orders is a list")
    amount = 0
    for order in orders:
        price, quantity = order.get("price"), order.get("quantity")
        if isinstance(price, int | float) and isinstance(quantity, int | float):
            amount += price * quantity
    return amount


def parse_order(text):
    if not isinstance(text, str) or len(text) > 5000:
        raise ValueError("an order is a short text")
    try:
        order = json.loads(text)
        return {"name": order["name"].strip(), "quantity": int(order["quantity"])}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as bad:
        raise ValueError("not an order") from bad


def find_customer(name):
    if not isinstance(name, str):
        raise TypeError("a name is a text")
    shop = sqlite3.connect(":memory:")
    shop.execute("create table customers (name text, card text)")
    shop.execute("insert into customers values ('ann', '1111'), ('bob', '2222')")
    try:
        rows = shop.execute("select card from customers where name = ?", (name,)).fetchall()
    except (sqlite3.Error, UnicodeError):
        return []
    return [card for (card,) in rows]


def read_invoice(name):
    if not isinstance(name, str) or "\0" in name:
        raise ValueError("not the name of an invoice")
    path = os.path.normpath(os.path.join("invoices", name))
    if not path.startswith("invoices" + os.sep):
        raise PermissionError("an invoice lies below invoices")
    try:
        with open(path) as file:
            return file.read()
    except (OSError, UnicodeError):
        return None


def discount(price, percent):
    for value in (price, percent):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError("price and percent are numbers")
    if not 0 <= percent <= 100:
        raise ValueError("percent is from 0 to 100")
    return price - price * percent / 100


def issue_ticket():
    global _issued
    with _issuing:
        seen = _issued
        time.sleep(0.0005)
        _issued = seen + 1
        return _issued


def count_visit(path="visits.txt"):
    with _counting:
        with open(path) as file:
            visits = int(file.read())
        with open(path, "w") as file:
            file.write(str(visits + 1))
    return "counted"


def longest_line(count=400_000):
    return max(len(f"order {number} of the catalogue") for number in range(count))
