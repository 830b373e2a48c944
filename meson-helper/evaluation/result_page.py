"""Writes a page with the worst mattes. The page refers only to pictures in its own folder."""

import html
import urllib.parse

# The minimum distance between two frames of a clip on the page. Adjacent frames look the same.
FRAMES_APART = 10

STYLE = """
:root { color-scheme: light dark; --rule: #8886; --faint: #888; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 3rem; border-top: 1px solid var(--rule); padding-top: 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: .2rem 1.2rem .2rem 0; text-align: left; border-bottom: 1px solid var(--rule); }
.number { text-align: right; }
small, .faint, figcaption { color: var(--faint); }
.case { margin: 1.2rem 0; }
.case p { margin: 0 0 .3rem; }
.pictures { display: grid; gap: .4rem;
  grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); }
figure { margin: 0; }
img { width: 100%; display: block; background: #777; }
figcaption { font-size: .8rem; }
"""
NOTE = (
    "Difference: red is shown and should be hidden, blue is hidden and should be shown. "
    "Change: alpha that rose (red) or fell (blue) since the previous frame where the truth did not, "
    "amplified three times. "
    "Shows: percent of the pictures that show more than a hundredth of the room. "
    "Click a picture to open it alone."
)


def worst(badness, count, apart=1):
    """Returns the indices of the largest values, worst first and at least `apart` apart."""
    chosen = []
    for index in sorted(range(len(badness)), key=lambda index: badness[index], reverse=True):
        if len(chosen) == count:
            break
        if all(abs(index - other) >= apart for other in chosen):
            chosen.append(index)
    return chosen


def worst_mattes(cases, count, is_clip):
    badness = [(-case["IoU"], case["MAD"]) for case in cases]
    return worst(badness, count, FRAMES_APART if is_clip else 1)


def worst_changes(cases, count):
    """Returns the frames in which the matte's change differs most from the truth's change."""
    badness = [case.get("dtSSD", 0) for case in cases]
    return [index for index in worst(badness, count, FRAMES_APART) if badness[index] > 0]


def number(metric, value):
    """Formats a metric."""
    if isinstance(value, int):
        return str(value)
    return f"{value:.2f}" if metric in ("MAD", "dtSSD") else f"{value:.4f}"


def metrics_of(results):
    """Returns the metrics that any of the results contains, in their order."""
    order = ("n", "IoU", "P10 IoU", "F", "MAD", "shows", "dtSSD", "others", "seen")
    return [metric for metric in order if any(metric in result for result in results)]


def table(results):
    """Returns the head of a table and its rows, as text."""
    metrics = metrics_of(results)
    texts = ["set", "quality"]
    rows = [[*texts, *metrics, "network"]]
    for result in results:
        numbers = [number(each, result[each]) if each in result else "" for each in metrics]
        rows.append([*(result[text] for text in texts), *numbers, result["network"]])
    return rows


def sentences(results):
    """Returns a sentence about each set."""
    complete = {}
    for result in results:
        complete.setdefault(result["set"], {})[result["quality"]] = result
    for name, found in complete.items():
        best, *others = sorted(found.values(), key=lambda each: -each["IoU"])
        text = f"{name}: {best['quality']} has an IoU of {best['IoU']:.3f} with the truth"
        if others:
            rest = ", ".join(f"{each['quality']} {each['IoU']:.3f}" for each in others)
            text += f" ({rest})"
        what = "frames" if "dtSSD" in best else "pictures"
        yield (
            f"{text}; {best['shows']:.0f} % of its {best['n']} {what} show more than a hundredth of"
            " the room."
        )


def html_table(results):
    metrics = metrics_of(results)
    texts = ("set", "quality")
    heads = [f"<th>{text}</th>" for text in (*texts, *metrics, "network")]
    lines = ['<div class="wide"><table>', f"<tr>{''.join(heads)}</tr>"]
    for result in results:
        cells = [f"<td>{html.escape(result[text])}</td>" for text in texts]
        for metric in metrics:
            text = number(metric, result[metric]) if metric in result else ""
            cells.append(f'<td class="number">{text}</td>')
        lines.append(f"<tr>{''.join(cells)}<td>{html.escape(result['network'])}</td></tr>")
    return [*lines, "</table></div>"]


class Page:
    """The page. Each addition rewrites the file."""

    def __init__(self, folder, settings):
        self.folder = folder
        # Name -> text.
        self.settings = settings
        self.sections = []

    def add(self, result, parts):
        """Adds the cases of one result.

        A part is a title, indices of cases, and columns. A column is a caption and a function. The
        function returns the path of the picture for an index, relative to the page's folder.
        """
        title = html.escape(f"{result['set']}, {result['quality']}")
        anchor = f"section-{len(self.sections) + 1}"
        lines = [f'<h2 id="{anchor}">{title}</h2>']
        for heading, indices, columns in parts:
            if indices:
                lines.append(f"<h3>{html.escape(heading)}</h3>")
            for place, index in enumerate(indices, 1):
                lines += self.case(place, result["cases"][index], index, columns)
        self.sections.append((anchor, title, lines))

    def case(self, place, case, index, columns):
        numbers = [f"{name} {number(name, case[name])}" for name in metrics_of([case])]
        yield f'<div class="case"><p><b>{place}. {html.escape(case["name"])}</b>'
        yield f'<span class="faint">{", ".join(numbers)}</span></p><div class="pictures">'
        for caption, path_of in columns:
            source = html.escape(urllib.parse.quote(path_of(index).as_posix()))
            yield f'<figure><a href="{source}"><img src="{source}" alt="{html.escape(caption)}"'
            yield f'loading="lazy"></a><figcaption>{html.escape(caption)}</figcaption></figure>'
        yield "</div></div>"

    def write(self, results):
        lines = ['<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">']
        lines += ['<meta name="viewport" content="width=device-width">']
        lines += [f"<title>Mattes of vbgfilter</title><style>{STYLE}</style></head><body>"]
        lines += ["<h1>Mattes of vbgfilter</h1>", '<p class="faint">']
        lines += ["<br>".join(html.escape(f"{k}: {v}") for k, v in self.settings.items()), "</p>"]
        lines += html_table(results)
        links = (f'<a href="#{anchor}">{title}</a>' for anchor, title, _ in self.sections)
        lines += ["<p>The worst cases of", " · ".join(links), f'</p><p class="faint">{NOTE}</p>']
        for _, _, section in self.sections:
            lines += section
        lines.append("</body></html>")
        (self.folder / "index.html").write_text("\n".join(lines) + "\n", encoding="utf-8")
