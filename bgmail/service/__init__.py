"""Whose turn, until when, who is told; people and their secrets. Knows the store and the pure rooms, not the web."""
