# Warum ein Modell genommen wurde oder nicht.
chosen-named = das gewünschte
chosen-before = wie in der früheren Antwort
named-unknown = Ein Modell namens { $name } kenne ich nicht; ein anderes wurde genommen.
named-unused = { $name } wurde nicht genommen: { $reason }
named-other-kind = { $name } wurde nicht genommen: Es tut etwas anderes ({ $kind }).
named-nowhere = { $name } kann hier gerade nicht laufen; niemand bietet es an.
policy-not-allowed = Es gehört nicht zu den hier erlaubten Modellen.
policy-denied = Es ist hier nicht erlaubt.
policy-licence = Von seiner Lizenz ({ $licence }) ist nicht bekannt, dass sie gewerbliche Nutzung erlaubt.
policy-language = Es kann die hier gewünschten Sprachen nicht.
policy-provider = Kein hier erlaubter Anbieter hat es.
