"""cleancrawl: crawl news sites and keep only their core content."""

from __future__ import annotations

from cleancrawl.cleaner import Cleaner, clean
from cleancrawl.core.article import Article
from cleancrawl.core.block import Block, Removal
from cleancrawl.core.document import Document
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.errors import CleanCrawlError, ConfigError, MissingExtra, StoreError, StoreVersionError, UnknownRecipe
from cleancrawl.stores.opening import open_store
from cleancrawl.version import __version__

__all__ = [
    "Article",
    "Block",
    "CleanCrawlError",
    "Cleaner",
    "ConfigError",
    "Document",
    "MissingExtra",
    "Page",
    "Recipe",
    "Removal",
    "StoreError",
    "StoreVersionError",
    "UnknownRecipe",
    "__version__",
    "clean",
    "open_store",
]
