"""Ways out: letters are made from the facts that are owed, checked against the present, and sent by mail."""
