"""What axe finds wrong with a page by the rules of WCAG 2.2 AA."""

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_OPTIONS = {"runOnly": {"type": "tag", "values": _TAGS}, "resultTypes": ["violations"]}


async def find_violations(page: Page) -> list[str]:
    """Each rule that is broken, with the first elements that break it."""
    found = await Axe().run(page, options=_OPTIONS)
    return [
        f"{each['id']}: {each['help']}: {[node['html'][:200] for node in each['nodes'][:3]]}"
        for each in found.response["violations"]
    ]
