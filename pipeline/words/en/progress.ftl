# What a run looks like while it is under way, and the buttons under it.
progress-thinking = Planning …
progress-working =
    { $all ->
        [one] Working on it
       *[other] Working on it: { $done } of { $all } steps done
    }
progress-ended =
    { $all ->
        [one] { $done } of 1 step done
       *[other] { $done } of { $all } steps done
    }
progress-queued = waiting in line, { $place }
progress-took = { $seconds } s
taken-earlier = reused from earlier
taken-task = reused from task { $task }, which does the same
taken-made = reused from earlier ({ $seconds } s at that time)
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
run-ended = { $who } I'm done.
vote-up = Good answer
vote-down = Bad answer
button-choose = Another model for one step
button-first = A is better
button-second = B is better
files-too-large = These files are too large to be shown here:
file-left-out = { $file } was left out.
