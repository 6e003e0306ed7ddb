"""Webhooks: signed calls to addresses that people named, made so that nobody can point them inside a network."""
