"""The investigation as the program offers it: what is asked, from files or sources, and the answer in text and JSON."""
