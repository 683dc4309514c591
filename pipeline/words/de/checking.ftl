# Was an einer Antwort geändert wurde, die mehr sagte als die Ergebnisse der Modelle.
check-struck =
    { $count ->
        [one] Eine Datei oder Adresse, die es nicht gibt, wurde aus dieser Antwort entfernt.
       *[other] { $count } Dateien oder Adressen, die es nicht gibt, wurden aus dieser Antwort entfernt.
    }
check-mended =
    { $count ->
        [one] Eine Zahl in dieser Antwort wurde nach den Ergebnissen der Modelle berichtigt.
       *[other] { $count } Zahlen in dieser Antwort wurden nach den Ergebnissen der Modelle berichtigt.
    }
check-marked = (?) steht nach dem, was kein Ergebnis eines Modells sagt.
respond-empty = Nichts gefunden: { $kind }.
respond-itself = Das Ergebnis ({ $kind }): { $found }.
respond-doubt = Das Modell ist sich hier nicht sicher ({ $kind }).
respond-disagree = Die Modelle sind sich nicht einig: { $first } ergibt { $one }, { $second } ergibt { $other }.
