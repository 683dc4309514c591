# Why a model was taken, or was not.
chosen-named = the one you asked for
chosen-before = as in the earlier answer
named-unknown = I don't know a model called { $name }; another one was used.
named-unused = { $name } was not used: { $reason }
named-other-kind = { $name } was not used: it does something else ({ $kind }).
named-nowhere = { $name } can't run here at the moment; nobody serves it.
policy-not-allowed = it is not among the models allowed here.
policy-denied = it is not allowed here.
policy-licence = its licence ({ $licence }) is not known to allow commercial use.
policy-language = it does not know the languages wanted here.
policy-provider = no provider that is allowed here serves it.
