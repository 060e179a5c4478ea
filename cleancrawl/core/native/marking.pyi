from collections.abc import Sequence

class Lexicon:
    def __init__(
        self,
        bits: dict[str, int],
        phrases: dict[str, list[tuple[list[str], int, int]]],
        plain: bytes,
        edges: str,
        stop_bit: int,
        phrase_bit: int,
        sample: dict[str, int],
    ) -> None: ...
    def said(self, texts: Sequence[str]) -> bytearray: ...
