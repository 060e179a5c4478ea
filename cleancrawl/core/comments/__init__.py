"""Readers' comments as a part of a page: where they stand, and who wrote what when."""
