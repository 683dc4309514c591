"""For every test: no connection beyond loopback, a time limit, and a clock that stands still while
the machine is busy with something else.
"""

import gc
import ipaddress
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import structlog
from hypothesis import settings

from tests.contracts.postgres import postgres
from tests.fakes.clock import PatientLoop

__all__ = ["postgres"]  # the fixture: one for all folders

_HERE = Path(__file__).parent
_SECONDS = 60.0
_MOST_TIMES = 5
"""How many times its limit a test may take on a busy machine."""
_LOCAL_NAMES = frozenset({None, "", "localhost", "localhost."})
_OF_PROGRAMS = (
    *("e2e", "engines", "cluster", "adapters/local", "adapters/workers"),
    *("evaluation", "servers", "cassettes"),
)
"""Folders of tests that start programs, or are about tools beside the program."""
beyond: list[str] = []
unmarked: list[str] = []
"""Programs that were started by tests which are not marked so."""
_is_blocking = False
_may_start_programs = True


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"limit(seconds): a time limit other than {_SECONDS:.0f} s")
    config.addinivalue_line(
        "markers",
        "program: starts programs, a browser or a database, or waits: `make quick` omits it",
    )
    settings.register_profile("without times", deadline=None)
    settings.load_profile("without times")
    _block()
    _log_plainly()


def _log_plainly() -> None:
    """As the program does: to stderr, and without the values of frames, which take long."""
    *before, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(
        processors=[*before, plain],
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors, because some tests wait for a process or a timer."""
    on_linux = sys.platform == "linux"
    return (len(os.sched_getaffinity(0)) if on_linux else os.cpu_count() or 1) + 1


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what needs programs by its folder, or the database that it is for."""
    call = getattr(item, "callspec", None)  # only those with parameters have one
    if item.path.parent.relative_to(_HERE).as_posix().startswith(_OF_PROGRAMS) or (
        call is not None and "postgres" in call.params.values()
    ):
        item.add_marker("program")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with whole programs, the longest first: one that begins last is waited for.

    Those of one worker share a browser and a process that has imported the program.
    """
    items.sort(
        key=lambda it: (it.path.parent.name != "e2e", it.get_closest_marker("limit") is None)
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exempt all imports from garbage collection, which took a third of the collection time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _block() -> None:
    """Add the audit hook once: hooks cannot be removed."""
    global _is_blocking  # noqa: PLW0603 - lives as long as the hook
    if not _is_blocking:
        sys.addaudithook(_audit)
        _is_blocking = True


def _audit(event: str, args: tuple[Any, ...]) -> None:
    match event, args:
        case ("subprocess.Popen", (str(program), arguments, *_)) if program == sys.executable:
            _refuse_program(arguments)
        case ("socket.connect" | "socket.sendto", (_, (str(host), *_))):
            _refuse(host)
        case ("socket.getaddrinfo" | "socket.gethostbyname", (host, *_)):
            _refuse(host.decode() if isinstance(host, bytes) else host)
        case _:
            pass


def _refuse_program(arguments: Sequence[str]) -> None:
    """So that no test which `make quick` runs takes long. What ffmpeg is started by is short."""
    if not _may_start_programs and "-S" not in arguments:
        unmarked.append(" ".join(arguments))
        raise RuntimeError("a test that starts programs is to be marked with pytest.mark.program")


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
def _nothing_forbidden() -> Iterator[None]:
    """Fails the test even if its code swallowed the error."""
    beyond.clear()
    unmarked.clear()
    yield
    assert not beyond, f"reached beyond loopback: {beyond}"
    assert not unmarked, f"mark the test with pytest.mark.program, as it starts: {unmarked}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    global _may_start_programs  # noqa: PLW0603 - the audit hook is told nothing of tests
    _may_start_programs = item.get_closest_marker("program") is not None
    try:
        return (yield)
    finally:
        _may_start_programs = True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    yield from _limit_time(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    yield from _limit_time(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    yield from _limit_time(item)


def _limit_time(item: pytest.Item) -> Iterator[None]:
    """Time for which the machine is busy does not count, up to five times the limit."""
    marker = item.get_closest_marker("limit")
    seconds = float(marker.args[0]) if marker else _SECONDS
    began, busy = time.monotonic(), _read_busy_seconds()

    def too_long(_signal: int, _frame: FrameType | None) -> None:
        allowed = min(seconds + _read_busy_seconds() - busy, _MOST_TIMES * seconds)
        left = began + allowed - time.monotonic()
        if left <= 0:  # no TimeoutError: what is tested would take that for one of its own
            pytest.fail(f"{item.nodeid} took longer than {seconds:.0f} s")
        signal.setitimer(signal.ITIMER_REAL, left)

    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _read_busy_seconds() -> float:
    """For how long some program has waited for a processor; 0 where Linux does not tell.

    Also those that a test starts, and waits for.
    """
    try:
        some = Path("/proc/pressure/cpu").read_text().splitlines()[0]
    except OSError:
        return 0.0
    return int(some.rpartition("total=")[2]) / 1e6


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, type[PatientLoop]]:
    return {"patient": PatientLoop}
