# The words of the owner's pages. For operators: in English only, as operators.ftl is.

page-owner-back = Back to the conversation
page-owner-parts = Parts of the owner's pages
page-owner-tab-health = Health
page-owner-tab-runs = Runs
page-owner-tab-channels = Channels
page-owner-tab-storage = Storage
page-owner-refresh = Refresh
page-owner-sign-in = Sign in
page-owner-cancel = Cancel
page-owner-find = Find
page-owner-clear = Clear
page-owner-further = Search further

# Health

page-owner-since = What ended in the last
page-owner-span-1h = hour
page-owner-span-6h = 6 hours
page-owner-span-24h = 24 hours
page-owner-span-7d = 7 days
page-owner-ready = Troupe takes messages.
page-owner-not-ready = Troupe takes no messages now.
page-owner-place-closed = The models at { $place } are left alone for a while.
page-owner-version = Version
page-owner-up-since = Up since
page-owner-platforms = Platforms
page-owner-connected = connected
page-owner-not-connected = not connected
page-owner-workers = Workers
page-owner-workers-are = { $busy } of { $count } busy, { $waiting } waiting, { $lost } lost
page-owner-lag = Reacts late by
page-owner-milliseconds = { $count } ms
page-owner-free = Free on disk
page-owner-now = Now
page-owner-nothing-now = Nothing is under way, and nobody waits.
page-owner-ended = What ended
page-owner-last-answer = Last answer
page-owner-unanswered = Commands and clicks without a reply
page-owner-spent = Language models since then
page-owner-today = Language models today
page-owner-calls = { $count ->
    [one] { $count } call
   *[other] { $count } calls
} ({ $failed } failed)
page-owner-tokens = { $count ->
    [one] { $count } token
   *[other] { $count } tokens
}
page-owner-apologies = Apologies
page-owner-failed-steps = Steps failed
page-owner-doctor = Doctor
page-owner-doctor-does = Tests everything that is configured with a real call. That can take a minute, and calls of models may cost a little.
page-owner-check = Check everything now
page-owner-checking = Checking …
page-owner-checked = { $count ->
    [0] Everything works.
    [one] One thing to fix.
   *[other] { $count } things to fix.
}
page-owner-works = OK
page-owner-fix = Fix
page-owner-to-know = Note
page-owner-tasks = { $works } of { $all } kinds of tasks work. What the others need:

# Columns and facts

page-owner-at = When
page-owner-reference = Reference
page-owner-where = Where
page-owner-stage = Stage
page-owner-lasts = Time
page-owner-steps = Steps
page-owner-platform = Platform
page-owner-outcome = Outcome
page-owner-count = Times
page-owner-reason = Reason
page-owner-kind = Kind of task
page-owner-model = Model
page-owner-last = Last
page-owner-state = State
page-owner-message = Message
page-owner-tasks-done = Tasks
page-owner-cost = Cost
page-owner-place = Place
page-owner-step = Step
page-owner-ok = ok

# Runs

page-owner-runs-found = { $count ->
    [0] No run found here
    [one] { $count } run
   *[other] { $count } runs
}
page-owner-filters = Find runs
page-owner-filter-words = Reference, or words of what went wrong
page-owner-filter-failed = Failures only
page-owner-more-filters = More filters
page-owner-filter-state = State
page-owner-filter-platform = Platform
page-owner-filter-place = Channel or thread
page-owner-filter-person = Person (id)
page-owner-filter-kind = Kind of task
page-owner-filter-model = Model
page-owner-filter-since = From
page-owner-filter-until = To
page-owner-any = Any
page-owner-state-accepted = accepted
page-owner-state-running = broken off
page-owner-state-answered = answered
page-owner-state-partly = { $state }, { $count ->
    [one] 1 step
   *[other] { $count } steps
} failed
page-owner-web-page = Web page
page-owner-calls-made = { $count ->
    [one] { $count } call
   *[other] { $count } calls
}
page-owner-state-apologised = apologised
page-owner-state-stopped = stopped
page-owner-state-silent = not for the bot
page-owner-state-left = left the thread
page-owner-state-not-done = not done
page-owner-all-runs = All runs
page-owner-run = Run { $reference }
page-owner-request = Request { $reference }
page-owner-still-live = This run has not ended.
page-owner-cause = What went wrong
page-owner-trace = Traceback
page-owner-id = Id
page-owner-person = Person
page-owner-error = Error
page-owner-trace-id = Trace
page-owner-undelivered = Not delivered
page-owner-stages = Stages
page-owner-prompts-version = Versions of prompts
page-owner-answer = Answer
page-owner-plan = Plan
page-owner-attempts = Attempts
page-owner-model-calls = Calls of language models
page-owner-prompt-tokens = Prompt tokens
page-owner-reply-tokens = Reply tokens
page-owner-prompts = Prompts
page-owner-no-prompts = No prompts are kept of this run.
page-owner-prompts-off = Prompts are not kept. TROUPE_KEEP_PROMPTS=on keeps those of later runs.
page-owner-prompt = Prompt { $number } to { $model }
page-owner-reply = Reply

# Channels

page-owner-channels-lead = Channels with threads that Troupe knows, and those with settings of their own.
page-owner-channels-find = Part of the channel's key
page-owner-no-channels = No channel is found. Channels of Slack and Discord appear here as soon as somebody talks to Troupe in them.
page-owner-pick = Pick
page-owner-pick-one = Pick { $channel }
page-owner-pick-all = { $count ->
    [one] Pick the one that is shown
   *[other] Pick all { $count } that are shown
}
page-owner-channel = Channel
page-owner-written = Last written
page-owner-settings = Settings
page-owner-defaults = defaults
page-owner-change = { $count ->
    [one] Change one channel
   *[other] Change { $count } channels
}
page-owner-setting = Setting
page-owner-setting-model = preferred model of a kind of task
page-owner-value = New value
page-owner-value-empty = An empty value, or “default”, is the installation's default.
page-owner-default = default
page-owner-preview = Show what would change
page-owner-would-change = { $count ->
    [0] Nothing would change.
    [one] One setting would change:
   *[other] { $count } settings would change:
}
page-owner-before = Now
page-owner-after = Then
page-owner-apply = { $count ->
    [one] Change it
   *[other] Change all { $count }
}
page-owner-changed = { $count ->
    [one] One setting was changed.
   *[other] { $count } settings were changed.
}

# Storage

page-owner-database = Database
page-owner-files = Files
page-owner-retention = Kept for
page-owner-days = { $count ->
    [one] { $count } day
   *[other] { $count } days
}
page-owner-cutoff = Deleted if older than
page-owner-kept = kept
page-owner-not-kept = not kept
page-owner-swept-at = Last swept from here
page-owner-at-least = at least { $count }
page-owner-table = What
page-owner-rows = Number
page-owner-oldest = Oldest
page-owner-due = Due now
page-owner-due-soon = Due within a day
page-owner-rows-runs = Runs
page-owner-rows-turns = Messages and answers
page-owner-rows-journal = Steps kept for restarts
page-owner-rows-prompts = Prompts
page-owner-rows-inbox = Accepted messages
page-owner-sweep-title = Sweep
page-owner-sweep-does = Troupe deletes what is due by itself, at its start and once a day. If that is more than half of all messages, it waits half a day first, in case the clock is wrong.
page-owner-sweep = Sweep now
page-owner-sweep-sure = { $count ->
    [0] Nothing is due; files that nothing refers to are deleted.
   *[other] What is due is deleted for good ({ $count } entries), and files that nothing refers to.
}
page-owner-sweep-yes = Delete
page-owner-sweeping = Sweeping …
page-owner-swept = Swept.
