# A language model at an OpenAI-compatible endpoint.
llm-busy = { $model } hat gerade zu viel zu tun
llm-broken = { $model } ist ausgefallen
llm-too-slow = { $model } hat nicht rechtzeitig geantwortet
llm-unreachable = { $model } war nicht zu erreichen
llm-key-refused = der Zugangsschlüssel für { $model } wurde abgelehnt
llm-credit-used-up = das Guthaben des Kontos für { $model } ist aufgebraucht
llm-access-refused = dieses Konto darf { $model } nicht benutzen
llm-model-gone = { $model } gibt es dort nicht
llm-request-refused = { $model } hat die Anfrage abgelehnt
llm-too-long = die Anfrage ist zu lang für { $model }
llm-filtered = { $model } hat den Inhalt abgelehnt
llm-garbled = { $model } hat etwas geantwortet, das sich nicht lesen lässt
llm-cut-short = { $model } hat aufgehört, bevor die Antwort vollständig war
llm-cannot = { $model } kann das nicht: { $kind }
llm-sees-nothing = { $model } nimmt keine Bilder an
llm-file-unfit = { $model } kann diese Art von Datei ({ $type }) nicht selbst lesen
llm-nothing-given = „{ $kind }“ hat nichts zu bearbeiten bekommen
