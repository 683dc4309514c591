# Experts: what went wrong with one.
expert-loading = { $model } wird noch geladen.
expert-busy = { $model } hat gerade zu viel zu tun.
expert-broken = { $model } ist ausgefallen (Status { $status }).
expert-unreachable = { $model } war nicht zu erreichen.
expert-key-refused = Der Zugangsschlüssel für { $model } wurde abgelehnt.
expert-credit-used-up = Das Guthaben des Kontos für { $model } ist aufgebraucht.
expert-access-refused = Dieses Konto darf { $model } nicht benutzen; vielleicht muss erst die Lizenz angenommen werden.
expert-model-gone = { $model } gibt es dort nicht (mehr).
expert-input-refused = { $model } konnte mit dieser Eingabe nichts anfangen.
expert-garbled = { $model } hat etwas geantwortet, das sich nicht lesen lässt.
expert-answer-too-large = { $model } hat mehr als { $megabytes } MB geschickt; das wurde nicht angenommen.
expert-not-on-the-wire = Modelle für „{ $kind }“ werden nicht über das Netz angesprochen.
expert-input-type = { $model } nimmt diese Art von Datei nicht für „{ $kind }“.
expert-input-missing = „{ $kind }“ braucht etwas für „{ $slot }“, und da ist nichts.
expert-one-sentence = Zum Vergleichen braucht es mindestens zwei Texte.
expert-table-unfit = Die Tabelle ist leer oder hat mehr als { $cells } Zellen.

# Embedded experts: what they say about their own results, and why they could not do something.
embedded-nothing-said = Es gab keinen Text zu bearbeiten.
embedded-no-file = Es gab keine Datei zu bearbeiten.
embedded-file-type = Diese Art von Datei lässt sich hier nicht bearbeiten.
embedded-spoken = Vorgelesen von einer Roboterstimme ({ $language }).
embedded-spoken-cut = Nur die ersten { $characters } Zeichen wurden vorgelesen.
embedded-spoke-nothing = In diesem Text lässt sich nichts aussprechen.
embedded-no-voice = Für „{ $language }“ ist keine Stimme eingebaut.
embedded-picture-too-large = Das Bild hat zu viele Pixel, um hier bearbeitet zu werden.
embedded-picture-unreadable = Das Bild lässt sich nicht öffnen.
embedded-no-text = Darin wurde kein Text gefunden.
embedded-read = Text erkannt, zu { $percent } % sicher.
embedded-read-badly = Er war schwer zu lesen, manches kann falsch sein.
embedded-document-empty = Das Dokument ist leer.
embedded-document-cut = Nur die ersten { $characters } Zeichen wurden genommen.
embedded-document-broken = Das Dokument ist beschädigt und lässt sich nicht lesen.
embedded-document-too-large = Das Dokument ist zu groß, um gelesen zu werden.
embedded-document-unknown = Diese Art von Dokument kann hier nicht gelesen werden; PDF, Word (docx), HTML, CSV und reiner Text schon.
embedded-pdf-locked = Das PDF ist mit einem Passwort geschützt.
embedded-pdf-broken = Das PDF ist beschädigt und lässt sich nicht lesen.
embedded-pages-cut = Es hat { $pages } Seiten; gelesen wurden die ersten { $read }.
embedded-pages-scanned = { $pages } gescannte Seiten wurden als Bilder gelesen; dabei können Fehler entstehen.
embedded-scans-left = { $pages } weitere gescannte Seiten wurden weggelassen.
embedded-table-empty = Die Tabelle hat keine Zeilen.
embedded-answer-from = Gefunden in: „{ $line }“
embedded-no-answer = Nichts im Text passt zu der Frage.
embedded-gist = Die aussagekräftigsten Sätze im Wortlaut.
embedded-summary = Aus den aussagekräftigsten Sätzen im Wortlaut zusammengestellt; nichts wurde umformuliert.
embedded-summary-whole = Der Text ist zu kurz, um ihn zu kürzen; hier steht er ganz.
embedded-alike = Verglichen werden die Wörter, nicht die Bedeutung.
embedded-likest = Am ähnlichsten ist: „{ $text }“
embedded-sound-unreadable = Die Aufnahme lässt sich nicht lesen.
embedded-nothing-heard = Darin war keine Sprache zu verstehen.
embedded-heard = Mitgeschrieben von einer kleinen Erkennung, die nur Englisch kann und sich ihrer Wörter im Mittel zu { $percent } % sicher war.
embedded-heard-badly = Vieles davon kann falsch sein.
embedded-heard-cut = Nur die ersten { $minutes } Minuten wurden angehört.
embedded-faces = { $count ->
    [0] Es wurde kein Gesicht gefunden; nur nach Gesichtern wird hier gesucht.
    [1] Ein Gesicht wurde gefunden; nur nach Gesichtern wird hier gesucht.
   *[other] { $count } Gesichter wurden gefunden; nur nach Gesichtern wird hier gesucht.
 }
embedded-faces-only = Hier lassen sich nur Gesichter finden, nicht { $wanted }. Anderes findet ein gehostetes Modell (HF_TOKEN) oder ein Expertenserver (TROUPE_EXPERTS_URL).
embedded-no-filter = Keiner der eingebauten Filter passt. Es gibt: { $filters }. Andere Änderungen brauchen ein gehostetes Modell (HF_TOKEN) oder einen Expertenserver (TROUPE_EXPERTS_URL).
embedded-filtered = Filter: { $filters }.
embedded-large-already = Vergrößert werden hier nur Bilder bis { $side } Pixel je Seite.
embedded-control-lines = Die Linien hat LSD gefunden, nicht das M-LSD-Netz.
embedded-control-soft = Die Kanten sind aus Helligkeitsverläufen gezeichnet, nicht vom HED-Netz.
embedded-english-only = Die eingebaute Stimmungsliste kennt nur Englisch.
embedded-mood = Beurteilt nach einer Liste englischer Wörter; Ironie entgeht ihr.
embedded-reckoned = Nach einfachen Regeln aus { $rows } Zeilen berechnet (Spalte: { $column }).
embedded-row = Aus der Zeile „{ $row }“, gefunden nach einfachen Regeln.
embedded-guessed = Die Frage nennt keine der Spalten, deshalb wurde „{ $column }“ genommen.
embedded-not-classes = Die Spalte { $column } enthält keine Klassen, die sich lernen lassen (mindestens zwei, jede mehrmals).
embedded-not-figures = Die Spalte { $column } enthält keine Zahlen.
embedded-no-column = Die Spalte { $column } gibt es nicht; es gibt: { $columns }.
embedded-few-rows = Nur { $rows } Zeilen haben einen bekannten Wert; zum Lernen braucht es mindestens { $needed }.
embedded-no-features = Aus keiner anderen Spalte lässt sich lernen.
embedded-classified = Richtig bei { $percent } % von { $rows } Zeilen, die es nicht gesehen hatte (95-%-Intervall { $low } bis { $high } %); immer die häufigste Klasse zu sagen, wäre zu { $usual } % richtig.
embedded-regressed = Im Mittel um { $off } daneben bei { $rows } Zeilen, die es nicht gesehen hatte (95-%-Intervall { $low } bis { $high }); R² { $explained }.
embedded-held-out = Ein Random Forest hat { $column } vorhergesagt; bei Zeilen mit bekanntem Wert stammt die Vorhersage von einem Forest, der sie nicht gesehen hatte. Gefüllte Lücken: { $filled }.
embedded-column-guessed = Es wurde keine Spalte genannt, also wurde die letzte genommen ({ $column }).
embedded-no-conversion = Ich habe nicht verstanden, was mit der Datei geschehen soll. Hier geht: Größe ändern, zuschneiden, drehen, spiegeln, von einer Zeit bis zu einer anderen schneiden, das Tempo ändern, ein Standbild oder den Ton herausnehmen, komprimieren oder in einen anderen Typ umwandeln.
embedded-converted =
    { $op ->
        [resize] Auf { $one } Pixel gebracht.
        [scale] Auf { $percent } % skaliert.
        [crop] Auf { $one } Pixel zugeschnitten.
        [aspect] Auf das Format { $one } zugeschnitten.
        [rotate] Um { $one }° im Uhrzeigersinn gedreht.
        [flip] Gespiegelt.
        [keep] Behalten: { $one } s bis { $two } s.
        [keep_end] Die letzten { $one } s behalten.
        [drop] Die ersten { $one } s weggelassen.
        [speed] Tempo auf { $percent } % gesetzt.
        [type] Umgewandelt in { $ending }.
        [poster] Ein Standbild genommen.
        [sound] Den Ton genommen.
        [mute] Den Ton entfernt.
        [smaller] Verkleinert.
       *[volume] Lautstärke auf { $percent } % gesetzt.
    }
embedded-not-for-pictures = So lässt sich ein Bild nicht bearbeiten: { $what }.
embedded-nothing-left = Nach dem Schneiden blieb nichts übrig; vielleicht ist die Datei kürzer.
embedded-too-long = Die Datei ist zu lang, um hier bearbeitet zu werden.
embedded-film-unreadable = Die Datei ist beschädigt oder von einem Typ, der sich nicht bearbeiten lässt.
embedded-table-broken = Die Tabelle ist beschädigt und lässt sich nicht lesen.
embedded-no-cleaning = Das lässt sich mit einer Aufnahme hier nicht machen. Möglich ist: gleichmäßiges Rauschen oder Brummen entfernen, die Stimme aus Stereomusik nehmen, die Lautheit angleichen, die Tonhöhe senken oder heben. Ein Expertenserver (TROUPE_EXPERTS_URL) mit einem passenden Modell kann mehr.
embedded-no-noise = Es ist kaum gleichmäßiges Rauschen darin, also gab es nichts zu entfernen.
embedded-not-stereo = Die Stimme lässt sich hier nur aus einer Stereoaufnahme nehmen, und diese ist auf beiden Seiten gleich.
embedded-sound-noise = Gleichmäßiges Rauschen wurde gesenkt (vorher lag der Ton { $decibels } dB darüber). Plötzliche Geräusche, andere Stimmen und Hall bleiben.
embedded-sound-hum = Das Netzbrummen mit { $hertz } Hz wurde entfernt.
embedded-sound-voice = Entfernt wurde, was in der Mitte des Stereobilds liegt; dort sind Stimmen meistens. Spuren der Stimme können bleiben, und Schlagzeug in der Mitte wird schwächer.
embedded-sound-loudness = Die Lautheit wurde auf −16 LUFS gesetzt, wie für Sprache im Netz üblich.
embedded-sound-lower = Die Tonhöhe ist vier Halbtöne tiefer; das ist ein Filter, nicht die Stimme eines anderen Menschen.
embedded-sound-higher = Die Tonhöhe ist vier Halbtöne höher; das ist ein Filter, nicht die Stimme eines anderen Menschen.
expert-client-changed = Das installierte huggingface_hub { $version } hat kein { $part }, ohne das dieser Anbieter nicht gefragt werden kann; installiere die Version aus der Lock-Datei.
expert-job-failed = { $model } hat es aufgegeben.
expert-result = { $model } hat etwas gemacht, das sich nicht holen ließ: { $problem }
