"""How long a report takes and how soon its page can be used, each beside a baseline of the same run.

    python bench/report.py [n ...]

For each template and number of answers: the seconds of `write_report` (HTML, Markdown, LaTeX and data files; PDF
apart) as a multiple of `analyse` on the same answers; the bytes of the page; and in Chromium the time until the page is
interactive, as a multiple of the same page without its script and without what that reads.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from analyse import TEMPLATES, study

ROUNDS = 3
MEASURED = """() => {
  const [entry] = performance.getEntriesByType("navigation");
  return [entry.domInteractive, entry.loadEventEnd];
}"""


def once(template: str, n: int, folder: str) -> dict:
    """One size in this process: seconds of the analysis, of the report and of its PDF, and where the page is."""
    from quorate.analyse import analyse
    from quorate.report import write_report

    protocol, collected = study(template, n)
    # The items here are the template's again and again, which its own table does not hold.
    export = protocol.file.export.model_copy(update={"own": None})
    protocol = replace(protocol, file=protocol.file.model_copy(update={"export": export}))
    seconds = [_timed(lambda: analyse(protocol, collected))]
    for formats in (("html", "md", "latex"), ("pdf",)):
        seconds.append(_timed(lambda formats=formats: write_report(protocol, collected, folder, formats)))
    found = json.loads((Path(folder) / "results.json").read_text("utf-8"))
    return {"answers": len(collected.answers), "findings": len(found["estimates"]), "seconds": seconds}


def _timed(does) -> float:
    start = time.perf_counter()
    does()
    return time.perf_counter() - start


def bare(page: str) -> str:
    """The same page with nothing but what can be read: no script, and nothing that a script would read."""
    return re.sub(r"<script\b.*?</script>", "", page, flags=re.DOTALL)


def opened(chrome, page: Path) -> tuple[float, float]:
    """Milliseconds until interactive and until loaded: the median of some openings."""
    found = []
    for _ in range(ROUNDS):
        tab = chrome.new_page()
        tab.goto(page.as_uri(), wait_until="load")
        tab.wait_for_function("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
        found.append(tab.evaluate(MEASURED))
        tab.close()
    middle = sorted(found)[ROUNDS // 2]
    return middle[0], middle[1]


def main() -> None:
    """Every size of every template, a line each."""
    if len(sys.argv) == 5 and sys.argv[1] == "--once":
        print(json.dumps(once(sys.argv[2], int(sys.argv[3]), sys.argv[4])))
        return
    from playwright.sync_api import sync_playwright

    sizes = [int(float(size)) for size in sys.argv[1:]] or [1_000, 10_000]
    heads = ("template", "answers", "findings", "analyse s", "report ×", "PDF ×", "page kB", "usable ×", "loaded ms")
    print("".join(f"{head:>18}" if not place else f"{head:>11}" for place, head in enumerate(heads)))
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as room:
        chrome = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for template in TEMPLATES:
            for size in sizes:
                folder = Path(room) / f"{template}-{size}"
                command = [sys.executable, __file__, "--once", template, str(size), str(folder)]
                done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                page = folder / "report.html"
                plain = folder / "bare.html"
                plain.write_text(bare(page.read_text("utf-8")), "utf-8")
                analysis, report, pdf = done["seconds"]
                (usable, loaded), (usable_bare, _) = opened(chrome, page), opened(chrome, plain)
                cells = (
                    f"{done['answers']:,}", f"{done['findings']:,}", f"{analysis:.2f}", f"{report / analysis:.1f}",
                    f"{pdf / analysis:.1f}", f"{page.stat().st_size / 1e3:,.0f}", f"{usable / usable_bare:.2f}",
                    f"{loaded:,.0f}",
                )  # fmt: skip
                print(f"{template:>18}" + "".join(f"{cell:>11}" for cell in cells), flush=True)
        chrome.close()


if __name__ == "__main__":
    main()
