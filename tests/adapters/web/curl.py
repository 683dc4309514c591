"""Requests as lines of curl in the documentation have them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

import aiohttp


@dataclass
class Curl:
    """A request as a line of curl has it."""

    path: str = ""
    method: str = "GET"
    headers: dict[str, str] = field(default_factory=dict)
    form: list[str] = field(default_factory=list)
    json: str = ""

    @property
    def data(self) -> aiohttp.FormData | str | None:
        if not self.form:
            return self.json or None
        data = aiohttp.FormData(default_to_multipart=True)
        for name, _, value in (each.partition("=") for each in self.form):
            if value.startswith("@"):
                data.add_field(name, b"the file", filename=value[1:])
            else:
                data.add_field(name, value)
        return data


def read_curl(words: list[str]) -> Curl:
    request, rest = Curl(), iter(words)
    for word in rest:
        match word:
            case "-H":
                name, _, value = next(rest).partition(": ")
                request.headers[name] = value
            case "-F":
                request.form.append(next(rest))
                request.method = "POST"
            case "--json":
                request.json, request.method = next(rest), "POST"
                request.headers["Content-Type"] = "application/json"
            case "-X":
                request.method = next(rest)
            case "-o":
                next(rest)
            case "-N":
                pass
            case _:
                assert not request.path, f"an option that the test does not know: {words}"
                request.path = word
    return request


def read_examples(page: str, known: dict[str, str]) -> Iterator[Curl]:
    """The lines of curl in a page of documentation.

    `known` has the values of their variables; each line is read when it is asked for.
    """
    for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL):
        for line in re.split(r"^(?=curl )", block, flags=re.MULTILINE):
            if line.startswith("curl "):
                filled = re.sub(r"\$([A-Z]+)", lambda name: known[name.group(1)], line)
                yield read_curl(shlex.split(filled)[1:])
