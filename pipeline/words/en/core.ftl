# The pipeline itself: choosing, executing, answering.
stopped = Stopped.
sentence-unknown = (a note from another version of this program)
chosen-recommended = recommended for this kind of task
chosen-ranked = the most used model for this that can run here
chosen-planner = picked by the planner from its description
chosen-channel = this channel's own setting
chosen-because = { $reason }
chosen-only = the only model for this that can run here
not-possible-here = { $kind } doesn't work here yet. An admin can turn it on: the command “tasks” shows how.
not-possible-owner = { $kind } doesn't work here yet. To turn it on, add a line to .env and start again: { $setting }=…
not-possible-installer = { $kind } doesn't work here yet. You can turn it on: [Do more](#/setup).
not-possible-rules = { $kind } doesn't work here: this channel's rules leave no model for it.
not-possible-nobody = { $kind } doesn't work here right now: nobody offers a model for it.
not-possible-now = { $kind } doesn't work here at the moment: { $reason }
list-unreached-hub = Hugging Face's list of models can't be reached.
list-unreached-local = the expert server can't be reached.
not-possible-language = { $kind } doesn't work here in this language ({ $language }): no model that I can use knows it.
wanting-or-model = { $needs } or a model for it on the expert server
wanting-model = a model for it on the expert server
task-too-long = It took longer than { $seconds } s and was stopped.
task-input-missing = The step before it produced nothing usable.
task-input-unreadable = Its input ({ $file }) could not be read.
task-output-unreadable = The model did not send a readable file: { $problem }
task-output-missing = The model did not send { $missing }.
task-bug = The bot itself failed here. Reference: { $reference }
fallback-planner = The language model could not be used ({ $reason }), so the built-in planner answered this.
fallback-plan = The language model made no usable plan, so the built-in planner answered this.
fallback-responder = The language model could not be used ({ $reason }), so the bot wrote this answer itself.
nothing-to-do = I found nothing to do in this message. Tell me what you would like, and attach a file if it's about one.
file-unused = { $name } was not used: { $reason }
voice-heard = I heard: “{ $words }”
voice-not-heard = I couldn't transcribe your voice message. { $reason } You can type your request instead.
voice-language = No model here understands your language.
apology-bug = Something went wrong in the bot itself. An admin can find it in the log under { $reference }.
apology-out-of-time = This took longer than { $seconds } s and was stopped.
apology-still-queued = Too many requests were ahead of this one. It was still waiting after { $seconds } s and was stopped. Please try again later.
answer-empty = Here it is.
answer-in-file = The whole text is in { $file }. It begins:

# What is in a file, for those who cannot see or hear it.
alt-found = Picture with what was found marked: { $found }
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
