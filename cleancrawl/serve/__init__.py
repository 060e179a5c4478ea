"""A small web page on what was harvested: search, articles, their versions and copies, why, and the report."""
