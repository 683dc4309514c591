# Experts: what went wrong with one.
expert-loading = { $model } wird noch geladen.
expert-busy = { $model } ist gerade überlastet.
expert-broken = { $model } ist fehlgeschlagen (Status { $status }).
expert-unreachable = { $model } ist nicht erreichbar.
expert-key-refused = Der Zugangsschlüssel für { $model } wurde abgelehnt.
expert-credit-used-up = Das Guthaben des Kontos für { $model } ist aufgebraucht.
expert-access-refused = Dieses Konto darf { $model } nicht benutzen; vielleicht muss erst die Lizenz angenommen werden.
expert-model-gone = { $model } gibt es dort nicht mehr.
expert-input-refused = { $model } hat diese Eingabe abgelehnt.
expert-garbled = { $model } hat eine unlesbare Antwort geschickt.
expert-answer-too-large = { $model } hat mehr als { $megabytes } MB geschickt; die Antwort wurde nicht verwendet.
expert-not-on-the-wire = Modelle für „{ $kind }“ sind nicht über das Netz erreichbar.
expert-input-type = { $model } unterstützt diesen Dateityp nicht für „{ $kind }“.
expert-input-missing = Für „{ $kind }“ fehlt „{ $slot }“.
expert-one-sentence = Zum Vergleichen braucht es mindestens zwei Texte.
expert-table-unfit = Die Tabelle ist leer oder hat mehr als { $cells } Zellen.
local-language-unknown = Das Modell { $model } kennt die Sprache { $language } nicht.

# Embedded experts: what they say about their own results, and why they could not do something.
embedded-nothing-said = Es gab keinen Text.
embedded-no-file = Es gab keine Datei.
embedded-file-type = Dieser Dateityp wird hier nicht unterstützt.
embedded-spoken = Vorgelesen von einer synthetischen Stimme ({ $language }).
embedded-spoken-cut = Nur die ersten { $characters } Zeichen wurden vorgelesen.
embedded-spoke-nothing = Dieser Text enthält nichts, was sich aussprechen lässt.
embedded-no-voice = Für „{ $language }“ ist keine Stimme eingebaut.
embedded-voice-unable = Die Stimme für { $language } kann diese Zeichen nicht lesen: { $characters }
embedded-picture-too-large = Das Bild hat zu viele Pixel.
embedded-picture-unreadable = Das Bild lässt sich nicht öffnen.
embedded-no-text = Es wurde kein Text gefunden.
embedded-read-badly = Der Text war schwer zu lesen; manches kann falsch sein.
embedded-document-empty = Das Dokument ist leer.
embedded-document-cut = Nur die ersten { $characters } Zeichen wurden verwendet.
embedded-document-broken = Das Dokument ist beschädigt und lässt sich nicht lesen.
embedded-document-too-large = Das Dokument ist zu groß.
embedded-document-unknown = Dieser Dokumenttyp wird hier nicht unterstützt. Möglich sind PDF, Word (docx), PowerPoint (pptx), OpenDocument, EPUB, E-Mail, Kalender, Tabellen, HTML, CSV und reiner Text.
embedded-pdf-locked = Das PDF ist passwortgeschützt.
embedded-pdf-broken = Das PDF ist beschädigt und lässt sich nicht lesen.
embedded-pages-cut = Das Dokument hat { $pages } Seiten; gelesen wurden die ersten { $read }.
embedded-pages-scanned = { $pages ->
    [one] Eine gescannte Seite wurde
   *[other] { $pages } gescannte Seiten wurden
 } per Texterkennung gelesen; dabei können Fehler entstehen.
embedded-columns-mixed = Text in Spalten kann vermischt sein.
embedded-scans-left = { $pages ->
    [one] Eine weitere gescannte Seite wurde
   *[other] { $pages } weitere gescannte Seiten wurden
 } nicht gelesen.
embedded-table-empty = Die Tabelle hat keine Zeilen.
embedded-no-answer = Nichts im Text passt zu der Frage.
embedded-answer-line = aus der Zeile „{ $line }“
embedded-says = In der Datei steht: „{ $line }“
embedded-says-part = In der Datei steht: „{ $line }“. Zu „{ $words }“ habe ich nichts gefunden.
embedded-closest = Eine klare Antwort sehe ich nicht. Am nächsten kommen diese Zeilen: { $lines }
embedded-part = { $question } → { $answer }
embedded-part-refused = { $question } → nicht beantwortet: { $answer }
embedded-table-grouped = { $operation }, je `{ $group }`
embedded-table-operation =
    { $op ->
        [sum] Summe von `{ $column }`
        [mean] Durchschnitt von `{ $column }`
        [median] Median von `{ $column }`
        [max] Höchster Wert von `{ $column }`
        [min] Niedrigster Wert von `{ $column }`
        [distinct] Anzahl verschiedener `{ $column }`
        [lookup] `{ $column }`
       *[count] Anzahl der Zeilen
    }{ $where ->
        [none] , { $rows ->
            [one] 1 Zeile
           *[other] { $rows } Zeilen
        }
       *[other] , { $rows ->
            [one] 1 Zeile
           *[other] { $rows } Zeilen
        } mit { $where }
    }
embedded-table-unclear = Das kann ich aus dieser Tabelle nicht beantworten: „{ $words }“ verstehe ich nicht. Die Spalten sind: { $columns }.
embedded-table-which-column = Das kann ich aus dieser Tabelle nicht beantworten. Bitte nenne eine Spalte. Die Spalten sind: { $columns }.
embedded-table-not-numbers = Mit `{ $column }` kann ich nicht rechnen: Nicht alle Werte sind Zahlen, oder eine Zahl lässt sich auf zwei Arten lesen (1.234).
embedded-table-several-rows = { $rows } Zeilen passen. Bitte frage nach Summe, Durchschnitt, höchstem oder niedrigstem Wert von `{ $column }`, oder nenne eine Zeile.
embedded-table-beyond = Das kann ich aus dieser Tabelle nicht beantworten. Ich kann Zeilen zählen, filtern und gruppieren, Werte addieren und mitteln und den höchsten oder niedrigsten finden. Die Spalten sind: { $columns }.
embedded-heard = Nur Englisch; einzelne Wörter können falsch sein.
embedded-heard-partial = Die Zeit reichte nicht, daher sind das nur die ersten { $minutes } Minuten.
embedded-gist = Die aussagekräftigsten Sätze im Wortlaut.
embedded-summary = Aus den aussagekräftigsten Sätzen im Wortlaut zusammengestellt; nichts wurde umformuliert.
embedded-summary-whole = zu kurz zum Zusammenfassen, deshalb der ganze Text
embedded-alike = verglichen werden die Wörter, nicht die Bedeutung
embedded-sound-unreadable = Die Aufnahme lässt sich nicht lesen.
embedded-nothing-heard = Es wurde keine Sprache erkannt.
embedded-faces = { $count ->
    [0] Es wurde kein Gesicht gefunden; nur nach Gesichtern wird hier gesucht.
    [1] Ein Gesicht wurde gefunden; nur nach Gesichtern wird hier gesucht.
   *[other] { $count } Gesichter wurden gefunden; nur nach Gesichtern wird hier gesucht.
 }
embedded-faces-only = Ich kann hier nur Gesichter finden, nicht { $wanted }. Ein Admin kann ein Modell einrichten, das anderes findet.
embedded-no-filter = Keiner der Filter passt. Es gibt: { $filters }. Für andere Änderungen kann ein Admin ein Modell einrichten.
embedded-whole-picture = Ich kann nur das ganze Bild ändern, nicht einen Teil davon. Ein Admin kann dafür ein Modell einrichten.
embedded-filtered = Filter für das ganze Bild: { $filters }.
embedded-filter =
    { $name ->
        [colour-pencil-sketch] Buntstiftzeichnung
        [pencil-sketch] Bleistiftzeichnung
        [cartoon] Cartoon
        [painting] Gemälde
        [black-and-white] Schwarzweiß
        [sepia] Sepia
        [denoise] entrauscht
       *[blur] unscharf
        [sharpen] geschärft
        [negative] Negativ
        [upscale] doppelte Größe
        [smooth] geglättet
        [brighter] heller
        [darker] dunkler
        [more-contrast] mehr Kontrast
    }
embedded-large-already = Vergrößert werden hier nur Bilder bis { $side } Pixel je Seite.
embedded-english-only = Die Stimmung kann ich nur bei englischem Text beurteilen.
embedded-mood = die Stimmung der englischen Wörter; Ironie wird nicht erkannt
embedded-not-classes = Die Spalte { $column } enthält keine Klassen, die sich lernen lassen (mindestens zwei, jede mehrmals).
embedded-no-column = Die Spalte { $column } gibt es nicht. Die Spalten sind: { $columns }.
embedded-few-rows = Nur { $rows } Zeilen haben einen bekannten Wert; nötig sind mindestens { $needed }.
embedded-no-features = Aus keiner anderen Spalte lässt sich lernen.
embedded-classified = Richtig bei { $percent } % von { $rows } Zeilen, die nicht zum Lernen dienten; stets die häufigste Klasse zu wählen wäre zu { $usual } % richtig.
embedded-regressed = Im Mittel um { $off } daneben bei { $rows } Zeilen, die nicht zum Lernen dienten; R² { $explained }.
embedded-held-out = Vorhergesagt: { $column }. Bei Zeilen mit bekanntem Wert wurde dieser nicht mitgelernt. Gefüllte Lücken: { $filled }.
embedded-column-guessed = Du hast keine Spalte genannt; verwendet wurde die letzte ({ $column }).
embedded-can-files = Ich kann die Größe ändern, zuschneiden, drehen, spiegeln, von einer Zeit bis zu einer anderen schneiden, das Tempo ändern, ein Standbild oder den Ton entnehmen, komprimieren oder in einen anderen Typ umwandeln.
embedded-converted =
    { $op ->
        [resize] In { $one } Pixel eingepasst.
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
        [strip] Metadaten wie Ort und Kamera entfernt.
        [frames] Alle { $one } s ein Bild genommen.
        [mute] Den Ton entfernt.
        [louder] Lauter gemacht.
        [quieter] Leiser gemacht.
       *[smaller] Verkleinert.
    }
embedded-not-for-pictures = Das geht nur mit Aufnahmen und Videos, nicht mit einem Bild.
embedded-nothing-left = Nach dem Schneiden blieb nichts übrig; vielleicht ist die Datei kürzer.
embedded-no-sound = Das Video hat keinen Ton.
embedded-too-long = Die Datei ist zu lang.
embedded-film-unreadable = Die Datei ist beschädigt, oder ihr Typ wird nicht unterstützt.
embedded-no-cleaning = Das kann ich mit einer Aufnahme hier nicht machen. Ich kann gleichmäßiges Rauschen oder Brummen mindern, die Stimme aus Stereomusik nehmen, die Lautheit angleichen und die Tonhöhe senken oder heben. Ein Admin kann ein Modell einrichten, das mehr kann.
embedded-no-noise = Es ist kaum gleichmäßiges Rauschen darin, also gab es nichts zu entfernen.
embedded-not-stereo = Die Stimme lässt sich hier nur aus einer Stereoaufnahme nehmen, und diese ist auf beiden Seiten gleich.
embedded-sound-noise = Gleichmäßiges Rauschen wurde gesenkt. Plötzliche Geräusche, andere Stimmen und Hall bleiben.
embedded-sound-hum = Netzbrummen (50 und 60 Hz mit Obertönen) wurde herausgefiltert.
embedded-sound-voice = Entfernt wurde, was in der Mitte des Stereobilds liegt; dort sind Stimmen meistens. Spuren der Stimme können bleiben, und Schlagzeug in der Mitte wird schwächer.
embedded-sound-loudness = Die Lautheit wurde auf −16 LUFS gesetzt, wie für Sprache im Netz üblich.
embedded-sound-lower = Die Tonhöhe ist vier Halbtöne tiefer; das ist ein Filter, nicht die Stimme eines anderen Menschen.
embedded-sound-higher = Die Tonhöhe ist vier Halbtöne höher; das ist ein Filter, nicht die Stimme eines anderen Menschen.
expert-job-failed = { $model } hat es aufgegeben.
expert-result = { $model } hat etwas gemacht, das sich nicht holen ließ: { $problem }
embedded-order-unclear = „{ $words }“ verstehe ich nicht, deshalb wurde nichts gemacht. { $can }
embedded-order-empty = Ich habe nicht verstanden, was zu tun ist. { $can }
embedded-can-pages = Mit einem PDF oder Bildern kann ich: verbinden, teilen, Seiten herausnehmen oder entfernen, drehen, die Reihenfolge umkehren, komprimieren, Bilder von Seiten oder ein PDF aus Bildern machen.
embedded-can-tables = Mit einer Tabelle kann ich: sortieren, Zeilen filtern, Spalten behalten oder entfernen und als CSV, Excel (xlsx) oder JSON speichern.
embedded-can-charts = Aus einer Tabelle kann ich ein Balken-, Linien-, Kreis- oder Streudiagramm zeichnen; nenne die Spalten so, wie sie geschrieben sind.
embedded-pages-done =
    { $op ->
        [merged] Zu einem PDF mit { $pages } Seiten verbunden.
        [split] In { $files } Dateien geteilt.
        [drawn] Seiten als Bilder: { $files }.
        [pictures] Herausgenommene Bilder: { $files }.
        [rotated] Seiten gedreht.
        [dropped] Seiten entfernt.
        [reversed] Die Reihenfolge der Seiten ist umgekehrt.
        [smaller] Komprimiert; die Bilder darin sind weniger scharf.
        [smaller-text] Komprimiert.
        [cleaned] Metadaten wie Verfasser und Programm entfernt.
       *[pages] Seiten herausgenommen.
    }
embedded-pages-missing = Eine Seite { $page } gibt es nicht: Das Dokument hat { $pages }.
embedded-pages-range = Diese Seitenzahlen kann ich nicht lesen.
embedded-pages-of-which = Bitte verbinde zuerst und nenne dann die Seiten: Ich weiß nicht, welches Dokument gemeint ist.
embedded-quarter-turns = Seiten eines PDFs lassen sich nur um 90, 180 oder 270 Grad drehen.
embedded-merge-one = Es ist nur ein Dokument da. Zum Verbinden braucht es mindestens zwei.
embedded-no-pictures = In dem Dokument sind keine Bilder.
embedded-nothing-left-of-pages = Es bliebe keine Seite übrig. Bitte nenne die Seiten, die entfernt werden sollen.
embedded-no-smaller = Das PDF lässt sich nicht merklich verkleinern.
embedded-too-many-files = Das wären { $files } Dateien; höchstens { $limit } sind möglich. Bitte nenne weniger Seiten.
embedded-no-rows-fit = Keine Zeile passt.
embedded-table-written = { $rows ->
        [one] Eine Zeile
       *[other] { $rows } Zeilen
    }{ $where ->
        [none] {""}
       *[other] {" "}{ $not ->
            [yes] ohne
           *[no] mit
        } { $where }
    }{ $sorted ->
        [none] {""}
       *[other] , sortiert nach { $sorted } ({ $order ->
            [descending] absteigend
           *[ascending] aufsteigend
        })
    }, als { $ending }.
embedded-charted = { $op ->
        [sum] Summe von { $values } je { $over }
        [mean] Durchschnitt von { $values } je { $over }
        [median] Median von { $values } je { $over }
        [count] Anzahl der Zeilen je { $over }
       *[other] { $values } über { $over }
    }, aus { $rows } Zeilen{ $where ->
        [none] .
       *[other] {" "}({ $where }).
    }
embedded-no-font = Manche Zeichen lassen sich hier nicht zeichnen, weil keine Schrift dafür installiert ist.
embedded-chart-columns = Ich weiß nicht, welche Spalten gezeichnet werden sollen. Bitte nenne eine mit Zahlen und die für die Beschriftung. Die Spalten sind: { $columns }.
embedded-chart-two-columns = Ein Streudiagramm braucht zwei Spalten mit Zahlen. Die Spalten sind: { $columns }.
embedded-chart-too-large = Das ist zu viel für ein Diagramm: Höchstens { $series } Spalten und { $places } Beschriftungen sind möglich.
embedded-pie-slices = Ein Kreisdiagramm mit { $slices } Stücken ist nicht lesbar; höchstens { $limit } sind möglich.
embedded-pie-negative = Ein Kreisdiagramm braucht positive Zahlen.
embedded-first-frame = Das Bild hat { $frames } Einzelbilder oder Seiten; nur das erste wurde verwendet.
