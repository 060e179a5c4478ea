from lxml import etree

from cleancrawl.core.html.head import Head
from cleancrawl.core.rules.attributes import AttributeRules, Hit
from cleancrawl.core.segmentation.text_layout import Ints

class Segmentation:
    texts: list[str]
    hits: dict[int, Hit]
    social: dict[int, tuple[str, int]]
    unseen: int

    def __init__(self, rules: AttributeRules) -> None: ...
    def walk(self, root: etree._Element) -> bool: ...
    def result(self) -> tuple[Ints, Ints, Head]: ...

def is_wide(body: bytes, limit: int) -> bool: ...
