# The answer that is written without a language model.
respond-sure = Da bin ich sehr sicher.
respond-fairly = Da bin ich ziemlich sicher.
respond-unsure = Da bin ich nicht sicher, bitte prüfen.
respond-is = { $subject } ist { $found }
respond-label = Am wahrscheinlichsten: { $label }.
respond-also = Weniger wahrscheinlich: { $labels }.
respond-alike = Sie gleichen sich zu { $percent } %.
respond-things = Gefunden: { $things }.
respond-and = { $most } und { $last }
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
respond-skipped = „{ $kind }“ wurde nicht begonnen, weil „{ $because }“ nicht geklappt hat.
respond-stopped = „{ $kind }“ wurde angehalten.
respond-how = So ging es: { $steps }.
respond-step = { $model } ({ $place ->
    [embedded] eingebaut
    [llm] Sprachmodell
    [local] eigener Server
    [hosted] gehostet
   *[other] { $place }
 }) für „{ $kind }“
respond-nothing = Es wurde nichts getan.
respond-entity-per = Person
respond-entity-org = Organisation
respond-entity-loc = Ort
respond-entity-misc = Name
