# What is kept: database and files
store-full = Der Datenträger ist voll. Bis wieder Platz ist, kann nichts mehr behalten werden.
store-gone = Mein Gedächtnis ist gerade nicht zu erreichen. Versuch es bitte gleich noch einmal.
store-files-away = Mein Dateispeicher ist gerade nicht zu erreichen. Versuch es bitte gleich noch einmal.
store-slow = Das Speichern dauert gerade lange. Versuch es bitte gleich noch einmal.
store-waiting = { $problem ->
    [store-full] Mein Datenträger ist voll, ich kann gerade nichts speichern.
    [store-slow] Das Speichern dauert gerade lange.
    [store-files-away] Ich erreiche gerade meinen Dateispeicher nicht.
   *[other] Ich erreiche gerade meine Datenbank nicht.
  } Das muss warten: Ich mache weiter, sobald es geht. Du brauchst es nicht noch einmal zu schicken.
store-stopped = Ich wurde angehalten, bevor ich das speichern konnte. Schick es bitte noch einmal.
store-damaged = Meine Datenbank ist beschädigt. Bitte sag einem Admin Bescheid: Sie muss aus einer Sicherung wiederhergestellt werden.
