"""Push: short sealed messages to browsers, shown by their systems also while no page of ours is open."""
