# Reading a plan: what was changed in it and what was left out, told to the person and to the one who wrote it.
plan-invalid-step = Schritt { $step } wurde weggelassen, weil er nicht lesbar ist ({ $problem }).
plan-unknown-task = Eine Aufgabe namens „{ $name }“ gibt es nicht, also wurde dieser Schritt weggelassen.
plan-kind-by-type = „{ $source }“ nimmt nicht, was dafür angegeben war; „{ $kind }“ nimmt es und trat an die Stelle.
plan-needs-dropped = „{ $kind }“ wurde weggelassen, weil ein Schritt fehlt, den es braucht.
plan-missing = „{ $kind }“ wurde weggelassen: Nirgends steht, was { $slot } sein soll.
plan-too-long =
    { $count ->
        [one] Ein Schritt wurde weggelassen: Ein Plan hat höchstens { $most } Aufgaben.
       *[other] { $count } Schritte wurden weggelassen: Ein Plan hat höchstens { $most } Aufgaben.
    }
plan-too-many = { $kind }: Von { $count } Dateien wurden nur die ersten { $most } genommen.
plan-cut-short = Der Plan brach ab; nur die vollständigen Schritte wurden genommen.
plan-filled-file = „{ $kind }“ nannte kein { $slot }; es nimmt { $file }.
plan-filled-output = „{ $kind }“ nannte kein { $slot }; es nimmt das Ergebnis von „{ $source }“.
plan-filled-request = „{ $kind }“ nannte kein { $slot }; es nimmt die Worte der Nachricht.
plan-reference-dropped = „{ $kind }“ verwies auf einen Schritt, den es nicht gibt ({ $label }); das wurde weggelassen.
plan-reference-unfit = „{ $kind }“ kann das Ergebnis von „{ $source }“ nicht als { $slot } brauchen; das wurde weggelassen.
plan-passed-on = „{ $kind }“ kann das Ergebnis von „{ $source }“ nicht brauchen; es nimmt, was „{ $source }“ bekam.
plan-inserted = „{ $inserted }“ wurde vor „{ $kind }“ eingefügt.
plan-unfolded = „{ $kind }“ wurde { $count }-mal gemacht, einmal für jede Datei.
plan-order-dropped = „{ $kind }“ sollte auf einen Schritt warten, den es nicht gibt oder der seinerseits darauf wartet; es wartet nicht.
plan-link-dropped = Die Verbindung von { $source } zu { $target } fiel weg: über sie geht nichts.
plan-unknown-file = { $kind }: Es gibt keine Datei namens „{ $file }“.
plan-url = { $kind }: Adressen von Dateien werden nicht genommen; schick die Datei selbst.
plan-extra = „{ $kind }“ hat für „{ $extra }“ keine Verwendung; das wurde weggelassen.
plan-empty = Er enthält weder Aufgabe noch Antwort.
plan-unusable = Es ließ sich kein Plan machen: { $errors }
plan-corrected = Der Plan wurde berichtigt; nicht mehr darin: { $kind }.
plan-request-cut = Die Nachricht ist zu lang für das Sprachmodell; sie wurde ohne ihre Mitte gelesen.
