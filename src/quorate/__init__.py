"""Quorate."""
