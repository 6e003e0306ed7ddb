"""Formats of tournaments: who meets whom, who stands where, and when it is over. Pure: no rows, no clock, no words."""
