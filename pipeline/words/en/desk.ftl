# Commands and buttons.
command-ask = Ask for something, with a file if you like
command-models = The models that can run here
command-model = Everything about one model
command-tasks = Every kind of task, and where it can run
command-plan = The plan of the last request in this thread
command-status = What is running
command-stop = Stop what is running in this thread
command-forget = Forget me, this thread or this channel
command-settings = See or change this channel's settings
command-help = What I can do
command-whoami = Your id, and the id of this channel
option-text = What you would like
option-file = A file it's about
option-kind = A kind of task
option-search = Words to look for
option-id = The model's id
option-what = What to forget
option-name = The setting
option-value = Its new value, or "default"
form-files = Files it's about
unknown = unknown
models-none = No model that can run here fits "{ $words }".
model-unknown = I don't know a model called { $name }.
model-kind = Kind of task
model-places = Runs at
model-licence = Licence
model-languages = Languages
model-downloads = Downloads
model-size = Size
model-revision = Revision
model-likes = Likes
model-gated = Access
model-gated-yes = its licence has to be accepted on the Hub first
model-nowhere = nowhere here at the moment
model-rules = May not be used here
model-record = Here so far, { $kind }: { $attempts ->
    [0] not used yet
    [one] used once, { $failures } failed, about { $seconds } s, 👍 { $ups }, 👎 { $downs }
   *[other] used { $attempts } times, { $failures } failed, about { $seconds } s, 👍 { $ups }, 👎 { $downs }
  }
tasks-enabled-by = put { $what } into .env and start again
tasks-nobody = nobody offers a model for it right now
tasks-rules = the rules of this channel leave no model for it
help-intro = Tell me what you would like, and attach files if you need to (in a channel, mention me). I plan the steps, pick a model for each, run them and answer in the thread. To go on, just write in the thread. Commands:
whoami = { $name ->
    [you] Your id is { $id } (language { $locale }),
    [me] Your id is { $id } (language { $locale }),
   *[other] You are { $name } (id { $id }, language { $locale })
  } in channel { $channel } of { $workspace } on { $platform }. Troupe { $version }.
plan-none = There is no plan in this thread yet.
status = { $here ->
    [0] Nothing is running here
    [one] One request is running here
   *[other] { $here } requests are running here
  }, { $everywhere } in total. Troupe { $version }.
status-places = Models run at: { $places }.
stop-done = { $count ->
    [0] There was nothing to stop.
   *[other] Stopped.
  }
details-estimate = Estimated beforehand: { $estimate }
state-done = done in { $seconds } s
state-skipped = skipped, because task { $task } was not done
erase = { $scope ->
    [me] This permanently deletes your messages in all channels here, my answers to them, and their files. It can't be undone.
    [thread] This permanently deletes all that I keep of this thread, and its files. It can't be undone.
    [channel] This permanently deletes all that I keep of this channel: its threads, files and settings. It can't be undone.
   *[other] `{ $what }` permanently deletes what is stored. It can't be undone.
  }
erase-title = Delete for good?
erase-yes = Delete
erase-no = Cancel
erase-cancelled = Nothing was deleted.
forget-what = Say what to forget: me, thread or channel.
forgotten = { $scope ->
    [me] Forgotten: your messages in all channels here, my answers to them, and their files.
   *[thread] Forgotten: all that was said in this thread, and its files.
  } Entries deleted: { $rows }. Files deleted: { $files }.
forgotten-thread = Forgotten at { $name }'s request: all that was said in this thread. Entries deleted: { $rows }. Files deleted: { $files }.
forgotten-channel = Forgotten at { $name }'s request: all that was said in this channel. Entries deleted: { $rows }. Files deleted: { $files }.
settings-unknown = There is no setting { $name }. The settings are { $names } and model:<kind of task>.
settings-bad = { $value } isn't a possible value. Choose from: { $choices }.
settings-heading = This channel's settings:
setting-places = Where models may run
setting-mention = When I need a mention in threads
setting-listen = Where I keep messages to others
setting-language = My language here
setting-learn = Where liked plans serve as examples
setting-licence = Licences that models may have
vote-kept = Thanks, noted.
vote-compared = Thanks, noted: { $model } is better.
run-forgotten = I no longer have this request.
perhaps-repeated = ({ $platform } didn't confirm whether this message arrived, so it may appear twice.)
command-unknown = There is no command { $name }; "help" lists them.
command-not-repeated = Commands can't be repeated with a button. Please send the command again.
not-allowed = You may not use me here. An administrator can change that.
not-allowed-admins = Only administrators may do that ({ $what }).
over-limit-person = That was more than { $limit } requests in a minute. Please wait { $seconds } s.
over-limit-channel = This channel made more than { $limit } requests in a minute. Please wait { $seconds } s.
text-too-long = The message has { $length } characters; I take up to { $limit }. Send it as a file instead.
file-too-large = it is { $size } MB, and I take at most { $limit } MB.
apology-patience = I was interrupted { $attempts } times while working on this, so I stopped. Please ask again.

# The command line.
plan-no-task = This needs no tasks; I would answer it directly.
file-not-read = { $file } can't be read: { $problem }
menu-none = There is nothing in this message that I could work on.
menu-describe-none = There is no picture or file in this message.
menu-transcribe-none = There is no recording or video in this message.
menu-describe = Describe
menu-describe-wish = Describe this.
menu-read = Read aloud
menu-read-wish = Read this aloud.
menu-transcribe = Transcribe
menu-transcribe-wish = Transcribe this.
menu-translate = Translate
menu-translate-wish = Translate this into English.
menu-summarize = Summarize
menu-summarize-wish = Summarize this.
menu-thread = Summarize thread
menu-thread-wish = Summarize this thread.
tasks-extra = install it with { $what } and start again
tasks-needs = needs { $what }
tasks-none = Nothing works here right now.
tasks-works = What works here:
tasks-missing = What does not work yet, and what would change that:
tasks-set-up = You can turn more on without editing a file: [Do more](#/setup).
tasks-more = { $count ->
    [one] One more thing could be turned on by an administrator.
   *[other] { $count } more things could be turned on by an administrator.
  }
tasks-pick = More about …
models-heading = Models that work here:
models-for = { $kind }:
models-pick = Models for …
models-rest = { $count } more. To find one: models and a word of its name.
setting-mention-value = { $value ->
    [always] always
    [threads] not in threads I take part in
   *[default] as everywhere
  }
setting-listen-value = { $value ->
    [threads] in threads I take part in
    [all] everywhere in this channel
   *[default] as everywhere
  }
setting-language-value = { $value ->
    [default] that of the request
   *[other] { $value }
  }
setting-learn-value = { $value ->
    [workspace] everywhere here
    [channel] in this channel
    [off] nowhere
   *[default] as everywhere
  }
setting-licence-value = { $value ->
    [commercial] those that allow commercial use
   *[default] any
  }
settings-whose = Administrators can change them.
option-about = What it is about
