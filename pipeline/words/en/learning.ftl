command-learned = What was learned here from 👍, and how to undo it
option-do = What to do; nothing: show it
option-entry = Which entry, or "all"
vote-learned = Thanks, noted. Similar requests here will be planned like this one (see the command "learned").
learned-off = I don't learn from votes here; it is turned off.
learned-nothing = Nothing has been learned here yet. A 👍 on an answer teaches its plan.
learned-heading = { $count ->
    [one] One plan was liked; similar requests here are planned like it.
   *[other] { $count } plans were liked; similar requests here are planned like them.
  } "learned forget" with an entry takes one back.
learned-elsewhere = from another channel
learned-unknown = Nothing learned here is called { $entry }.
learned-forgotten = { $count ->
    [one] Forgotten, and the 👍 taken back.
   *[other] { $count } entries forgotten, and their 👍 taken back.
  }
plan-as-liked = Planned like an answer that was liked here before (see "learned").
model-price = Price
model-price-tokens = ${ $prompt } in, ${ $completion } out for a million tokens ({ $provider })
details-cost = Known cost: { $cost }
details-behind = Fallback: { $models }
