"""Answers arrive: the rater's way, the work, judges, practice, links, borderline answers. Rows are only added."""
