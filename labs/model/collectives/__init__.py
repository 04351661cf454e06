"""One collective: its steps and bytes, its time by each algorithm, and the ring carried out."""
