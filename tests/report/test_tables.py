from __future__ import annotations

from analyse.collecting import RATERS, simulated, written
from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.report.page import make_page


def test_every_row_has_a_cell_for_each_column(protocol: Protocol) -> None:
    for collected in (simulated(protocol), written(protocol, {}), written(protocol, dict.fromkeys(RATERS, "++++++++"))):
        page = make_page(protocol, collected, analyse(protocol, collected))
        for table in (*page.tables.values(), page.evidence):
            assert {len(row) for row in table.rows} <= {len(table.columns)}, table.key
