"""What holds for every test: nothing leaves this machine, and no test runs for ever."""

import gc
import ipaddress
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest
import structlog

_SECONDS = 60.0
_LOCAL_NAMES = frozenset({None, "", "localhost", "localhost."})
beyond: list[str] = []
_switch_is_on = False


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"limit(seconds): longer than {_SECONDS:.0f} s for a test")
    _turn_the_switch_on()
    _log_plainly()


def _log_plainly() -> None:
    """As the program does. The default draws the source and the values of every frame, a second for
    each error.
    """
    *before, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*before, plain])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: while some wait for a program or a moment to come, the
    others work.
    """
    on_linux = sys.platform == "linux"
    return (len(os.sched_getaffinity(0)) if on_linux else os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is loaded for all tests is not looked through for garbage, again and again: a third of
    the time of collecting.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _turn_the_switch_on() -> None:
    """Audit hooks stay for the life of a process, so one is enough."""
    global _switch_is_on  # noqa: PLW0603 - as lasting as the hook itself
    if not _switch_is_on:
        sys.addaudithook(_refuse_what_leaves_this_machine)
        _switch_is_on = True


def _refuse_what_leaves_this_machine(event: str, args: tuple[Any, ...]) -> None:
    match event, args:
        case ("socket.connect" | "socket.sendto", (_, (str(host), *_))):
            _refuse(host)
        case ("socket.getaddrinfo" | "socket.gethostbyname", (host, *_)):
            _refuse(host.decode() if isinstance(host, bytes) else host)
        case _:
            pass


def _refuse(host: str | None) -> None:
    if not _is_local(host):
        beyond.append(str(host))
        raise RuntimeError(f"a test reached beyond loopback: {host}")


def _is_local(host: str | None) -> bool:
    if host in _LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


@pytest.fixture(autouse=True)
def _nothing_beyond_loopback() -> Iterator[None]:
    """Fails the test even where its code swallowed the refusal."""
    beyond.clear()
    yield
    assert not beyond, f"reached beyond loopback: {beyond}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    yield from _in_time(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    yield from _in_time(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    yield from _in_time(item)


def _in_time(item: pytest.Item) -> Iterator[None]:
    marker = item.get_closest_marker("limit")
    seconds = float(marker.args[0]) if marker else _SECONDS

    def too_long(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"{item.nodeid} took longer than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
