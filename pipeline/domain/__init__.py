"""The domain values: frozen dataclasses, validated in `__post_init__`."""

from pipeline.domain.commands import *
from pipeline.domain.conversation import *
from pipeline.domain.places import *
from pipeline.domain.plans import *
from pipeline.domain.runs import *
from pipeline.domain.tables import *
from pipeline.domain.values import *
