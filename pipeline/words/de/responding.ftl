# The answer that is written without a language model.
respond-found = { $found }
respond-found-sure = { $found } (sehr sicher)
respond-found-fairly = { $found } (ziemlich sicher)
respond-found-unsure = { $found } (unsicher)
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
respond-failed = „{ $kind }“ hat nicht geklappt: { $reason }
respond-skipped = „{ $kind }“ wurde nicht begonnen, weil „{ $because }“ nicht geklappt hat.
respond-stopped = „{ $kind }“ wurde angehalten.
respond-how = So ging es: { $steps }.
respond-step = { $model } ({ $place }) für „{ $kind }“
respond-nothing = Es wurde nichts getan.
