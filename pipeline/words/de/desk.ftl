# Commands and buttons.
command-ask = Um etwas bitten, gern mit einer Datei
command-models = Die Modelle, die hier laufen können
command-model = Alles über ein Modell
command-tasks = Alle Arten von Aufgaben, und wo sie laufen können
command-plan = Der Plan der letzten Anfrage in diesem Thread
command-status = Was gerade läuft
command-stop = Anhalten, was in diesem Thread läuft
command-forget = Mich, diesen Thread oder diesen Kanal vergessen
command-settings = Einstellungen des Kanals ansehen oder ändern
command-help = Was ich kann
command-whoami = Deine Kennung und die dieses Kanals
option-text = Was du möchtest
option-file = Eine Datei, um die es geht
option-kind = Eine Art von Aufgabe
option-search = Wörter, nach denen gesucht wird
option-id = Die Kennung des Modells
option-what = Was ich vergessen soll
option-name = Die Einstellung
option-value = Ihr neuer Wert, oder "default"
form-files = Dateien, um die es geht
unknown = unbekannt
models-none = Kein Modell, das hier laufen kann, passt zu „{ $words }“.
model-unknown = Ich kenne kein Modell namens { $name }.
model-kind = Art der Aufgabe
model-places = Läuft bei
model-licence = Lizenz
model-languages = Sprachen
model-downloads = Downloads
model-size = Größe
model-revision = Revision
model-likes = Likes
model-gated = Zugang
model-gated-yes = die Lizenz muss erst auf dem Hub angenommen werden
model-nowhere = hier zurzeit nirgends
model-rules = Darf hier nicht benutzt werden
model-record = Hier bisher, { $kind }: { $attempts ->
    [0] noch nicht benutzt
    [one] einmal benutzt, { $failures } misslungen, etwa { $seconds } s, 👍 { $ups }, 👎 { $downs }
   *[other] { $attempts }-mal benutzt, { $failures } misslungen, etwa { $seconds } s, 👍 { $ups }, 👎 { $downs }
  }
tasks-enabled-by = { $what } in .env eintragen und neu starten
tasks-nobody = gerade bietet niemand ein Modell dafür an
tasks-rules = die Regeln dieses Kanals lassen kein Modell dafür übrig
help-intro = Sag mir, was du möchtest, gern mit Dateien (in einem Kanal mit einer Erwähnung): Ich plane die Schritte, suche dafür Expertenmodelle aus, lasse sie laufen und antworte im Thread. Mit deiner nächsten Nachricht im Thread geht es weiter. Befehle:
whoami = { $name ->
    [you] Deine Kennung ist { $id } (Sprache { $locale }),
    [me] Deine Kennung ist { $id } (Sprache { $locale }),
   *[other] Du bist { $name } (Kennung { $id }, Sprache { $locale })
  } im Kanal { $channel } von { $workspace } auf { $platform }. Troupe { $version }.
plan-none = In diesem Thread gibt es noch keinen Plan.
status = { $here ->
    [0] Hier läuft gerade nichts
    [one] Hier läuft eine Anfrage
   *[other] Hier laufen { $here } Anfragen
  }, insgesamt { $everywhere }. Troupe { $version }.
status-places = Modelle laufen bei: { $places }.
stop-done = { $count ->
    [0] Es gab nichts anzuhalten.
   *[other] Angehalten.
  }
details-estimate = Vorher geschätzt: { $estimate }
state-done = erledigt in { $seconds } s
state-skipped = nicht begonnen, weil Aufgabe { $task } nicht erledigt wurde
erase = { $scope ->
    [me] Das löscht endgültig deine Nachrichten in allen Kanälen hier, meine Antworten darauf und ihre Dateien. Es lässt sich nicht rückgängig machen.
    [thread] Das löscht endgültig alles, was ich von diesem Thread aufbewahre, mit seinen Dateien. Es lässt sich nicht rückgängig machen.
    [channel] Das löscht endgültig alles, was ich von diesem Kanal aufbewahre: Threads, Dateien und Einstellungen. Es lässt sich nicht rückgängig machen.
   *[other] `{ $what }` löscht endgültig, was gespeichert ist. Das lässt sich nicht rückgängig machen.
  }
erase-title = Endgültig löschen?
erase-yes = Löschen
erase-no = Abbrechen
erase-cancelled = Es wurde nichts gelöscht.
forget-what = Sag, was ich vergessen soll: me (dich), thread oder channel (den Kanal).
forgotten = { $scope ->
    [me] Vergessen: deine Nachrichten in allen Kanälen hier, meine Antworten darauf und ihre Dateien.
   *[thread] Vergessen: alles, was in diesem Thread gesagt wurde, mit seinen Dateien.
  } Gelöschte Einträge: { $rows }. Gelöschte Dateien: { $files }.
forgotten-thread = Auf Wunsch von { $name } vergessen: alles, was in diesem Thread gesagt wurde. Gelöschte Einträge: { $rows }. Gelöschte Dateien: { $files }.
forgotten-channel = Auf Wunsch von { $name } vergessen: alles, was in diesem Kanal gesagt wurde. Gelöschte Einträge: { $rows }. Gelöschte Dateien: { $files }.
settings-unknown = Die Einstellung { $name } gibt es nicht; es gibt { $names } und model:<Art der Aufgabe>.
settings-bad = { $value } geht nicht; möglich sind: { $choices }.
settings-heading = Einstellungen dieses Kanals:
setting-places = Wo Modelle laufen dürfen
setting-mention = Wann man mich in Threads erwähnen muss
setting-listen = Wo ich Nachrichten an andere behalte
setting-language = Meine Sprache hier
setting-learn = Wo gelobte Pläne als Beispiele dienen
setting-licence = Lizenzen, die Modelle haben dürfen
vote-kept = Danke, ist notiert.
vote-compared = Danke, notiert: { $model } ist besser.
run-forgotten = An diese Anfrage erinnere ich mich nicht mehr.
perhaps-repeated = ({ $platform } hat nicht gesagt, ob das schon angekommen war; vielleicht steht es hier doppelt.)
command-unknown = Den Befehl { $name } gibt es nicht; "help" zählt alle auf.
command-not-repeated = Befehle lassen sich nicht per Knopf wiederholen. Bitte schick den Befehl noch einmal.
not-allowed = Du darfst mich hier nicht benutzen. Das kann jemand mit Adminrechten ändern.
not-allowed-admins = Das dürfen nur Admins ({ $what }).
over-limit-person = Das waren mehr als { $limit } Anfragen in einer Minute. Warte bitte { $seconds } s.
over-limit-channel = Aus diesem Kanal kamen mehr als { $limit } Anfragen in einer Minute. Warte bitte { $seconds } s.
text-too-long = Die Nachricht hat { $length } Zeichen; ich nehme bis zu { $limit }. Schick sie stattdessen als Datei.
file-too-large = sie ist { $size } MB groß, ich nehme höchstens { $limit } MB.
apology-patience = Ich wurde dabei { $attempts }-mal unterbrochen und gebe es auf. Bitte frag noch einmal.

# The command line.
plan-no-task = Dafür braucht es keine Aufgabe; ich würde direkt antworten.
file-not-read = { $file } lässt sich nicht lesen: { $problem }
menu-none = In dieser Nachricht steht nichts, womit ich etwas tun könnte.
menu-describe-none = In dieser Nachricht ist kein Bild und keine Datei.
menu-transcribe-none = In dieser Nachricht ist keine Aufnahme und kein Video.
menu-describe = Beschreiben
menu-describe-wish = Beschreibe das.
menu-read = Vorlesen
menu-read-wish = Lies das vor.
menu-transcribe = Transkribieren
menu-transcribe-wish = Transkribiere das.
menu-translate = Übersetzen
menu-translate-wish = Übersetze das ins Deutsche.
menu-summarize = Zusammenfassen
menu-summarize-wish = Fasse das zusammen.
menu-thread = Thread zusammenfassen
menu-thread-wish = Fasse diesen Thread zusammen.
tasks-extra = mit { $what } installieren und neu starten
tasks-needs = braucht { $what }
tasks-none = Gerade geht hier nichts.
tasks-works = Was hier geht:
tasks-missing = Was noch nicht geht, und was das ändern würde:
tasks-set-up = Ohne eine Datei zu ändern lässt sich mehr einschalten: [Mehr können](#/setup).
tasks-more = { $count ->
    [one] Eine weitere Sache könnte die Administration einschalten.
   *[other] { $count } weitere Dinge könnte die Administration einschalten.
  }
tasks-pick = Mehr über …
models-heading = Modelle, die hier gehen:
models-for = { $kind }:
models-pick = Modelle für …
models-rest = { $count } weitere. Um eines zu finden: models und ein Wort seines Namens.
setting-mention-value = { $value ->
    [always] immer
    [threads] nicht in Threads, an denen ich teilnehme
   *[default] wie überall
  }
setting-listen-value = { $value ->
    [threads] in Threads, an denen ich teilnehme
    [all] überall in diesem Kanal
   *[default] wie überall
  }
setting-language-value = { $value ->
    [default] die der Anfrage
   *[other] { $value }
  }
setting-learn-value = { $value ->
    [workspace] überall hier
    [channel] in diesem Kanal
    [off] nirgends
   *[default] wie überall
  }
setting-licence-value = { $value ->
    [commercial] solche, die gewerbliche Nutzung erlauben
   *[default] alle
  }
settings-whose = Die Administration kann sie ändern.
option-about = Worum es geht
