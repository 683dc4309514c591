# What a run looks like while it is under way, and the buttons under it.
progress-thinking = Ich plane …
progress-working =
    { $all ->
        [one] Ich bin dabei
       *[other] Ich bin dabei: { $done } von { $all } Schritten erledigt
    }
progress-ended =
    { $all ->
        [one] { $done } von 1 Schritt erledigt
       *[other] { $done } von { $all } Schritten erledigt
    }
progress-queued = wartet, { $place } in der Schlange
progress-took = { $seconds } s
taken-earlier = von vorher übernommen
taken-task = von Aufgabe { $task } übernommen, die dasselbe tut
taken-made = von vorher übernommen (damals { $seconds } s)
estimate-seconds = etwa { $seconds } s
estimate-minutes = etwa { $minutes ->
    [one] eine Minute
   *[other] { $minutes } Minuten
  }
estimate-cost = etwa { $dollars } US-Dollar für die Schritte
estimate-cost-small = weniger als 1 US-Cent für die Schritte
estimate-both = { $time }, { $cost }
button-stop = Anhalten
button-retry = Noch einmal
button-another = Anderes Modell
button-details = Einzelheiten
button-up = 👍
button-down = 👎
run-ended = { $who } Ich bin fertig.
vote-up = Gute Antwort
vote-down = Schlechte Antwort
button-choose = Anderes Modell für einen Schritt
button-first = A ist besser
button-second = B ist besser
files-too-large = Diese Dateien sind zu groß, um sie hier zu zeigen:
file-left-out = { $file } wurde weggelassen.
