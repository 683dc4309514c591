# What was done to an answer that said more than the models' results.
check-struck =
    { $count ->
        [one] A file or address that is not there was taken out of this answer.
       *[other] { $count } files or addresses that are not there were taken out of this answer.
    }
check-mended =
    { $count ->
        [one] A number in this answer was put right after the models' results.
       *[other] { $count } numbers in this answer were put right after the models' results.
    }
check-marked = (?) stands after what no model's result says.
respond-empty = { $kind } found nothing.
respond-itself = The result of { $kind } was: { $found }.
respond-doubt = The model is not sure about this ({ $kind }).
respond-disagree = The models do not agree: { $first } says { $one }, { $second } says { $other }.
