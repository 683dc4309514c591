# What a run looks like while it is under way, and the buttons under it.
progress-thinking = Thinking about how to do this …
progress-working =
    { $all ->
        [one] Working on it
       *[other] Working on it: { $done } of { $all } steps done
    }
progress-took = { $seconds } s
taken-earlier = taken from earlier
taken-task = taken from task { $task }, which does the same
taken-made = taken from earlier, made in { $seconds } s then
estimate-seconds = about { $seconds } s
estimate-minutes = about { $minutes ->
    [one] a minute
   *[other] { $minutes } minutes
  }
estimate-cost = about ${ $dollars } for its steps
estimate-cost-small = less than $0.01 for its steps
estimate-both = { $time }, { $cost }
button-stop = Stop
button-retry = Retry
button-another = Another model
button-details = Details
button-up = 👍
button-down = 👎
files-too-large = These files cannot be shown here, because they are too large:
file-left-out = { $file } had to be left out.
