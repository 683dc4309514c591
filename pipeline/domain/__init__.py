"""The words of the trade: frozen values, valid from their making on."""

from pipeline.domain.commands import *
from pipeline.domain.conversation import *
from pipeline.domain.plans import *
from pipeline.domain.runs import *
from pipeline.domain.values import *
