# Das Einrichten durch den, der das Programm betreibt, und was die Seite zum Anfangen anbietet.
setup-not-here = Das geht nur für den, der Troupe betreibt, in einem Browser auf demselben Rechner.
setup-too-often = Das wurde in kurzer Zeit oft versucht. Bitte eine Minute warten und dann noch einmal versuchen.
setup-key-missing = Bitte zuerst einen Schlüssel einfügen.
setup-odd-key = Das kann kein Schlüssel oder Token sein: Das wäre ein Wort aus mindestens acht Buchstaben, Ziffern und Zeichen, ohne Leerzeichen.
setup-too-long = Das ist zu lang.
setup-whose-key = Am Schlüssel ist nicht zu erkennen, für welchen Dienst er ist. Bitte den Dienst auswählen.
setup-address-missing = Bitte die Adresse des Servers eingeben, zum Beispiel https://example.com/v1.
setup-slack-bot-token = Das Bot-Token beginnt mit xoxb-. Slack zeigt es unter „Install App“, wenn die App installiert ist.
setup-slack-app-token = Das App-Token beginnt mit xapp-. Slack erzeugt es unter „Basic Information“, „App-Level Tokens“.
setup-replicas = An derselben Datenbank arbeitet noch ein Troupe, und .env gilt nur für diesen Rechner. Bitte die Einstellungen dort ändern, wo jedes gestartet wird.
setup-in-environment = { $names } ist in der Umgebung gesetzt, und die zählt mehr als die Datei .env. Bitte dort ändern, wo Troupe gestartet wird.
setup-in-toml = { $names } ist in troupe.toml gesetzt und müsste dort entfernt werden.
setup-unwritten = Alles wurde geprüft und funktioniert, aber nichts wurde gespeichert. { $problem } Diese Zeilen in { $file } eintragen und Troupe neu starten: { $lines }
setup-file-away = { $file } kann nicht gelesen oder geschrieben werden: { $problem }.
setup-unreadable-value = { $name } kann nicht in .env geschrieben werden: Der Wert enthält Zeichen, die anders gelesen würden.
setup-nothing-to-undo = Es gibt nichts rückgängig zu machen.
setup-put-back = Mit den neuen Einstellungen ließ sich nicht starten, darum gelten wieder die vorigen. { $problem }
setup-llm-on = { $model } plant und antwortet. { $sees ->
    [yes] Es sieht Bilder.
   *[no] Es sieht keine Bilder.
  }
setup-llm-off = Kein Sprachmodell: Der eingebaute Planer versteht einfache Wünsche, kann aber nicht plaudern, schreiben oder übersetzen.
setup-llm-closed = TROUPE_CONTROLLER ist off: Kein Sprachmodell plant.
setup-hosted-on = Modelle von Hugging Face können benutzt werden.
setup-hosted-off = Kein Token von Hugging Face: Dessen Modelle können nicht benutzt werden.
setup-local-on = Modelle laufen auf diesem Rechner, unter { $address }.
setup-local-none = Alles für Modelle auf diesem Rechner ist installiert, aber es gibt noch kein Modell.
setup-local-off = Auf diesem Rechner laufen keine Modelle.
setup-slack-on = Slack ist verbunden.
setup-slack-off = Slack ist nicht verbunden.
setup-discord-on = Discord ist verbunden.
setup-discord-off = Discord ist nicht verbunden.
start-draw = Ein Bild malen lassen
start-draw-text = Male einen Leuchtturm in der Abenddämmerung, als Aquarell
start-poem = Ein Gedicht schreiben und vorlesen lassen
start-poem-text = Schreibe ein Gedicht mit vier Zeilen über das Meer und lies es vor
start-invoice = Eine Rechnung vorlesen lassen
start-invoice-text = Lies den Gesamtbetrag dieser Rechnung vor
start-look = Ein Bild beschreiben lassen
start-look-text = Was ist auf diesem Bild?
start-translate = Etwas übersetzen
start-translate-text = Übersetze ins Französische und Japanische: „Morgenstund hat Gold im Mund.“
start-sketch = Aus einem Bild eine Bleistiftzeichnung machen
start-sketch-text = Mach aus diesem Bild eine Bleistiftzeichnung
start-mood = Herausfinden, wie eine Bewertung klingt
start-mood-text = Wie ist die Stimmung dieser Bewertung? „Das Zimmer war schön und das Frühstück noch besser, aber das Einchecken dauerte eine Stunde.“
setup-too-slow = Der Start mit den neuen Einstellungen dauerte zu lange.
setup-needs-key = Ein Token von Hugging Face oder ein Schlüssel für ein Sprachmodell.
setup-needs-hub = Ein Token von Hugging Face oder Modelle auf diesem Rechner.
setup-needs-local = Modelle auf diesem Rechner.
setup-sharing-on = Gespräche der Seite können über einen Link geteilt werden.
setup-sharing-off = Gespräche der Seite können nicht geteilt werden.
setup-mend-key = Bitte den Schlüssel und das Konto beim Dienst prüfen und den Schlüssel dann noch einmal einfügen.
setup-mend-address = Bitte { $value } als Adresse eingeben.
setup-mend-model = { $named ->
    [true] Bitte das Modell { $value } oder ein anderes wählen, das der Server hat.
   *[false] Bitte ein Modell wählen, das der Server hat.
  }
setup-mend-blind = Bilder werden ihm nicht geschickt.
