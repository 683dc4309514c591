"""The ports: protocols that adapters implement. Each has one contract suite in tests/contracts."""

from pipeline.ports.cache import *
from pipeline.ports.chat import *
from pipeline.ports.chat_log import *
from pipeline.ports.feedback import *
from pipeline.ports.files import *
from pipeline.ports.history import *
from pipeline.ports.inbox import *
from pipeline.ports.installations import *
from pipeline.ports.journal import *
from pipeline.ports.leases import *
from pipeline.ports.ledger import *
from pipeline.ports.media import *
from pipeline.ports.models import *
from pipeline.ports.notifications import *
from pipeline.ports.progress import *
from pipeline.ports.rate_limits import *
from pipeline.ports.retention import *
from pipeline.ports.run_index import *
from pipeline.ports.runs import *
from pipeline.ports.settings import *
from pipeline.ports.setup import *
from pipeline.ports.shares import *
from pipeline.ports.store import *
