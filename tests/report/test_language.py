from __future__ import annotations

import re

import pytest

from analyse.simulating import simulate, template
from quorate.analyse import analyse
from quorate.errors import StudyError
from quorate.report.html import html
from quorate.report.language import check_language
from quorate.report.page import make_page


def test_the_report_is_written_in_chinese_with_the_studys_own_words() -> None:
    protocol = template("dialogue")
    collected = simulate(protocol)
    page = make_page(protocol, collected, analyse(protocol, collected), "zh")
    text = html(page)
    assert '<html lang="zh">' in text
    for words in ("图像对话回复评估", "标注者间一致性", "推理完整性", "加权得分", "数据显示的局限"):
        assert words in text, words
    assert not [limit for limit in page.limits if re.fullmatch(r"[\x00-\x7f’“”κ]+", limit)]


def test_numbers_are_the_same_in_both_languages() -> None:
    protocol = template("document-extraction")
    collected = simulate(protocol)
    results = analyse(protocol, collected)
    english, chinese = (make_page(protocol, collected, results, language) for language in ("en", "zh"))
    for key, table in english.tables.items():
        numbers = [[cell.text for cell in row if re.fullmatch(r"[−\d.%]+", cell.text)] for row in table.rows]
        other = [[c.text for c in row if re.fullmatch(r"[−\d.%]+", c.text)] for row in chinese.tables[key].rows]
        assert numbers == other, key


def test_a_language_without_a_catalogue_is_refused() -> None:
    with pytest.raises(StudyError, match="There is no report in 'fr'"):
        check_language("fr")
