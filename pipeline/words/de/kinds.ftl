# Kinds of tasks as people speak of them, in the middle of a sentence. A sentence's argument that is the name of a kind is said like this.
kind-text-classification = Stimmung oder Art eines Textes beurteilen
kind-token-classification = Namen und Orte in einem Text finden
kind-text2text-generation = Text umschreiben
kind-summarization = Zusammenfassen
kind-translation = Übersetzen
kind-question-answering = Frage zu einem Text beantworten
kind-conversational = Unterhaltung
kind-text-generation = Text schreiben
kind-fill-mask = Lücke in einem Text füllen
kind-feature-extraction = Embedding eines Textes berechnen
kind-sentence-similarity = Texte vergleichen
kind-zero-shot-classification = Text vorgegebenen Begriffen zuordnen
kind-tabular-classification = Klassen in einer Tabelle vorhersagen
kind-tabular-regression = Zahlen in einer Tabelle vorhersagen
kind-table-question-answering = Frage zu einer Tabelle beantworten
kind-image-to-text = Bild beschreiben
kind-text-to-image = Bild aus Worten machen
kind-visual-question-answering = Frage zu einem Bild beantworten
kind-image-classification = Bild einordnen
kind-zero-shot-image-classification = Bild vorgegebenen Begriffen zuordnen
kind-object-detection = Dinge in einem Bild finden
kind-zero-shot-object-detection = Genannte Dinge in einem Bild finden
kind-image-segmentation = Bild in benannte Bereiche teilen
kind-mask-generation = Bild in Bereiche teilen
kind-depth-estimation = Tiefe in einem Bild schätzen
kind-image-to-image = Aussehen eines Bildes ändern
kind-image-text-to-image = Dinge in einem Bild ändern
kind-optical-character-recognition = Text in einem Bild lesen
kind-document-question-answering = Frage zu einem Dokument beantworten
kind-document-to-text = Text aus einem Dokument holen
kind-automatic-speech-recognition = Gesprochenes aufschreiben
kind-text-to-speech = Vorlesen
kind-audio-classification = Geräusch einordnen
kind-audio-to-audio = Ton säubern oder trennen
kind-text-to-video = Film aus Worten machen
kind-image-to-video = Bild in Bewegung bringen
kind-video-classification = Film einordnen
kind-media-conversion = Datei schneiden oder umwandeln
kind-document-conversion = Seiten teilen, verbinden oder drehen
kind-table-conversion = Tabelle sortieren, filtern oder umwandeln
kind-table-to-chart = Diagramm aus einer Tabelle zeichnen
kind-canny-control = Kanten eines Bildes zeichnen
kind-hed-control = Weiche Kanten eines Bildes zeichnen
kind-mlsd-control = Gerade Linien eines Bildes zeichnen
kind-normal-control = Oberflächen in einem Bild schätzen
kind-openpose-control = Körperhaltung in einem Bild finden
kind-scribble-control = Bild zu einer Kritzelei machen
kind-depth-control = Tiefe eines Bildes schätzen
kind-seg-control = Bild in Segmente teilen
kind-canny-text-to-image = Bild nach vorgegebenen Kanten machen
kind-hed-text-to-image = Bild nach weichen Kanten machen
kind-mlsd-text-to-image = Bild nach geraden Linien machen
kind-normal-text-to-image = Bild mit vorgegebenen Oberflächen machen
kind-openpose-text-to-image = Bild in vorgegebener Haltung machen
kind-scribble-text-to-image = Bild aus einer Kritzelei machen
kind-depth-text-to-image = Bild mit vorgegebener Tiefe machen
kind-seg-text-to-image = Bild aus Segmenten machen
medium = { $type ->
    [image] Bilder
    [audio] Ton
    [video] Video
    [document] Dokumente
    [table] Tabellen
   *[other] Texte
}
