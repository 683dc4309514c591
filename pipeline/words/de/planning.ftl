# Reading a plan: what was changed in it and what was left out, told to the person and to the one who wrote it.
plan-invalid-step = Schritt { $step } wurde weggelassen, weil er nicht lesbar ist ({ $problem }).
plan-unknown-task = Eine Aufgabe namens „{ $name }“ gibt es nicht, also wurde dieser Schritt weggelassen.
plan-not-here = „{ $kind }“ geht hier nicht.
plan-needs-dropped = „{ $kind }“ wurde weggelassen, weil ein Schritt fehlt, den es braucht.
plan-missing = „{ $kind }“ wurde weggelassen: Nirgends steht, was { $slot } sein soll.
plan-too-long =
    { $count ->
        [one] Ein Schritt wurde weggelassen: Ein Plan hat höchstens { $most } Aufgaben.
       *[other] { $count } Schritte wurden weggelassen: Ein Plan hat höchstens { $most } Aufgaben.
    }
plan-too-many = { $kind }: Von { $count } Dateien werden nur die ersten { $most } verwendet.
plan-cut-short = Der Plan brach ab; nur die vollständigen Schritte werden ausgeführt.
plan-filled-file = Für „{ $kind }“ war { $slot } nicht angegeben; verwendet wird { $file }.
plan-filled-output = Für „{ $kind }“ war { $slot } nicht angegeben; verwendet wird das Ergebnis von „{ $source }“.
plan-filled-request = Für „{ $kind }“ war { $slot } nicht angegeben; verwendet wird der Text der Nachricht.
plan-reference-dropped = „{ $kind }“ verwies auf einen Schritt, den es nicht gibt oder der davon abhängt ({ $label }); der Verweis wurde entfernt.
plan-reference-unfit = „{ $kind }“ kann das Ergebnis von „{ $source }“ nicht als { $slot } verwenden; der Verweis wurde entfernt.
plan-inserted = „{ $inserted }“ wurde vor „{ $kind }“ eingefügt.
plan-unfolded = „{ $kind }“ läuft { $count }-mal, einmal für jede Datei.
plan-order-dropped = „{ $kind }“ sollte auf einen Schritt warten, den es nicht gibt oder der seinerseits darauf wartet; es wartet nicht.
plan-unknown-file = { $kind }: Es gibt keine Datei namens „{ $file }“.
plan-url = { $kind }: Links zu Dateien werden nicht angenommen; bitte schick die Datei selbst.
plan-extra = „{ $kind }“ hat keine Eingabe „{ $extra }“; sie wurde entfernt.
plan-parameter-unread = { $kind }: „{ $value }“ ist hier nicht verwendbar ({ $parameter }) und wurde weggelassen.
plan-parameter-bounded = { $kind }: { $parameter } ist { $value }, der nächste erlaubte Wert.
parameter =
    { $name ->
        [size] Größe
        [aspect_ratio] Seitenverhältnis
        [count] Anzahl der Bilder
        [seed] Seed
        [negative_prompt] Negativ-Prompt
        [guidance_scale] Guidance
        [duration] Länge in Sekunden
        [voice] Stimme
       *[image] weitere Bilder
    }
plan-empty = Der Plan enthält weder Aufgaben noch eine Antwort.
plan-unusable = Es konnte kein Plan erstellt werden: { $errors }
plan-corrected = Der Plan wurde korrigiert; nicht mehr enthalten: { $kind }.
plan-request-cut = Die Nachricht ist zu lang für das Sprachmodell; die Mitte wurde weggelassen.
plan-remark = { $text }
plan-not-continued = Weiter konnte ich nicht planen: { $reason }
plan-room-too-small = { $model } hat nur { $room } Tokens Kontext; zum Planen braucht es { $least }.
left-thread = Alles klar, hier antworte ich nur noch, wenn mich jemand erwähnt. Admins können das für den ganzen Kanal festlegen: mich erwähnen, dazu `settings mention always`.
