"""Search indexes that accepted articles go to, fed from a store's outbox; ``corpus`` has the files."""
