"""The Hub's API: models by task, name and id, and the first paragraph of their cards.

We send plain requests, because the Hub's client blocks and limits neither time nor size
(docs/adr/0081). Its types parse the replies.
"""

import asyncio
import textwrap
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar
from urllib.parse import quote

import aiohttp
from huggingface_hub.hf_api import ModelInfo
from markdown_it import MarkdownIt
from pydantic_core import from_json
from yarl import URL

from adapters.bounds import read_bounded
from adapters.huggingface.parameters import list_known
from adapters.huggingface.place import HOSTED
from adapters.huggingface.provider_calls import can_call
from adapters.huggingface.tags import KINDS_OF, find_task
from adapters.model_list import list_offers, read_rows
from adapters.network.connections import open_session
from adapters.network.proxies import DIRECT, Network
from adapters.wire.decode import UNREADABLE, parse_json
from pipeline.bounds import check_parts
from pipeline.domain import Model, Price
from pipeline.selection.curated import OWN_INFERENCE
from pipeline.text.languages import normalize_code

T = TypeVar("T")
_EXPAND = (
    "cardData",
    "disabled",
    "downloads",
    "gated",
    "inferenceProviderMapping",
    "likes",
    "pipeline_tag",
    "private",
    "safetensors",
    "sha",
    "tags",
)
_NEEDED = ("id", "pipeline_tag", "inferenceProviderMapping")
"""The fields without which a model cannot be called."""
Prices = Mapping[str, Mapping[str, Price]]
"""Model → provider → price."""

_MAX_LIST = 8 << 20
_MAX_PRICES = 16 << 20
_MAX_CARD = 256 << 10
_ENOUGH_PROSE = 120
"""Characters up to which paragraphs of a card are joined."""
_MAX_PROSE = 240
"""Characters at which they are cut."""
_MIN_WORDS = 5
_TAGS = 20
_BYTES: Mapping[str, int] = {
    **dict.fromkeys(("F64", "I64", "U64"), 8),
    **dict.fromkeys(("F32", "I32", "U32"), 4),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 2),
}
"""Of a parameter in safetensors files; 1 in all other types."""
_ONE_PAIR = "opus-mt-"
"""In ids of models that end in the codes of their two languages."""
_ONE_VOICE = "mms-tts-"
"""In ids of models that end in the code of their only language."""
_SECONDS = 10.0
_MAX_MOVES = 3
_MOVED = frozenset({301, 302, 307, 308})
_MISSING = frozenset({401, 403, 404, 410})
"""For models that do not exist, or that we may not see."""


class HubUnavailable(Exception):
    """The Hub could not be reached, or its reply could not be parsed."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The models of a list, and how many of its rows could not be read."""

    models: tuple[Model, ...]
    dropped: int = 0


@asynccontextmanager
async def open_hub(
    endpoint: str, *, token: str = "", router: str = "", network: Network = DIRECT
) -> AsyncIterator["Hub"]:
    """Open the Hub at `endpoint`, and the router that lists prices."""
    async with open_session(network, seconds=_SECONDS, token=token) as session:
        yield Hub(session, endpoint.rstrip("/"), router.rstrip("/"))


@dataclass(frozen=True, slots=True)
class Hub:
    """A client of the Hub. Every method raises HubUnavailable."""

    session: aiohttp.ClientSession
    endpoint: str
    router: str = ""

    async def list_served(self, tag: str, *, limit: int) -> Listing:
        """Models of a task that any provider serves, the most downloaded first."""
        found = await self._list(pipeline_tag=tag, inference_provider="all", limit=str(limit))
        return replace(found, models=tuple(model for model in found.models if model.places))

    async def search(self, words: str, *, limit: int) -> Sequence[Model]:
        """Models whose name contains the words, served or not, the most downloaded first."""
        return (await self._list(search=words, limit=str(limit))).models

    async def find(self, id_: str) -> Model | None:
        """The model with this id; None if there is none, or it cannot be parsed."""
        path = f"/api/models/{quote(id_, safe='/')}"
        body = await self._get(f"{self.endpoint}{path}", _MAX_LIST, {})
        found = await _parse(parse_models, b"[" + body + b"]") if body else Listing(())
        return next(iter(found.models), None)

    async def describe(self, id_: str) -> str:
        """The first paragraph of a model's card; "" if there is none."""
        path = f"/{quote(id_, safe='/')}/raw/main/README.md"
        body = await self._get(f"{self.endpoint}{path}", _MAX_CARD)
        card = (body or b"").decode("utf-8", "replace")
        return await asyncio.to_thread(find_first_prose, card)

    async def fetch_prices(self) -> Prices:
        """The prices of language models at the router's providers; empty if there are none."""
        body = await self._get(f"{self.router}/v1/models", _MAX_PRICES)
        return await _parse(parse_prices, body or b'{"data": []}')

    async def _list(self, **query: str) -> Listing:
        url, query = f"{self.endpoint}/api/models", {**query, "sort": "downloads"}
        body = await self._get(url, _MAX_LIST, query)
        if body is None:  # an empty list would be kept for hours
            raise HubUnavailable("the Hub refused the list: is the token valid?")
        found = await _parse(parse_models, body)
        if found.dropped and not found.models:
            raise HubUnavailable(f"none of the list's {found.dropped} rows can be read")
        return found

    async def _get(
        self, address: str, max_bytes: int, query: Mapping[str, str] | None = None
    ) -> bytes | None:
        """The body, or None if not found. Without a query, a long body is truncated."""
        pairs = () if query is None else (*query.items(), *(("expand", name) for name in _EXPAND))
        url = URL(address, encoded=True).extend_query(pairs)
        try:
            status, body = await self._follow(url, max_bytes)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise HubUnavailable("the Hub was not reached") from error
        if status in _MISSING:
            return None
        if status != 200:  # noqa: PLR2004 - OK
            raise HubUnavailable(f"the Hub answered {status}")
        if len(body) > max_bytes and query is not None:
            raise HubUnavailable("the Hub's answer is too large")
        return body[:max_bytes]

    async def _follow(self, url: URL, max_bytes: int) -> tuple[int, bytes]:
        """Status and body. Follows redirects of renamed models, but only within the Hub."""
        for _ in range(_MAX_MOVES):
            async with self.session.get(url, allow_redirects=False) as response:
                target = url.join(URL(response.headers.get("Location", ""), encoded=True))
                if response.status not in _MOVED or target.origin() != url.origin():
                    return response.status, await read_bounded(response, max_bytes)
            url = url.with_path(target.raw_path, encoded=True, keep_query=True)
        raise HubUnavailable("the Hub redirects without end")


async def _parse(parse: Callable[[bytes], T], body: bytes) -> T:
    try:
        return await asyncio.to_thread(parse, body)
    except UNREADABLE as error:
        raise HubUnavailable("the Hub's answer cannot be read") from error


def find_first_prose(card: str) -> str:
    """The first paragraphs of a model card that read as prose, in one line, cut at a word.

    One paragraph if it is long enough to tell what the model does, else as many as it takes.
    """
    if card.lstrip().startswith("---"):
        _, _, rest = card.lstrip()[3:].partition("\n---")
        card = rest.partition("\n")[2]
    prose = ""
    for opening, inline in pairwise(MarkdownIt("commonmark").parse(card)):
        if opening.type != "paragraph_open" or opening.level > 0:
            continue
        parts = (part for part in inline.children or () if part.type in ("text", "code_inline"))
        words = " ".join(part.content for part in parts).split()
        if len(words) >= _MIN_WORDS:
            prose = f"{prose} {' '.join(words)[: 2 * _MAX_PROSE]}".strip()
        if len(prose) >= _ENOUGH_PROSE:
            break
    return textwrap.shorten(prose, _MAX_PROSE, placeholder=" …")


def parse_models(body: bytes) -> Listing:
    """The models of a list, without those that are private or disabled. Raises ValueError.

    `kind` is the first of our kinds for the model's task, "" if there is none. A model without
    places is not served by any provider.
    """
    check_parts(body)
    rows = from_json(body)
    if not isinstance(rows, list):
        raise ValueError("no list of models")  # noqa: TRY004 - the data is invalid
    shown = [row for row in rows if not _is_hidden(row)]
    models = tuple(model for row in shown for model in _parse_row(row))
    return Listing(models, len(shown) - len(models))


def parse_prices(body: bytes) -> Prices:
    """The prices in the router's list of models, in US dollars per million tokens.

    Raises one of UNREADABLE.
    """
    rows = parse_json(body)["data"]
    prices: dict[str, dict[str, Price]] = {}
    for offer in list_offers(read_rows({"data": rows})):
        if offer.price is not None:
            prices.setdefault(offer.model, {})[offer.provider] = offer.price
    if rows and not prices:
        raise ValueError("no list of a router")
    return prices


def _is_hidden(row: object) -> bool:
    return isinstance(row, Mapping) and bool(row.get("private") or row.get("disabled"))


def _parse_row(row: object) -> Iterator[Model]:
    if not isinstance(row, Mapping):
        return
    try:
        info: Any = ModelInfo(**{name: row[name] for name in _NEEDED if name in row})  # type: ignore[no-untyped-call]
        yield _to_model(info, row)
    except UNREADABLE:
        return


def _to_model(info: Any, row: Mapping[str, Any]) -> Model:  # noqa: ANN401 - the library's, untyped where it matters
    """A model, of which only what is needed to call it must be readable."""
    tag = str(info.pipeline_tag or "")
    providers = tuple(_find_providers(info, tag))
    names = {provider.partition(":")[0]: provider for provider in providers}
    takes = {
        name: list_known(name, find_task(tag), f"{provider} {info.id}")
        for name, provider in names.items()
    }
    card = row.get("cardData")
    card = card if isinstance(card, Mapping) else {}
    tags = _to_words(row.get("tags"))
    languages, writes = _find_languages(str(info.id), tag, _to_words(card.get("language")))
    return Model(
        id=str(info.id),
        kind=KINDS_OF.get(tag, ("",))[0],
        places=(HOSTED,) if providers else (),
        revision=str(row.get("sha") or ""),
        licence=_find_licence(tags, card),
        downloads=_to_count(row.get("downloads")),
        likes=_to_count(row.get("likes")),
        languages=languages,
        writes=writes,
        tags=tuple(name for name in tags if ":" not in name)[:_TAGS],
        gated=bool(row.get("gated")),
        size=_find_size(row.get("safetensors")),
        providers=providers,
        takes={name: known for name, known in takes.items() if known},
    )


def _find_providers(info: Any, tag: str) -> Iterator[str]:  # noqa: ANN401 - as above
    """The live providers that we can call for this task, in the Hub's order."""
    task = find_task(tag)
    for mapping in info.inference_provider_mapping or ():
        is_live = mapping.status == "live" and mapping.task == task and not mapping.adapter
        if mapping.provider == OWN_INFERENCE:
            is_callable = task != "conversational"
        else:
            is_callable = can_call(mapping.provider, task)
        if is_live and is_callable:
            yield f"{mapping.provider}:{mapping.provider_id}"


def _find_languages(
    id_: str, tag: str, listed: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The languages that a model knows and, if these are fewer, those that it writes.

    Models for one pair of languages are named after it: opus-mt-de-en translates from German. If
    one of the names is no code (opus-mt-en-jap), it is the other language of the card.
    """
    *_, source, target = ("", "", *map(normalize_code, id_.replace("_", "-").split("-")))
    if _ONE_VOICE in id_ and target:
        return (target,), ()
    if tag != "translation":
        return listed, ()
    if _ONE_PAIR in id_ and bool(source) != bool(target):
        others = {normalize_code(name) for name in listed} - {source, target}
        other = others.pop() if len(others) == 1 else ""
        source, target = source or other, target or other
    return ((source, target), (target,)) if source and target else (listed, ())


def _find_size(safetensors: object) -> int:
    """The bytes of a model's weights; -1 if unknown."""
    match safetensors:
        case {"parameters": dict(parameters)}:
            counts = {str(kind): _to_count(count) for kind, count in parameters.items()}
            return sum(_BYTES.get(kind, 1) * count for kind, count in counts.items()) or -1
        case _:
            return -1


def _to_count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _find_licence(tags: Iterable[str], card: Mapping[str, Any]) -> str:
    """All licences of a model. A custom one is "other (name)": "mit-like" is not MIT."""
    tagged = (tag.partition(":")[2] for tag in tags if tag.startswith("license:"))
    licences = _to_words(card.get("license")) or tuple(tagged)
    name = str(card.get("license_name") or "")
    other = f"other ({name})" if name else "other"
    return ", ".join(other if licence == "other" else licence for licence in licences)


def _to_words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(map(str, value)) if isinstance(value, Sequence) else ()
