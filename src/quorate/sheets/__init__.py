"""Answers as columns: a sheet a question, its verdicts, and the case that inquiries look at."""
