"""Kept blocks with their markup: a small tree, written as Markdown or as sanitised HTML. Made only when asked for."""
