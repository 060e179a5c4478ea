"""Corpus files: articles from a store in several formats, with a card that says what is in them."""
