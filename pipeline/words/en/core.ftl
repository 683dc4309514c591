# The pipeline itself: choosing, executing, answering.
stopped = Stopped.
stopped-edited = Begun anew, since the message was edited.
chosen-ranked = the most used model for this that can run here
chosen-planner = picked by the planner from its description
chosen-channel = this channel's own setting
chosen-because = { $reason }
chosen-only = the only model for this that can run here
not-possible-here = { $kind } doesn't work here yet. An admin can turn it on: the command “tasks” shows how.
not-possible-rules = { $kind } doesn't work here: this channel's rules leave no model for it.
not-possible-nobody = { $kind } doesn't work here right now: nobody offers a model for it.
wanting-or-model = { $needs } or a model for it on the expert server
wanting-model = a model for it on the expert server
task-too-long = It took longer than { $seconds } s and was given up.
task-input-missing = The task before it made nothing that could be used.
task-input-unreadable = Its input ({ $file }) could not be read.
task-output-unreadable = What the model sent back is not a readable file: { $problem }
task-output-missing = The model sent no { $missing } back.
task-bug = Something in the bot itself broke while doing it. Reference: { $reference }
fallback-planner = The language model could not be used ({ $reason }), so I planned and answered this with what is built in.
fallback-plan = The language model made no plan that makes sense, so I planned and answered this with what is built in.
fallback-responder = The language model could not be used ({ $reason }), so I wrote this answer with what is built in.
nothing-to-do = I did not find anything to do in this. Tell me what you would like, with a file if it is about one.
file-unused = { $name } was not used: { $reason }
apology-bug = Something in the bot itself broke. It is in the log under { $reference }.
apology-out-of-time = This took longer than { $seconds } s and was given up.
answer-empty = Here it is.
answer-reference = Reference: { $reference }

# What is in a file, for those who cannot see or hear it.
alt-found = Picture with what was found marked: { $found }
alt-described = { $what }
alt-spoken = Spoken: { $words }
alt-made-from = { $type ->
    [image] Picture
    [audio] Recording
    [video] Video
   *[other] File
 } made from the words: { $words }
alt-changed = { $type ->
    [image] The picture
    [audio] The recording
    [video] The video
   *[other] The file
 }, changed as asked: { $words }
alt-made = { $kind }: { $what }
