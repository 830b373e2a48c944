"""Counts phrases that make English hard to read, and fails if they are too frequent.

    check_english.py ROOT                   counts them in the whole tree
    check_english.py ROOT --change BASE     lists them in the lines changed since a commit

The script reads comments, display names of tests, and the text of pages, without code in backticks.
Each phrase can be correct in its context, so only the rate matters. Files that git does not track
are skipped. Without git, the script reads all files outside of hidden folders.
"""

import os
import pathlib
import re
import subprocess
import sys

from check_pages import prose

# The maximum of hits per 100 lines of text. At first, code had 0.39 and pages had 0.27: a higher rate
# shows that new text is harder to read. Short changes vary more, and a few hits are always accepted.
LIMITS = {"code": 0.8, "pages": 0.6, "the change": 5}
ACCEPTED = 2

PATTERNS = {re.compile(pattern): hint for pattern, hint in {
    r"(?:^|[.:] )(?:Wh(?:at|o|om|ose)(?:ever)?|Of (?:an?|each|the|whom))\b(?!.*\?)": "name the actor",
    r"\b(?:what|whatever|whoever|whom|whose)\b": "name the thing or the person",
    r"(?<!people )(?<!person )\bwho\b": "name the person",
    r"; (?=[a-z`])": "write two sentences",
    r"\b[Ww]here (?:there|it|that|they|nothing|nobody|one|this|no)\b": "if, when",
    r"\b(?:lie|lies|lay)\b": "is, is stored",
    r"\bso (?:many|long|much|often|late|few)\b": "name the quantity",
    r"\b(?:says|said|tells|told)\b": "returns, reports, shows",
    r"\b(?:that|those) of\b": "repeat the noun",
    r"\b(?:is|are|was|were) to (?!(?:the|an?|its|this|each|all)\b)[a-z]+": "must, should",
    r"(?<![Tt]here )\b(?:is|are|was|were) no\b(?! (?:longer|more)\b)": "is not, has no",
    r"\b(?:nobody|somebody)\b": "no person, a person",
    r"(?<!are )\bnone\b": "repeat the noun: no frames",
    r"\b(?:anew|beside|now and then|in vain)\b": "again, next to, sometimes, failed",
    r"\b(?:be had|heeds?|by turns|for want of)\b": "be available, comply with, in turn, without",
}.items()}
COMMENTS = dict.fromkeys(
    [".c", ".h", ".js", ".swift"], re.compile(r"(?:^\s*(?:///?|/\*+|\*)|\s//)\s(.*)"))
COMMENTS |= dict.fromkeys([".build", ".py", ".sh", "script"], re.compile(r"(?:^|\s)#\s(.*)"))
# Names of tests, and documentation strings. The second alternative consumes all other strings.
QUOTED = {
    ".swift": re.compile(r'@(?:Suite|Test)\(\s*"((?:[^"\\]|\\.)*)"'),
    ".py": re.compile(r'^[ \t]*"""(.*?)"""|""".*?"""', re.MULTILINE | re.DOTALL)}
NOT_TEXT = re.compile(r"`[^`]*`|\]\([^)]*\)")


def git(root, *arguments):
    """Returns the output of git, or None if it fails, for example outside of a repository."""
    try:
        result = subprocess.run(
            ["git", "-C", root, "-c", "core.quotePath=off", *arguments],
            check=True, capture_output=True, text=True, errors="replace")
    except (FileNotFoundError, subprocess.CalledProcessError):
        return None
    return result.stdout


def files(root):
    """Returns the tracked files, or all files if the tree is not a repository of its own.

    An exported tree may be an ignored folder of another repository.
    """
    if tracked := git(root, "ls-files", "-z"):
        return [root / name for name in tracked.split("\0") if name]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [each for each in folders if not each.startswith(".")]
        found += [pathlib.Path(folder, name) for name in names]
    return found


def texts(file):
    """Returns the lines of English text in a file, by line number."""
    if file.suffix == ".md":
        return {number: line for number, line in prose(file) if re.match(r"(?!<!--)\W*\w", line)}
    kind = file.suffix or "script"
    content = file.read_text(errors="replace") if kind in COMMENTS else ""
    if not content or kind == "script" and not content.startswith("#!"):
        return {}
    comments = map(COMMENTS[kind].search, content.split("\n"))
    found = {number: match[1] for number, match in enumerate(comments, 1) if match}
    for match in QUOTED[kind].finditer(content) if kind in QUOTED else ():
        first = content.count("\n", 0, match.start(1)) + 1
        found |= enumerate((match[1] or "").split("\n"), first)
    return {number: text.strip() for number, text in found.items() if text.strip()}


def hits(text):
    """Returns the hard phrases of a line, with hints."""
    text = NOT_TEXT.sub("`", text)
    return [(match[0].strip(" .:"), hint)
            for pattern, hint in PATTERNS.items() for match in pattern.finditer(text)]


def changed_lines(root, base):
    """Returns the numbers of the lines that are new since a commit, by file."""
    found, numbers = {}, set()
    changes = git(root, "diff", "--unified=0", "--no-color", "--no-ext-diff", "--relative",
                  "--dst-prefix=new/", base, "--")
    if changes is None:
        sys.exit(f"git cannot compare with {base}")
    for line in changes.splitlines():
        if line.startswith("+++ new/"):
            numbers = found.setdefault(root / line[8:].rstrip("\t"), set())
        elif hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            numbers.update(range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1)))
    return found


def survey(root, base=None):
    """Returns the messages about each line of text, by the names of LIMITS."""
    changed = changed_lines(root, base) if base else None
    found = {"the change": []} if base else {"code": [], "pages": []}
    for file in files(root):
        if file.is_symlink() or not file.is_file() or base and file not in changed:
            continue
        group = "the change" if base else "pages" if file.suffix == ".md" else "code"
        for number, text in texts(file).items():
            if not base or number in changed[file]:
                place = f"{file.relative_to(root)}:{number}"
                found[group].append([f"{place}: {phrase} ({hint})" for phrase, hint in hits(text)])
    return found


def main(arguments):
    if len(arguments) not in (1, 3) or arguments[1:2] not in ([], ["--change"]):
        sys.exit(__doc__)
    failed = False
    for group, lines in survey(pathlib.Path(arguments[0]).resolve(), *arguments[2:]).items():
        messages = [message for line in lines for message in line]
        rate, limit = 100 * len(messages) / max(len(lines), 1), LIMITS[group]
        too_many = rate > limit and len(messages) > ACCEPTED
        if too_many or arguments[1:]:
            print("".join(f"{each}\n" for each in messages), end="")
        print(f"{group}: {len(lines)} lines, {rate:.2f} hits per 100, maximum {limit}")
        failed = failed or too_many
    sys.exit(failed)


if __name__ == "__main__":
    main(sys.argv[1:])
