"""The ports: protocols that adapters implement. Each has one contract suite in tests/contracts."""

from pipeline.ports.chat import *
from pipeline.ports.media import *
from pipeline.ports.models import *
from pipeline.ports.persistence import *
from pipeline.ports.tables import *
