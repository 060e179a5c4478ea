"""HTML from templates: everything escaped, one file that loads nothing, and a policy that lets nothing else run.

A template extends ``base.html`` and says which further style sheets and scripts of this folder it wants::

    {% extends "base.html" %}
    {% set styles = ["explain.css"] %}{% set scripts = ["tables.js"] %}
    {% block content %}…{% endblock %}

They are put into the page, and the policy names their hashes: neither a ``style`` attribute nor a handler that came in
with a page's text would be obeyed.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cleancrawl.core.render.nodes import printable
from cleancrawl.data import names_in, read_text
from cleancrawl.errors import MissingExtra

if TYPE_CHECKING:
    from jinja2 import Environment


def render(name: str, **values: Any) -> str:
    """A template of this package, filled in. Raises ``MissingExtra`` without Jinja2."""
    return _environment().get_template(name).render(**values)


def policy(styles: Iterable[str] = (), scripts: Iterable[str] = (), form_action: str = "'none'") -> str:
    """The Content-Security-Policy of a page with the base's style, and these style sheets and scripts of the folder."""
    style = _sources(("base.css", *styles))
    script = _sources(scripts)
    loaded = f"default-src 'none'; img-src data:; style-src {style}; script-src {script}"
    return f"{loaded}; base-uri 'none'; form-action {form_action}"


def asset_names(suffix: str) -> list[str]:
    """The style sheets (``.css``) or scripts (``.js``) of the folder."""
    return [name for name in names_in("templates", "cleancrawl.report") if name.endswith(suffix)]


@cache
def _environment() -> Environment:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise MissingExtra("Jinja2", "report") from None
    environment = Environment(
        loader=PackageLoader("cleancrawl.report", "templates"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(policy=policy, asset=_markup_of)
    environment.filters.update(web_address=web_address)
    return environment


def web_address(url: str | None) -> str | None:
    """The address where it is one of the web, else None: nothing else becomes a link.

    >>> web_address("https://e.org/?a&b"), web_address("javascript:x"), web_address(None)
    ('https://e.org/?a&b', None, None)
    """
    return url if url and url.lower().startswith(("http://", "https://")) else None


def _shown(value: Any) -> Any:
    """What stands for a value in a page: text without characters that no reader sees."""
    return printable(value) if type(value) is str else "" if value is None else value


def _markup_of(name: str) -> Any:
    from markupsafe import Markup

    return Markup(_read(name))


def _sources(names: Iterable[str]) -> str:
    return " ".join(f"'sha256-{_hash(name)}'" for name in names) or "'none'"


@cache
def _hash(name: str) -> str:
    return b64encode(sha256(_read(name).encode()).digest()).decode()


@cache
def _read(name: str) -> str:
    return read_text(f"templates/{name}", "cleancrawl.report")
