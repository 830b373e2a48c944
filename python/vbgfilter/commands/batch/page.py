"""The result page: one HTML file with the result of each clip, failures first."""

import html
from collections.abc import Iterable

from vbgfilter.commands.batch.records import Record
from vbgfilter.commands.names import shown

NAME = "vbgfilter-batch.html"
# A thumbnail takes about 5 kB. A page with 1000 thumbnails still opens quickly.
_MAX_THUMBNAILS = 1000
_STYLE = """
body { font: 15px system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em }
table { border-collapse: collapse; width: 100% }
th, td { padding: .4em .8em; text-align: left; border-bottom: 1px solid #8884 }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
img { display: block; width: 160px; border-radius: 4px }
.failed { color: #c22 }
@media (prefers-color-scheme: dark) {
  body { background: #111; color: #ddd }
  .failed { color: #f77 }
}
"""
_NUMBERS = ("frames", "hidden", "seconds", "frames/s", "core seconds")


def make_page(source: str, target: str, records: Iterable[Record], summary: str) -> bytes:
    """Returns a page with all records. The page is self-contained."""
    ordered = sorted(records, key=lambda each: (each.status != "failed", each.name))
    shown = {each.name for each in [one for one in ordered if one.thumbnail][:_MAX_THUMBNAILS]}
    rows = "\n".join(_row(each, each.name in shown) for each in ordered)
    heads = "".join(f'<th class="number">{each}</th>' for each in _NUMBERS)
    title = _text(f"{source} → {target}")
    text = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>vbgfilter batch</title>
<style>{_STYLE}</style>
<h1>vbgfilter batch</h1>
<p>{title}</p>
<p>{_text(summary)}</p>
<table>
<tr><th></th><th>clip</th>{heads}</tr>
{rows}
</table>
</html>
"""
    return text.encode()


def _text(text: str) -> str:
    """Escapes an untrusted text for the page."""
    return html.escape(shown(text))


def _row(record: Record, with_thumbnail: bool) -> str:
    name = _text(record.name)
    if record.status == "failed":
        error = _text(record.error)
        return f'<tr class="failed"><td>failed</td><td>{name}</td><td colspan="5">{error}</td></tr>'
    picture = _text(f"data:image/jpeg;base64,{record.thumbnail}")
    image = f'<img alt="" src="{picture}">' if with_thumbnail else ""
    rate = record.frames / record.seconds if record.seconds else 0
    numbers = (
        f"{record.frames}", f"{record.hidden}", f"{record.seconds:.1f}", f"{rate:.1f}",
        f"{record.cpu_seconds:.1f}",
    )  # fmt: skip
    cells = "".join(f'<td class="number">{each}</td>' for each in numbers)
    notes = "".join(f"<br><small>{_text(each)}</small>" for each in record.notes)
    return f"<tr><td>{image}</td><td>{name}{notes}</td>{cells}</tr>"
