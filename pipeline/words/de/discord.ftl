# What only Discord says.
discord-asked = { $name } hat gefragt: { $words }
discord-thread = Für { $name }
discord-no-files = Ohne das Recht "{ $permission }" kann ich hier keine Dateien anhängen. Das sind die Dateien:
discord-file-elsewhere = { $name } liegt bei { $host }, und das ist keiner von Discords Dateiservern.
discord-file-page = Discords Dateiserver hat statt { $name } eine Webseite geschickt.
discord-token-wrong = Discord kennt dieses DISCORD_TOKEN nicht. Kopiere das Token deiner Anwendung von { $link } (Bot → Reset Token).
discord-token-revoked = Discord nimmt dieses DISCORD_TOKEN nicht mehr an. Mach ein neues auf { $link } (Bot → Reset Token).
discord-intent-missing = Discord lässt den Bot keine Nachrichten lesen: Schalte "Message Content Intent" ein auf { $link } (Bot → Privileged Gateway Intents).
discord-closed = Discord hat die Verbindung endgültig geschlossen. Sieh dir die Anwendung an auf { $link }.
discord-forbidden = Discord erlaubt das dem Bot hier nicht ({ $problem }).
discord-gone = Das ist in Discord nicht mehr da ({ $problem }).
discord-refused = Discord hat abgelehnt, was der Bot geschickt hat ({ $problem }).
discord-unreachable = Discord war nicht zu erreichen.
discord-aside-gone = Den Ort, an dem du gefragt hast, gibt es nicht mehr, deshalb antworte ich dir hier.
discord-aside-late = Discord nimmt dort, wo du gefragt hast, keine Nachrichten mehr an. Deshalb antworte ich dir hier.
discord-aside-locked = „{ $channel }“ ist geschlossen, deshalb antworte ich hier.
discord-aside-permission = In { $channel } fehlt mir das Recht "{ $permission }", deshalb kommt das hierher. Wer den Server verwaltet, kann es mir geben.
discord-permission-read_messages = Kanäle ansehen
discord-permission-send_messages = Nachrichten versenden
discord-permission-send_messages_in_threads = Nachrichten in Threads versenden
discord-permission-attach_files = Dateien anhängen
discord-nowhere = In Discord ist kein Ort mehr übrig, an dem der Bot darauf antworten darf.

# What the doctor finds.
doctor-discord-token-good = Discord kennt dieses Token: Der Bot heißt { $name }.
doctor-discord-intent-good = Der Bot darf Nachrichten lesen (Message Content Intent ist an).
doctor-discord-intent-missing = Der Bot liest nur Erwähnungen, Direktnachrichten und Befehle. Damit er einem Thread ohne Erwähnung folgen kann, schalte "Message Content Intent" ein auf { $link } (Privileged Gateway Intents).
doctor-discord-gateway-good = Discords Gateway nimmt die Verbindung an.
doctor-discord-no-server = Der Bot ist noch auf keinem Server. Öffne den Link und füge ihn einem hinzu.
doctor-discord-permission = Dem Bot fehlt das Recht "{ $permission }" in { $where }.
doctor-discord-permissions-good = In { $where } sind alle Rechte da.
doctor-discord-channel = Es gibt keinen Kanal { $channel }, den der Bot sieht.
doctor-discord-hello = Ein Gruß vom Doktor; er verschwindet von selbst wieder.
doctor-discord-round-trip = In { $channel } wurde eine Nachricht geschrieben, geändert und zurückgenommen.
