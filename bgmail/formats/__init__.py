"""Match files: the .mat form read, judged by the rules and written, and our own JSON export with its log."""
