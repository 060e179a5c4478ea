"""Break pages, JSON-LD, sitemaps, feeds and robots.txt in every way, and keep what the package does not survive.

Each input is a function of the seed: the same command tries the same inputs. What fails is made as small as can be and
kept as a file, with what went wrong beside it; the exit code is then 1.

examples:
  cleancrawl fuzz --minutes 10
  cleancrawl fuzz --pages saved-pages --minutes 60 --seed 7 --keep findings
  cleancrawl fuzz --again findings/page-1f2e3d4c.html
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from cleancrawl.crawl.discovery.packed import unpack
from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.text_tables import markdown_table
from cleancrawl.lab.fuzz.campaign import Finding, Outcome, Plan, keep
from cleancrawl.lab.fuzz.campaign import run as run_plan
from cleancrawl.lab.fuzz.subjects import subjects
from cleancrawl.lab.fuzz.trying import attempt, cost

_SUFFIXES = (".html", ".htm", ".html.gz")
_MOST_PAGES = 2_000


def add_arguments(parser: ArgumentParser) -> None:
    names = tuple(subjects())
    parser.add_argument("--pages", type=Path, metavar="DIR", help="saved pages to start from (default: made-up ones)")
    parser.add_argument(
        "--subjects", type=_names, default=names, metavar="a,b", help=f"what is broken (default: {','.join(names)})"
    )
    parser.add_argument("--minutes", type=_positive, default=1.0, help="how long (default: %(default)g)")
    parser.add_argument("--tries", type=int, metavar="N", help="at most N tries")
    parser.add_argument("--seed", type=int, default=1, help="other seeds give other inputs (default: 1)")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"), metavar="DIR", help="default: %(default)s")
    parser.add_argument("--again", type=Path, metavar="FILE", help="only try a kept file again")


def run(args: Namespace) -> int:
    if args.again:
        return _again(args.again)
    known = subjects()
    plan = Plan(args.subjects, args.seed, args.minutes, args.tries, _pages(args.pages) if args.pages else ())

    def tell(finding: Finding) -> None:
        path = keep(finding, args.keep, args.seed, known[finding.subject].suffix)
        failure = finding.failure
        print(f"{failure.kind} {failure.place} → {path} ({len(finding.body)} bytes)", file=sys.stderr, flush=True)

    outcome = run_plan(plan, tell)
    print(_report(plan, outcome))
    return 1 if outcome.findings else 0


def _report(plan: Plan, outcome: Outcome) -> str:
    rows = []
    for name in plan.names:
        kinds = sum(subject == name for subject, _ in outcome.findings)
        rows.append([name, f"{outcome.tried[name]:,}", f"{outcome.failed[name]:,}", str(kinds)])
    rate = sum(outcome.tried.values()) / max(outcome.seconds, 0.001)
    told = f"{outcome.seconds / 60:.1f} minutes, {rate:.0f} tries a second, seed {plan.seed}"
    return f"{markdown_table(['subject', 'tries', 'failed', 'different failures'], rows)}\n\n{told}"


def _again(path: Path) -> int:
    subject = subjects().get(path.name.rpartition("-")[0])
    if subject is None:
        raise ConfigError(f"{path}: the name of a kept file begins with its subject: {', '.join(subjects())}")
    body = path.read_bytes()
    failure = attempt(subject.check, body)
    if failure is None:
        print(f"{path}: taken as it should be, in {cost(subject.check, body):.3f} s")
        return 0
    print(f"{path}: {failure.kind} {failure.place}\n\n{failure.details.rstrip()}")
    return 1


def _pages(directory: Path) -> list[bytes]:
    if not directory.is_dir():
        raise ConfigError(f"{directory} is not a directory")
    files = sorted(path for path in directory.rglob("*") if path.name.lower().endswith(_SUFFIXES) and path.is_file())
    if not files:
        raise ConfigError(f"no saved pages ({', '.join(_SUFFIXES)}) in {directory}")
    return [unpack(path.read_bytes()) for path in files[:: 1 + len(files) // _MOST_PAGES]]


def _names(value: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    unknown = [name for name in names if name not in subjects()]
    if unknown or not names:
        raise ArgumentTypeError(f"{value!r}: there is {', '.join(subjects())}")
    return names


def _positive(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ArgumentTypeError(f"{value!r} is not a positive number")
    return number
