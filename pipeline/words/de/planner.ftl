# The built-in planner: plain talk, and one short question instead of a guess.
planner-hello = Hallo! Schick mir eine Datei oder einen Text und sag mir, was ich damit machen soll.
planner-welcome = Gern geschehen!
planner-about = Ich plane Schritte für KI-Modelle und führe sie aus: mit Bildern, Aufnahmen, Videos, Dokumenten, Tabellen und Texten. Schick eine Datei und sag, was du möchtest, zum Beispiel „Was steht da?“. Der Befehl „tasks“ zeigt, was hier geht. Ohne Sprachmodell verstehe ich Aufträge, kann aber nicht plaudern.
planner-no-talk = Ohne Sprachmodell kann ich nicht plaudern und keine allgemeinen Fragen beantworten. Ich arbeite mit Bildern, Aufnahmen, Videos, Dokumenten, Tabellen und Texten: Der Befehl „tasks“ zeigt, was ich kann.
planner-turn-on = Du kannst ein Sprachmodell einschalten: [Mehr können](#/setup).
planner-outside = Das kann ich nicht. Ich arbeite mit Bildern, Aufnahmen, Videos, Dokumenten, Tabellen und Texten: Der Befehl „tasks“ zeigt, was ich kann.
planner-not-done = Nicht erledigt: „{ $words }“. Das kann ich nicht.
planner-empty = Deine Nachricht ist leer. Sag mir, was du möchtest, und häng eine Datei an, wenn es um eine geht.
planner-empty-with-files = Was soll ich damit machen?
planner-unsure = Ich bin nicht sicher, was ich tun soll. Kannst du es anders sagen?
planner-unread = Ohne Sprachmodell verstehe ich Deutsch, Englisch, Französisch, Spanisch, Japanisch und Chinesisch. Kannst du es in einer dieser Sprachen sagen?
planner-unsure-files = Ich bin nicht sicher, was ich damit tun soll. Kannst du es anders sagen?
planner-unsure-order = In welcher Reihenfolge: zuerst „{ $first }“, dann „{ $second }“? Ich kann auch nur eins davon machen.
planner-which = Welche Datei meinst du: { $names }?
planner-undo = Alle Fassungen sind noch da. Sag mir, mit welcher Datei ich weitermachen soll, zum Beispiel „mit dem Original“.
planner-lacks-file =
    Dafür brauche ich { $type ->
        [image] ein Bild
        [audio] eine Aufnahme
        [video] ein Video
        [document] ein Dokument
        [table] eine Tabelle
       *[other] eine Datei
    }. Kannst du das noch schicken?
planner-lacks-text =
    In deiner Nachricht fehlt { $slot ->
        [question] die Frage
        [labels] die Auswahl an Begriffen
        [sentences] etwas zum Vergleichen
        [language] die Sprache
       *[other] der Text
    }. Kannst du das noch ergänzen?
planner-absent-name = Ich sehe hier keine Datei „{ $name }“. Kannst du sie schicken?
planner-no-file-usable =
    { $count ->
        [one] Mit der Datei, die du geschickt hast, konnte ich nichts anfangen, also habe ich nichts getan. Kannst du sie noch einmal schicken, oder eine andere?
       *[other] Mit keiner der Dateien, die du geschickt hast, konnte ich etwas anfangen, also habe ich nichts getan. Kannst du sie noch einmal schicken, oder andere?
    }
