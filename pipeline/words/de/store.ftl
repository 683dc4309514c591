# What is kept: database and files
store-url = TROUPE_DATABASE_URL ist keine Datenbankadresse. Gib sqlite:///pfad/zur/datei oder postgresql://benutzer:passwort@server/datenbank an.
store-driver = PostgreSQL braucht ein Extra: .venv/bin/python -m pip install ".[postgres]". Oder lass TROUPE_DATABASE_URL leer, dann wird es eine lokale Datei.
store-in-use = An { $file } arbeitet schon ein anderes Troupe. Halte es erst an, oder gib diesem ein eigenes TROUPE_DATABASE_URL.
store-newer = Die Datenbank stammt von einem neueren Troupe (Revision { $revision }). Installiere diese Version, oder stelle eine ältere Datenbank wieder her.
store-no-revision = Es gibt keine Revision { $revision }, auf die die Tabellen zurückgesetzt werden könnten. Die Revisionen sind die Dateien in migrations/versions; „base“ entfernt alle Tabellen.
store-unreadable = { $url } ist keine Datenbank, oder sie ist beschädigt. Verschiebe sie oder stelle sie wieder her, oder setze TROUPE_DATABASE_URL auf einen anderen Ort.
store-unwritable = { $url } lässt sich nicht zum Schreiben öffnen. Prüfe die Rechte der Datei und ihres Ordners, oder setze TROUPE_DATABASE_URL auf einen anderen Ort.
store-refused = Der Datenbankserver hat { $url } abgelehnt. Prüfe Benutzer, Passwort und Datenbankname in TROUPE_DATABASE_URL.
store-unreached = Die Datenbank { $url } ist nicht zu erreichen. Prüfe TROUPE_DATABASE_URL und ob der Server läuft.
store-full = Der Datenträger ist voll. Bis wieder Platz ist, kann nichts mehr behalten werden.
store-gone = Mein Gedächtnis ist gerade nicht zu erreichen. Versuch es bitte gleich noch einmal.
store-slow = Das Speichern dauert gerade lange. Versuch es bitte gleich noch einmal.
store-waiting = { $problem ->
    [store-full] Mein Datenträger ist voll, ich kann gerade nichts speichern.
    [store-slow] Das Speichern dauert gerade lange.
   *[other] Ich erreiche gerade meine Datenbank nicht.
  } Das muss warten: Ich mache weiter, sobald es geht. Du brauchst es nicht noch einmal zu schicken.
store-stopped = Ich wurde angehalten, bevor ich das speichern konnte. Schick es bitte noch einmal.
store-damaged = Meine Datenbank ist beschädigt. Bitte sag einem Admin Bescheid: Sie muss aus einer Sicherung wiederhergestellt werden.
files-unwritable = In den Ordner { $folder } lässt sich nicht schreiben. Prüfe seine Rechte, oder setze TROUPE_FILES_URL auf einen anderen Ort.
backup-done = Die Datenbank und { $files } Dateien sind in { $file } gesichert.
backup-done-files = { $files } Dateien sind in { $file } gesichert. Die Datenbank ist nicht dabei: Sichere sie mit pg_dump.
backup-nothing = Unter { $file } gibt es noch keine Datenbank, also nichts zu sichern.
backup-unwritable = { $file } lässt sich nicht schreiben: { $problem }. Nichts wurde gesichert.
backup-unreadable = { $file } lässt sich nicht entpacken: { $problem }. Nichts wurde wiederhergestellt.
backup-wrong = { $file } ist keine Sicherung dieser Version von Troupe, oder sie ist beschädigt oder unvollständig. Nichts wurde wiederhergestellt.
restore-not-empty = Hier gibt es schon Gespräche. Um sie durch die Sicherung zu ersetzen: troupe restore --replace
restore-no-database = In dieser Sicherung ist keine Datenbank: Sie lag auf einem Server. Setze erst TROUPE_DATABASE_URL auf dessen Adresse.
restore-done = Die Datenbank und { $files } Dateien aus { $file } sind wiederhergestellt.
restore-done-files = { $files } Dateien aus { $file } sind wiederhergestellt. Die Datenbank wird auf ihrem Server wiederhergestellt, mit pg_restore.
