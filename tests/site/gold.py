"""Write the gold texts anew from the sources: `python -m tests.site.gold`; then review the difference."""

from __future__ import annotations

from tests.site.source import articles, gold_text


def main() -> None:
    for article in articles().values():
        article.gold.write_text(gold_text(article), "utf-8")


if __name__ == "__main__":
    main()
