"""Machines that play backgammon: what they decide in a match. Knows the rules and nothing of time, rows or people."""
