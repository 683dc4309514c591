"""The text of a web page. Runs in a worker."""

_MOST_HTML = 5_000_000
"""Characters of a page that are read."""
_BLOCKS = ("p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "title", "section")
"""Elements after which a line ends."""


def read_html(text: str, *, with_head: bool = True) -> str:
    """The text of a page, one block on each line; with `with_head` its title as well."""
    from lxml import html

    parser = html.HTMLParser(encoding="utf-8")
    root = html.document_fromstring(text[:_MOST_HTML].encode() or b"<p>", parser=parser)
    for element in list(root.iter("script", "style", *(() if with_head else ("head",)))):
        element.drop_tree()
    for element in root.iter(*_BLOCKS):
        element.tail = f"\n{element.tail or ''}"
    return "\n".join(" ".join(line.split()) for line in root.text_content().splitlines())
