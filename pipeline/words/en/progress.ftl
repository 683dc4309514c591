# What a run looks like while it is under way, and the buttons under it.
progress-thinking = Thinking about how to do this …
progress-working =
    { $all ->
        [one] Working on it
       *[other] Working on it: { $done } of { $all } steps done
    }
progress-took = { $seconds } s
button-stop = Stop
button-retry = Retry
button-another = Another model
button-details = Details
button-up = 👍
button-down = 👎
