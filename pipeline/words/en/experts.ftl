# Experts: what went wrong with one.
expert-loading = { $model } is still being loaded.
expert-busy = { $model } has too much to do at the moment.
expert-broken = { $model } broke down (status { $status }).
expert-unreachable = { $model } could not be reached.
expert-key-refused = The access key for { $model } was refused.
expert-credit-used-up = The account's credit for { $model } is used up.
expert-access-refused = This account may not use { $model }; its licence may have to be accepted first.
expert-model-gone = { $model } does not exist there (any more).
expert-input-refused = { $model } could not do anything with this input.
expert-garbled = { $model } answered something that cannot be read.
expert-answer-too-large = { $model } sent more than { $megabytes } MB, which was not taken.
expert-not-on-the-wire = Models for { $kind } are not reached over the network.
expert-input-type = { $model } does not take this type of file for { $kind }.
expert-input-missing = { $kind } needs something for “{ $slot }”, and there is nothing.
expert-one-sentence = At least two texts are needed to compare them.
expert-table-unfit = The table is empty or has more than { $cells } cells.
