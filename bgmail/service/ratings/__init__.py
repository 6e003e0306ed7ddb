"""Ratings: which matches count, what each does to both, and what people are shown of it."""
