"""The ``cleancrawl`` command: a table of commands, each imported only when it is called."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from cleancrawl.commands.printing import show
from cleancrawl.core.native import in_use
from cleancrawl.errors import CleanCrawlError, ConfigError, UnknownRecipe
from cleancrawl.version import __version__

COMMANDS = {
    "archive": "cleancrawl.commands.bulk_archive",
    "bench": "cleancrawl.lab.commands.bench",
    "clean": "cleancrawl.commands.clean",
    "compare": "cleancrawl.commands.compare",
    "crawl": "cleancrawl.commands.crawl",
    "fuzz": "cleancrawl.lab.commands.fuzz",
    "recipes": "cleancrawl.commands.list_recipes",
    "report": "cleancrawl.commands.report",
    "train": "cleancrawl.lab.commands.train",
    "search": "cleancrawl.commands.search",
    "explain": "cleancrawl.commands.explain",
    "serve": "cleancrawl.commands.serve",
    "sites": "cleancrawl.commands.sites",
    "store": "cleancrawl.commands.store",
    "export": "cleancrawl.commands.export",
    "sync": "cleancrawl.commands.sync",
    "templates": "cleancrawl.commands.templates",
}

FAILURE, USAGE, INTERRUPTED = 1, 2, 130


class OneLineParser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, as all errors of the command are."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def build_parser(wanted: str | None = None) -> OneLineParser:
    """The parser; only the wanted command is imported, or all of them where none is named."""
    parser = OneLineParser(prog="cleancrawl", description="Crawl news sites and keep only their core content.")
    parser.add_argument("--version", action="version", version=f"cleancrawl {__version__} ({in_use()})")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, path in COMMANDS.items():
        if wanted not in (None, name):
            commands.add_parser(name)
            continue
        module = import_module(path)
        summary, _, details = (module.__doc__ or "").partition("\n")
        command = commands.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=details.strip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 called wrongly."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    wanted = next((argument for argument in arguments if argument in COMMANDS), None)
    if isinstance(sys.stdout, TextIOWrapper):
        # A page may hold what the terminal's encoding cannot show, lone surrogates included.
        sys.stdout.reconfigure(errors="replace")
    args = build_parser(wanted).parse_args(arguments)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader (``| head``) has all it wants; without this, the flush at exit would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except (ConfigError, UnknownRecipe) as error:
        return _complain(args.command, str(error), USAGE)
    except CleanCrawlError as error:
        return _complain(args.command, str(error), FAILURE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _complain(args.command, f"{where}{error.strerror or error}", FAILURE)


def _complain(command: str, message: str, code: int) -> int:
    show(f"cleancrawl {command}: {' '.join(message.split())}", file=sys.stderr)
    return code
