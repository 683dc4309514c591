command-learned = What was learned here from 👍, and how to undo it
option-do = What to do; leave it empty to list the entries
option-entry = Which entry, or "all"
vote-learned = Thanks, noted. Similar requests here will be planned like this one (see the command "learned").
learned-off = Learning from votes is turned off here.
learned-nothing = Nothing has been learned here yet. A 👍 on an answer makes its plan an example for similar requests.
learned-heading = { $count ->
    [one] One plan was liked; similar requests here are planned like it.
   *[other] { $count } plans were liked; similar requests here are planned like them.
  } To remove one, send "learned forget" and its entry.
learned-elsewhere = from another channel
learned-unknown = There is no learned entry { $entry }.
learned-forgotten = { $count ->
    [one] Forgotten, and the 👍 taken back.
   *[other] { $count } entries forgotten, and their 👍 taken back.
  }
plan-as-liked = Planned like an answer that was liked here before (see "learned").
model-price = Price
model-price-tokens = ${ $prompt } in, ${ $completion } out for a million tokens ({ $provider })
details-cost = Known cost: { $cost }
details-behind = Fallback: { $models }
