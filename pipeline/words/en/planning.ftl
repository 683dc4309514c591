# Reading a plan: what was changed in it and what was left out, told to the person and to the one who wrote it.
plan-invalid-step = Step { $step } was left out, because it could not be read ({ $problem }).
plan-unknown-task = There is no kind of task called “{ $name }”, so that step was left out.
plan-kind-by-type = { $source } does not take what it was given; { $kind } does, and was put in its place.
plan-needs-dropped = { $kind } was left out, because it needs a step that was left out.
plan-missing = { $kind } was left out: nothing says what its { $slot } is.
plan-too-long =
    { $count ->
        [one] One step was left out: a plan has { $most } tasks at most.
       *[other] { $count } steps were left out: a plan has { $most } tasks at most.
    }
plan-too-many = { $kind }: only the first { $most } of { $count } files were taken.
plan-cut-short = The plan broke off; only the steps that were complete were taken.
plan-filled-file = { $kind } named no { $slot }; it takes { $file }.
plan-filled-output = { $kind } named no { $slot }; it takes what { $source } makes.
plan-filled-request = { $kind } named no { $slot }; it takes the words of the message.
plan-reference-dropped = { $kind } referred to a step that is not there ({ $label }); that was left out.
plan-reference-unfit = { $kind } cannot use what { $source } makes as its { $slot }; that was left out.
plan-passed-on = { $kind } cannot use what { $source } makes; it takes what { $source } was given.
plan-inserted = { $inserted } was put in before { $kind }.
plan-unfolded = { $kind } was done { $count } times, once for each file.
plan-order-dropped = { $kind } was to wait for a step that is not there or waits for it in turn; it does not.
plan-link-dropped = The link from { $source } to { $target } was left out: nothing goes over it.
plan-unknown-file = { $kind }: there is no file called “{ $file }”.
plan-url = { $kind }: addresses of files are not taken; send the file itself.
plan-extra = { $kind } has no use for “{ $extra }”; that was left out.
plan-empty = It holds no task and no reply.
plan-unusable = No plan could be made: { $errors }
plan-corrected = The plan was corrected; { $kind } is no longer in it.
plan-request-cut = The message is too long for the language model; it was read without its middle.
