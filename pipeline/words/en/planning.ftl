# Reading a plan: what was changed in it and what was left out, told to the person and to the one who wrote it.
plan-invalid-step = Step { $step } was left out because it could not be read ({ $problem }).
plan-unknown-task = Left out a step: there is no task called “{ $name }”.
plan-not-here = { $kind } doesn't work here.
plan-needs-dropped = { $kind } was left out because it needs a step that was left out.
plan-missing = { $kind } was left out: its { $slot } is missing.
plan-too-long =
    { $count ->
        [one] One step was left out: a plan has { $most } tasks at most.
       *[other] { $count } steps were left out: a plan has { $most } tasks at most.
    }
plan-too-many = { $kind }: only the first { $most } of { $count } files are used.
plan-cut-short = The plan broke off; only its complete steps are used.
plan-filled-file = { $kind } named no { $slot }, so it uses { $file }.
plan-filled-output = { $kind } named no { $slot }, so it uses the result of { $source }.
plan-filled-request = { $kind } named no { $slot }, so it uses the text of the message.
plan-reference-dropped = { $kind } referred to a step that doesn't exist or depends on it ({ $label }); the reference was removed.
plan-reference-unfit = { $kind } can't use the result of { $source } as its { $slot }; the reference was removed.
plan-inserted = Added { $inserted } before { $kind }.
plan-unfolded = { $kind } runs { $count } times, once for each file.
plan-order-dropped = { $kind } was to wait for a step that doesn't exist or waits for it in turn; it doesn't wait.
plan-unknown-file = { $kind }: there is no file called “{ $file }”.
plan-url = { $kind }: links to files aren't accepted; please send the file itself.
plan-extra = { $kind } has no input “{ $extra }”; it was removed.
plan-parameter-unread = { $kind }: “{ $value }” can't be used as the { $parameter }, so it was left out.
plan-parameter-bounded = { $kind }: the { $parameter } is { $value }, the nearest value allowed.
parameter =
    { $name ->
        [size] size
        [aspect_ratio] aspect ratio
        [count] number of pictures
        [seed] seed
        [negative_prompt] negative prompt
        [guidance_scale] guidance
        [duration] length in seconds
        [voice] voice
       *[image] further pictures
    }
plan-empty = The plan contains no tasks and no reply.
plan-unusable = No plan could be made: { $errors }
plan-corrected = The plan was corrected; { $kind } is no longer part of it.
plan-request-cut = The message is too long for the language model, so the middle was left out.
plan-remark = { $text }
plan-not-continued = I could not plan any further: { $reason }
plan-room-too-small = { $model } holds only { $room } tokens of context; planning needs { $least }.
left-thread = OK, I'll only answer in this thread when mentioned. Admins can make that the rule for this channel: mention me with `settings mention always`.
