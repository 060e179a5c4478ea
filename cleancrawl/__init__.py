"""cleancrawl: crawl news sites and keep only their core content."""

from __future__ import annotations

from cleancrawl.cleaner import Cleaner, clean
from cleancrawl.core.document import Document
from cleancrawl.core.page import Block, Page, Removal
from cleancrawl.core.recipe import Recipe
from cleancrawl.crawl.items import Article
from cleancrawl.errors import CleanCrawlError, ConfigError, MissingExtra, StoreError, StoreVersionError, UnknownRecipe
from cleancrawl.stores.open import open_store
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
