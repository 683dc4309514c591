"""The database ports that most users need together."""

from typing import Protocol

from pipeline.ports.chat_log import ChatLog
from pipeline.ports.feedback import Feedback
from pipeline.ports.history import History
from pipeline.ports.retention import Retention
from pipeline.ports.runs import Runs
from pipeline.ports.settings import SettingsStore
from pipeline.ports.shares import Shares


class Store(ChatLog, History, Runs, Feedback, SettingsStore, Retention, Shares, Protocol):
    """The database ports that most users need together."""
