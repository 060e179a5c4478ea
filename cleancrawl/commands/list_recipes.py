"""List the recipes: the ways in which a page can be cleaned.

example:
  cleancrawl recipes
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from cleancrawl.commands.printing import show
from cleancrawl.errors import MissingExtra
from cleancrawl.recipes import RECIPES, get_recipe


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--names", action="store_true", help="only the names, one per line")


def run(args: Namespace) -> int:
    width = max(map(len, RECIPES), default=0)
    for name in RECIPES:
        show(name if args.names else f"{name:{width}}  {_summary(name)}")
    return 0


def _summary(name: str) -> str:
    try:
        return get_recipe(name).summary
    except MissingExtra as error:
        return f"cannot be used: {error}"
