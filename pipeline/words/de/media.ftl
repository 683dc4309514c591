# Worker processes, and files that cannot be read, converted or made smaller.
worker-lost = Das Programm, das daran arbeitete, ist abgestürzt.
worker-out-of-memory = Das brauchte mehr Speicher, als ein Arbeitsschritt hier benutzen darf.
media-empty = Die Datei ist leer (0 Bytes).
media-blank = In der Datei steht nichts als Leerraum.
media-too-large = Die Datei ist { $size } MB groß; lesen kann ich höchstens { $limit } MB.
media-broken = Die Datei ist beschädigt oder unvollständig und nicht lesbar ({ $kind }).
media-mislabelled = Ihr Name endet auf { $ending }, darin ist aber { $found }.
media-is-page = eine Webseite
media-is-text = Text
media-too-many-pixels = Das Bild hat { $size } Pixel; hier werden höchstens { $limit } Megapixel gelesen.
media-too-many-frames = Die Animation hat { $frames } Einzelbilder; hier werden höchstens { $limit } gelesen.
media-bomb = Ausgepackt hätte die Datei { $size } MB; solche Dateien werden hier nicht geöffnet.
media-encrypted = Die Datei ist mit einem Passwort gesperrt. Schick sie ohne.
media-archive = Archive werden hier nicht geöffnet. Schick die Dateien darin einzeln.
media-unknown = Dateien dieser Art lassen sich hier nicht lesen.
media-too-slow = Das Lesen der Datei dauerte länger als { $seconds } s und wurde abgebrochen.
media-lost = Die Datei ließ sich nicht lesen. { $problem }
media-needs-ffmpeg = Töne und Videos lassen sich hier gerade nicht umwandeln: Dazu fehlt ffmpeg, das mit dem Extra [embedded] kommt.
media-no-conversion = Aus einer Datei vom Typ { $source } lässt sich kein { $target } machen.
media-no-such-stream = Die Datei hat keinen Ton oder kein Bild, das man herausnehmen könnte.
media-cannot-shrink = Die Datei lässt sich nicht auf unter { $limit } MB verkleinern.
media-sheet-too-large = Das Blatt „{ $sheet }“ hat mehr als { $rows } Zeilen oder { $cells } Zellen.
media-no-pages = „{ $file }“ hat keine Seiten, mit denen ich arbeiten kann; das geht nur bei PDFs und Bildern.
media-too-many-pages = Das PDF hat { $pages } Seiten; höchstens { $limit } sind möglich.
media-encoding-unknown = In welcher Kodierung dieser Text geschrieben ist, ist nicht sicher. Bitte speichere ihn als UTF-8 und sende ihn noch einmal.
parts-unread = Nicht gelesen: { $parts }.
unused-pictures = { $count ->
        [one] ein Bild
       *[other] { $count } Bilder
    }
unused-charts = { $count ->
        [one] ein Diagramm
       *[other] { $count } Diagramme
    }
unused-comments = Kommentare
unused-macros = Makros
unused-attachments = { $count ->
        [one] eine angehängte Datei
       *[other] { $count } angehängte Dateien
    }
unused-mail-files = { $count ->
        [one] ein Anhang
       *[other] { $count } Anhänge
    } ({ $names })
rows-cut = Nur die ersten { $read } von { $rows } Zeilen wurden verwendet.
formulas-calculated = { $count ->
        [one] Eine Formel ohne gespeichertes Ergebnis wurde
       *[other] { $count } Formeln ohne gespeichertes Ergebnis wurden
    } hier berechnet.
formulas-unknown = { $count ->
        [one] Eine Formel hat kein gespeichertes Ergebnis und wurde
       *[other] { $count } Formeln haben kein gespeichertes Ergebnis und wurden
    } als leer gelesen. Öffne die Datei in Excel oder LibreOffice, speichere sie und sende sie noch einmal.
media-no-table = In dieser Datei ist keine Tabelle.
media-old-office = Dateien von Word, PowerPoint und Outlook aus der Zeit vor 2007 werden nicht unterstützt. Bitte als docx, pptx oder PDF speichern.
media-rich-text = RTF-Dateien werden nicht unterstützt. Bitte als docx oder PDF speichern.
unused-and = { $one }, { $more }
notes-together = { $one } { $more }
