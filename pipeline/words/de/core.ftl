# The pipeline itself: choosing, executing, answering.
stopped = Angehalten.
sentence-unknown = (ein Hinweis aus einer anderen Version dieses Programms)
chosen-recommended = für diese Art von Aufgabe empfohlen
chosen-ranked = das meistgenutzte Modell dafür, das hier laufen kann
chosen-planner = vom Planer nach der Beschreibung ausgesucht
chosen-channel = so in diesem Kanal eingestellt
chosen-because = { $reason }
chosen-only = das einzige Modell dafür, das hier laufen kann
not-possible-here = „{ $kind }“ geht hier noch nicht. Ein Admin kann es einschalten: Der Befehl „tasks“ zeigt, wie.
not-possible-owner = „{ $kind }“ geht hier noch nicht. Zum Einschalten eine Zeile in .env eintragen und neu starten: { $setting }=…
not-possible-installer = „{ $kind }“ geht hier noch nicht. Du kannst es einschalten: [Mehr können](#/setup).
not-possible-rules = „{ $kind }“ geht hier nicht: Die Regeln lassen kein Modell dafür zu.
not-possible-nobody = „{ $kind }“ geht hier gerade nicht: Niemand bietet ein Modell dafür an.
not-possible-now = „{ $kind }“ geht hier im Moment nicht: { $reason }
list-unreached-hub = Die Modellliste von Hugging Face ist nicht zu erreichen.
list-unreached-local = Der Expertenserver ist nicht zu erreichen.
not-possible-language = „{ $kind }“ geht hier nicht in dieser Sprache ({ $language }): Kein Modell, das ich benutzen kann, beherrscht sie.
wanting-or-model = { $needs } oder ein Modell dafür auf dem Expertenserver
wanting-model = ein Modell dafür auf dem Expertenserver
task-too-long = Es dauerte länger als { $seconds } s und wurde abgebrochen.
task-input-missing = Der Schritt davor hat nichts Brauchbares ergeben.
task-input-unreadable = Die Eingabe ({ $file }) ließ sich nicht lesen.
task-output-unreadable = Was das Modell zurückgab, ist keine lesbare Datei: { $problem }
task-output-missing = Das Modell hat nichts zurückgegeben, wo { $missing } erwartet wurde.
task-bug = Dabei ist im Bot selbst etwas kaputtgegangen. Kennung: { $reference }
fallback-planner = Das Sprachmodell war nicht zu gebrauchen ({ $reason }); geplant und geantwortet habe ich deshalb mit dem, was eingebaut ist.
fallback-plan = Das Sprachmodell hat keinen sinnvollen Plan gemacht; geplant und geantwortet habe ich deshalb mit dem, was eingebaut ist.
fallback-responder = Das Sprachmodell war nicht zu gebrauchen ({ $reason }); diese Antwort habe ich deshalb mit dem geschrieben, was eingebaut ist.
nothing-to-do = Darin habe ich nichts zu tun gefunden. Sag mir, was du möchtest, mit einer Datei, wenn es um eine geht.
file-unused = { $name } wurde nicht verwendet: { $reason }
voice-heard = Ich habe verstanden: „{ $words }“
voice-not-heard = Deine Sprachnachricht konnte ich nicht aufschreiben. { $reason } Du kannst deinen Wunsch auch tippen.
voice-language = Kein Modell hier versteht deine Sprache.
apology-bug = Im Bot selbst ist etwas kaputtgegangen. Es steht im Protokoll unter { $reference }.
apology-out-of-time = Das dauerte länger als { $seconds } s und wurde abgebrochen.
apology-still-queued = Zu viele Anfragen waren vorher an der Reihe. Diese wartete nach { $seconds } s noch und wurde abgebrochen. Bitte versuch es später noch einmal.
answer-empty = Bitte sehr.
answer-in-file = Der ganze Text steht in { $file }. Er beginnt so:

# What is in a file, for those who cannot see or hear it.
alt-found = Bild, auf dem markiert ist, was gefunden wurde: { $found }
alt-spoken = Gesprochen: { $words }
alt-made-from = { $type ->
    [image] Bild
    [audio] Aufnahme
    [video] Video
   *[other] Datei
 } nach den Worten: { $words }
alt-changed = { $type ->
    [image] Das Bild
    [audio] Die Aufnahme
    [video] Das Video
   *[other] Die Datei
 }, geändert wie gewünscht: { $words }
alt-made = { $kind }: { $what }
