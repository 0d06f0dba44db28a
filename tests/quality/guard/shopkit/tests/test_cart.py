import unittest

from shopkit import Cart, Item


class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()
        self.cart.add(Item("a", 100, 2))
        self.cart.add(Item("b", 50))

    def test_total(self):
        self.assertEqual(self.cart.total(), 250)

    def test_skus(self):
        self.assertEqual(self.cart.skus(), ["a", "b"])
