"""Pages that say too much about themselves: meta elements, titles, scripts, JSON-LD."""

from __future__ import annotations

from cleancrawl.lab.bench.hostile.attack_table import again_and_again, attack, numbered
from cleancrawl.lab.bench.hostile.markup_attacks import ARTICLE, SENTENCE

_SCRIPT, _END = '<script type="application/ld+json">', "</script>"


def _scripts(inside: str, size: int) -> bytes:
    """JSON-LD in scripts of nearly 2 MB, the largest that are read."""
    script = f"{_SCRIPT}{inside}{_END}"
    return again_and_again(script, size, "", ARTICLE) if len(script) < size else f"{script[:size]}{ARTICLE}".encode()


@attack("meta elements")
def meta_elements(size: int) -> bytes:
    return numbered("<meta name=n# content=one>", size, "<head>", ARTICLE)


@attack("authors in meta elements")
def meta_authors(size: int) -> bytes:
    return numbered("<meta name=author content='Ann Lee #'>", size, "<head>", ARTICLE)


@attack("link elements")
def link_elements(size: int) -> bytes:
    return again_and_again("<link rel=a href=b>", size, "<head>", ARTICLE)


@attack("endless title")
def endless_title(size: int) -> bytes:
    return again_and_again("The bridge - ", size, "<title>", f"</title>{ARTICLE}")


@attack("titles")
def titles(size: int) -> bytes:
    return again_and_again("<title>a</title>", size, "", ARTICLE)


@attack("endless description")
def endless_description(size: int) -> bytes:
    return again_and_again(SENTENCE, size, "<meta name=description content='", f"'>{ARTICLE}")


@attack("endless headline")
def endless_headline(size: int) -> bytes:
    return again_and_again("The bridge, ", size, "<title>The bridge</title><h1>", f"</h1>{ARTICLE}")


@attack("endless script")
def endless_script(size: int) -> bytes:
    return again_and_again('var a = "<p>b</p>"; ', size, "<script>", f"</script>{ARTICLE}")


@attack("endless style sheet")
def endless_sheet(size: int) -> bytes:
    return again_and_again("p > a { color: red } ", size, "<style>", f"</style>{ARTICLE}")


@attack("unclosed script")
def unclosed_script(size: int) -> bytes:
    return again_and_again("<p>a</p>", size, f"{ARTICLE}<script>")


@attack("JSON-LD of lists")
def json_lists(size: int) -> bytes:
    return _scripts(f"[{'[],' * 660_000}[]]", size)


@attack("JSON-LD of objects")
def json_objects(size: int) -> bytes:
    return _scripts(f"[{'{},' * 660_000}{{}}]", size)


@attack("JSON-LD of typed nodes")
def json_nodes(size: int) -> bytes:
    node = '{"@type":"NewsArticle"},'
    return _scripts(f"[{node * 80_000}{node[:-1]}]", size)


@attack("deep JSON-LD")
def deep_json(size: int) -> bytes:
    return _scripts('{"a":' * 390_000, size)


@attack("tiny JSON-LD scripts")
def tiny_json(size: int) -> bytes:
    return again_and_again(f'{_SCRIPT}{{"@type":"Article"}}{_END}', size, "", ARTICLE)


@attack("JSON-LD that only scripts show")
def json_body(size: int) -> bytes:
    return again_and_again(SENTENCE, min(size, 1_900_000), f'{_SCRIPT}{{"articleBody":"', f'"}}{_END}<p>Wait</p>')


@attack("JSON-LD with markup in its text")
def json_markup(size: int) -> bytes:
    return again_and_again("<p>a", min(size, 1_900_000), f'{_SCRIPT}{{"articleBody":"', f'"}}{_END}<p>Wait</p>')
