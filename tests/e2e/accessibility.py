"""What axe finds wrong with a page by the rules of WCAG 2.2 AA."""

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


async def find_violations(page: Page, *rules: str) -> list[str]:
    """Each rule that is broken, with the first elements that break it; or of these rules alone."""
    only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": _TAGS}
    found = await Axe().run(page, options={"runOnly": only, "resultTypes": ["violations"]})
    return [
        f"{each['id']}: {each['help']}: {[node['html'][:200] for node in each['nodes'][:3]]}"
        for each in found.response["violations"]
    ]
