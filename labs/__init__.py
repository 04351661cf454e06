"""Everything that runs in the reader's browser, and in CPython just the same. Standard library only."""
