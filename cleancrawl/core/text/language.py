"""The language of a text that does not say it."""

from __future__ import annotations

import re
from collections import Counter
from operator import itemgetter

from cleancrawl.core.text.stop_words import function_words, languages_of
from cleancrawl.core.text.words import plain_words

_ENOUGH = 60
_SAMPLE = 2_000
_MODEL_SAMPLE = 800
_SCRIPT_SAMPLE = 400
_KANA = r"\u3040-\u30ff"
_SCRIPTS = (
    # Japanese mixes kana with Han characters, Chinese has none.
    ("ja", re.compile(rf"[{_KANA}]|[\u3400-\u9fff](?=[\u3400-\u9fff]{{0,6}}[{_KANA}])")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
)
_VOTES = 0.12
"""Share of the words that must be function words of the language: of running text a third to a half are …"""
_RIVAL = 0.5
"""… and how near another language may come, where a word that several share counts less for each of them."""


def detect_language(text: str) -> str | None:
    """The language as a two-letter code, or None where the text is too short to tell.

    >>> detect_language("Der Rat der Stadt hat am Montag beschlossen, dass die Brücke bis zum Sommer erneuert wird.")
    'de'
    >>> detect_language("ok") is None
    True
    """
    if len(text) < _ENOUGH and text.isascii():
        return None
    # Where every tenth character is lost the text was decoded wrongly, and whatever a detector says is wrong too.
    if not text.strip() or text.count("\ufffd") * 10 > len(text):
        return None
    told = by_script(text) or by_function_words(text)
    if told is not None:
        return told
    # Loading the detector's model takes as long as a hundred pages: only for what function words do not settle.
    from py3langid.langid import classify

    return str(classify(text[:_MODEL_SAMPLE])[0])


def load_detector() -> None:
    """Load the detector's model before it is needed: for measurements, of which half a second should be no part."""
    from py3langid.langid import classify

    classify("")


def by_script(text: str) -> str | None:
    """The language of a script that one language alone writes, where a third of the text is in it.

    >>> by_script("北京市今天宣布，新的地铁线路将于明年开通。"), by_script("東京は今日、新しい地下鉄の開業を発表した。")
    ('zh', 'ja')
    >>> by_script("서울시는 오늘 새로운 지하철 노선을 발표했다"), by_script("plain words")
    ('ko', None)
    """
    sample = text[:_SCRIPT_SAMPLE]
    if sample.isascii():
        return None
    return next((language for language, script in _SCRIPTS if len(script.findall(sample)) * 3 > len(sample)), None)


def by_function_words(text: str) -> str | None:
    """The language that most function words of the text belong to; None where another one comes near.

    >>> by_function_words("The council said on Monday that it would not be moved by what had been written about it.")
    'en'
    >>> by_function_words("Best lenses of the year: Nikkor Z, Canon RF, Sigma Art, Tamron Di, Sony FE, all with prices")
    'en'
    >>> by_function_words("Regjeringen har i dag godkjent et lovforslag som skal gjøre livet lettere for folk.")
    """
    found = plain_words(text[:_SAMPLE])
    words: Counter[str] = Counter()
    votes: dict[str, float] = {}
    for sharing in map(languages_of, found):
        for language in sharing:
            words[language] += 1
            votes[language] = votes.get(language, 0) + 1 / len(sharing)
    ranked = sorted(votes.items(), key=itemgetter(1), reverse=True)
    (language, most), (_, rival) = (*ranked, ("", 0), ("", 0))[:2]
    if language not in function_words() or words[language] < _VOTES * len(found) or rival > _RIVAL * most:
        return None
    return language
