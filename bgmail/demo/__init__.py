"""Demo people and matches for a first look: played with real dice, through the same door as everything."""
