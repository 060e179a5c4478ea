"""Where accepted articles go: search indexes and corpus files, fed from a store's outbox."""
