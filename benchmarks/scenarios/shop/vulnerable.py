"""Steps as they are first written: right while the world behaves."""

import json
import os
import sqlite3
import time
import urllib.request

_issued = 0


def fetch_orders(url="http://orders.example.com/v1/orders"):
    with urllib.request.urlopen(url) as response:
        return json.loads(response.read())["orders"]


def total(orders):
    return sum(order["price"] * order["quantity"] for order in orders)


def parse_order(text):
    order = json.loads(text)
    return {"name": order["name"].strip(), "quantity": int(order["quantity"])}


def find_customer(name):
    shop = sqlite3.connect(":memory:")
    shop.execute("create table customers (name text, card text)")
    shop.execute("insert into customers values ('ann', '1111'), ('bob', '2222')")
    rows = shop.execute(f"select card from customers where name = '{name}'").fetchall()
    return [card for (card,) in rows]


def read_invoice(name):
    with open(os.path.join("invoices", name)) as file:
        return file.read()


def discount(price, percent):
    return price - price * percent / 100


def issue_ticket():
    global _issued
    seen = _issued
    time.sleep(0.0005)
    _issued = seen + 1
    return _issued


def count_visit(path="visits.txt"):
    with open(path) as file:
        visits = int(file.read())
    with open(path, "w") as file:
        file.write(str(visits + 1))
    return "counted"


def longest_line(count=400_000):
    lines = [f"order {number} of the catalogue" for number in range(count)]
    return max(len(line) for line in lines)
