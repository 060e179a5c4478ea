from collections.abc import Set as AbstractSet
from typing import Any

class Setup:
    def __init__(
        self,
        *,
        columns: dict[str, dict[str, int]],
        tags: dict[str, Any],
        characters: dict[str, Any],
        hints: dict[str, Any],
        functions: dict[str, Any],
        line: bytes,
        sizes: AbstractSet[int],
    ) -> None: ...
