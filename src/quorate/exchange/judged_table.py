"""The items' own table with the judges' scores in columns of their own: `caption_score_ai` beside `caption`."""

from __future__ import annotations

from typing import Any

from quorate.media import as_it_came
from quorate.protocol import Protocol
from quorate.spreadsheets import csv_table
from quorate.store import Tx

SUFFIX = "_ai"


def scored_table(tx: Tx, protocol: Protocol) -> str:
    """CSV: every field of the items as it came, then one column a judged question; what has no score is empty.

    Of several judges that answer one question, the last named in the study file fills its column.
    """
    judged: dict[tuple[str, str], Any] = {}
    for id in protocol.file.judges:
        for answer in tx.latest_answers(id, by="judge"):
            if answer.reason is None:
                judged[answer.item, answer.question] = answer.value
    asked = [ask.id for section in protocol.sections for ask in section.ask]
    questions = [question for question in asked if any(key[1] == question for key in judged)]
    # Lines of JSON need not all have the same fields.
    fields = list(dict.fromkeys(name for item in protocol.pool for name in as_it_came(item.fields)))
    columns = [*fields, *(f"{question}{SUFFIX}" for question in questions)]
    rows = (
        [*map(item.fields.get, fields), *(judged.get((item.id, question)) for question in questions)]
        for item in protocol.pool
    )
    return csv_table(columns, rows, as_they_came=fields)
