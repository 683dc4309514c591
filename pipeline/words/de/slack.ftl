# What only Slack gives occasion to say.
slack-status = arbeitet daran …
slack-loading =
    Ich lese deine Nachricht …
    Ich plane die Schritte …
    Ich wähle für jeden Schritt ein Modell …
    Ich führe die Schritte aus …
slack-prompt-draw = Ein Bild zeichnen
slack-prompt-draw-text = Zeichne einen Leuchtturm im Morgengrauen.
slack-prompt-poem = Ein Gedicht schreiben und vorlesen
slack-prompt-poem-text = Schreibe ein kurzes Gedicht über das Meer und lies es vor.
slack-prompt-translate = Einen Satz übersetzen
slack-prompt-translate-text = Übersetze „Wo ist der Bahnhof?“ ins Französische.
slack-prompt-mood = Die Stimmung einer Bewertung beurteilen
slack-prompt-mood-text = Wie ist die Stimmung dieser Bewertung? „Das Zimmer war wunderbar und das Personal freundlich.“
slack-prompt-read = Einen Text vorlesen
slack-prompt-read-text = Lies das vor: „Guten Morgen zusammen. Die Besprechung beginnt um zehn.“
slack-prompt-help = Was kannst du?
slack-unreachable = Slack war von diesem Rechner aus nicht zu erreichen. Ist er online, oder hinter einem Proxy?
slack-refused = { $code ->
    [is_archived] Der Kanal ist archiviert.
    [channel_not_found] Den Kanal gibt es nicht mehr, oder ich darf ihn nicht sehen.
    [not_in_channel] Ich bin nicht mehr in dem Kanal.
    [restricted_action] Ich darf dort nicht schreiben.
    [restricted_action_read_only_channel] Ich darf dort nicht schreiben.
    [restricted_action_thread_only_channel] Ich darf dort nicht schreiben.
    [restricted_action_thread_locked] Der Thread ist gesperrt.
    [storage_limit_reached] Der Workspace hat keinen Platz mehr für Dateien.
    [file_uploads_disabled] In diesem Workspace dürfen keine Dateien hochgeladen werden.
   *[other] Slack hat { $method } abgelehnt: { $code }
}
slack-scope-missing = Das kann ich hier nicht: Der App fehlt der Scope { $scope }. Ein Admin kann ihn hinzufügen.
slack-could-not-answer = In { $channel } konnte ich dir nicht antworten: { $reason }
slack-about = Zu { $place }:
slack-not-in-channel = Ich bin nicht in dieser Unterhaltung. Lade mich mit /invite ein, oder schreib mir direkt.
slack-not-your-channel = Ich sehe nicht, dass du in dieser Unterhaltung bist. Deshalb tue ich dort nichts.
slack-asked = { $name } fragt: { $text }
slack-usage = Schreib es so: `{ $usage }`
slack-unknown-word = Einen Befehl „{ $name }“ gibt es nicht: `{ $slash } help` listet sie auf. Um etwas zu bitten: `{ $slash } ask …`.
slack-unknown-command = Den Befehl „{ $name }“ gibt es nicht. Meinst du `{ $slash } { $nearest }`? Eine Bitte, die mit diesem Wort beginnt, schreibst du so: `{ $slash } ask …`.
slack-which-thread = Welchen Thread meinst du?
slack-pick-thread = Thread auswählen
slack-no-threads = In diesem Kanal habe ich noch in keinem Thread geantwortet.
slack-form-title = Troupe fragen
slack-form-description = Mit Worten und Dateien fragen, von überall
slack-form-channel = Wohin soll die Antwort?
slack-form-direct = Als Direktnachricht an dich
slack-form-submit = Fragen
slack-form-large = { $name } hat { $size } MB. Ich nehme höchstens { $limit } MB.
slack-form-empty = Schreib, was du möchtest.
slack-home-works = Was hier geht
slack-home-requests = Deine letzten Anfragen
slack-home-none = Noch keine. Schreib mir hier, oder erwähne mich in einem Kanal.
slack-home-all = Alle anzeigen
slack-home-missing = Was noch nicht geht
slack-home-settings = Kanaleinstellungen
slack-home-choose = Wähle einen Kanal, um seine Einstellungen zu sehen oder zu ändern.
slack-home-channel = Kanal auswählen
slack-home-change = Ändern
slack-form-close = Schließen
slack-file-sign-in = Slack hat statt { $name } seine Anmeldeseite geschickt: Der App fehlt der Scope files:read oder der Zugriff auf die Datei.
slack-file-elsewhere = { $name } liegt bei einem anderen Dienst ({ $host }), von dort kann ich die Datei nicht holen. Lade sie hier hoch.
slack-file-gone = Eine Datei namens { $name } hat Slack nicht mehr.
slack-bot-token-wrong = SLACK_BOT_TOKEN funktioniert nicht ({ $code }). Nimm das "Bot User OAuth Token" von { $link }
slack-app-token-wrong = SLACK_APP_TOKEN funktioniert nicht ({ $code }). Mach eines mit dem Scope connections:write auf { $link }
slack-revoked = Die App wurde aus dem Workspace entfernt oder ihr Token widerrufen. Installiere sie noch einmal auf { $link }
slack-not-installed = Die App ist in diesem Workspace ({ $team }) nicht mehr installiert.
slack-rotation = Diese App verwendet Token-Rotation. Troupe unterstützt sie nicht, und Slack kann sie nicht wieder ausschalten. Legen Sie die App mit dem Manifest neu an, das `troupe slack manifest` ausgibt.
slack-secret-key-bad = TROUPE_SECRET_KEY ist kein Fernet-Schlüssel. So entsteht einer: { $command }
slack-secret-key-wrong = TROUPE_SECRET_KEY entschlüsselt die Token der Slack-Workspaces nicht. Setze den Schlüssel, mit dem sie gespeichert wurden, hinter den neuen und ein Komma.
