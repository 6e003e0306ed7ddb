"""bgmail: correspondence backgammon, a move a day, in the browser and from the mailbox."""
