"""Reports as self-contained HTML: one file, no scripts, nothing loaded from elsewhere."""
