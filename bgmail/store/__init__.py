"""Rows and SQL. Imports the pure rooms and SQLModel; decides nothing about backgammon, time or people."""
