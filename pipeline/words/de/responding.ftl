# The answer that is written without a language model.
respond-label = Am wahrscheinlichsten: { $label }.
respond-also = Weniger wahrscheinlich: { $labels }.
respond-alike = Sie gleichen sich zu { $percent } %.
respond-source = **{ $value }** ({ $source })
respond-things = Gefunden: { $things }.
respond-found-nothing = Es wurde nichts gefunden.
respond-made-image =
    { $count ->
        [one] Hier ist das Bild.
       *[other] Hier sind die { $count } Bilder.
    }
respond-made-audio =
    { $count ->
        [one] Hier ist die Aufnahme.
       *[other] Hier sind die { $count } Aufnahmen.
    }
respond-made-video =
    { $count ->
        [one] Hier ist das Video.
       *[other] Hier sind die { $count } Videos.
    }
respond-made-document =
    { $count ->
        [one] Hier ist das Dokument.
       *[other] Hier sind die { $count } Dokumente.
    }
respond-made-table =
    { $count ->
        [one] Hier ist die Tabelle.
       *[other] Hier sind die { $count } Tabellen.
    }
respond-which = { $kind } ({ $what })
respond-failed = „{ $kind }“ hat nicht geklappt: { $reason }
respond-none = { $kind }: { $reason }
respond-skipped = „{ $kind }“ wurde übersprungen, weil der Schritt davor nicht geklappt hat: „{ $because }“.
respond-stopped = „{ $kind }“ wurde angehalten.
respond-unused = Weggelassen, weil { $model } es nicht annimmt: { $names }.
listed = { $names }, { $name }
respond-nothing = Das hat leider nicht geklappt.
compared-first = **A** · { $model } (vorher)
compared-second = **B** · { $model } (neu)
label-per = Person
label-person = Person
label-org = Organisation
label-organization = Organisation
label-loc = Ort
label-gpe = Ort
label-location = Ort
label-misc = Name
# What was changed in an answer.
history-unread = Die früheren Nachrichten hier konnte ich nicht rechtzeitig lesen.
check-struck =
    { $count ->
        [one] Ein Link oder Dateiname, der nicht in den Ergebnissen steht, wurde aus dieser Antwort entfernt.
       *[other] { $count } Links oder Dateinamen, die nicht in den Ergebnissen stehen, wurden aus dieser Antwort entfernt.
    }
answer-cut = Die Antwort war länger als { $count } Zeichen und wurde gekürzt.
answer-unfinished = Dieser Text ist nicht vollständig: Das Modell hat zu früh aufgehört. Für den Rest schreib „weiter“.
# Moods as experts for voices shorten them.
label-ang = wütend
label-hap = fröhlich
label-neu = neutral
label-fea = ängstlich
label-dis = angeekelt
label-sur = überrascht
label-exc = aufgeregt
label-fru = frustriert
