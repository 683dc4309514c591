# The chat in the terminal.
console-welcome = Was soll ich tun? Nenne Dateien mit ihrem Pfad, oder zieh sie in dieses Fenster.
console-keys = /file PFAD fügt eine Datei hinzu, /new beginnt ein neues Gespräch, /quit beendet. Strg-C hält an, was gerade läuft.
console-attached = { $name } ist dabei. Sag jetzt, was damit geschehen soll.
console-no-file = Es gibt keine Datei { $path }.
console-file-unreadable = Die Datei { $name } lässt sich nicht lesen: { $problem }
console-new = Ein neues Gespräch beginnt.
console-stopping = Ich halte an …
console-leave = Drück noch einmal Strg-C, um zu gehen.
console-going-on = Weiter geht es mit: { $text }
console-task = { $step }. { $what }
console-saved = Gespeichert: { $path }
console-made = { $alt } (gemacht von { $model })
console-notice = Hinweis: { $notice }
console-apology = Das hat nicht geklappt: { $reason }
console-broken = Der Bot wurde angehalten, bevor er geantwortet hatte. Wenn er wieder läuft, macht er von selbst weiter.
