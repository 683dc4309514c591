command-learned = Was hier aus 👍 gelernt wurde, und es zurücknehmen
option-do = Was zu tun ist; leer zeigt die Einträge
option-entry = Welcher Eintrag, oder "all" für alle
vote-learned = Danke, ist notiert. Ähnliche Anfragen werden hier künftig so geplant (siehe den Befehl "learned").
learned-off = Das Lernen aus Bewertungen ist hier ausgeschaltet.
learned-nothing = Hier wurde noch nichts gelernt. Ein 👍 auf eine Antwort macht ihren Plan zum Vorbild für ähnliche Anfragen.
learned-heading = { $count ->
    [one] Ein Plan hat gefallen; ähnliche Anfragen werden hier so geplant.
   *[other] { $count } Pläne haben gefallen; ähnliche Anfragen werden hier so geplant.
  } "learned forget" mit einem Eintrag nimmt ihn zurück.
learned-elsewhere = aus einem anderen Kanal
learned-unknown = Nichts hier Gelerntes heißt { $entry }.
learned-forgotten = { $count ->
    [one] Vergessen, und das 👍 zurückgenommen.
   *[other] { $count } Einträge vergessen, und ihre 👍 zurückgenommen.
  }
plan-as-liked = Geplant, wie es hier schon gefallen hat (siehe "learned").
model-price = Preis
model-price-tokens = ${ $prompt } für die Eingabe, ${ $completion } für die Ausgabe je Million Token ({ $provider })
details-cost = Bekannte Kosten: { $cost }
details-behind = Danach wären gekommen: { $models }.
