"""Prints the rule book: `python -m quorate.protocol.method > docs/method-check.md`."""

from __future__ import annotations

from quorate.protocol.method import rule_book

print(rule_book(), end="")
