"""The domain values: frozen dataclasses, validated in `__post_init__`."""

from pipeline.domain.answers import *
from pipeline.domain.branches import *
from pipeline.domain.commands import *
from pipeline.domain.conversation import *
from pipeline.domain.conversions import *
from pipeline.domain.events import *
from pipeline.domain.files import *
from pipeline.domain.health_checks import *
from pipeline.domain.ids import *
from pipeline.domain.models import *
from pipeline.domain.outcomes import *
from pipeline.domain.places import *
from pipeline.domain.plans import *
from pipeline.domain.requests import *
from pipeline.domain.runs import *
from pipeline.domain.sentences import *
from pipeline.domain.setup import *
from pipeline.domain.tables import *
from pipeline.domain.values import *
