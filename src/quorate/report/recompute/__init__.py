"""Computes every number of a study's report again, from the files that are published beside it, with Python alone.

This folder is copied into the folder that a paper publishes. It knows nothing of the program that wrote the report.
"""
