# Files of rows on the command line: `troupe plan --batch`, `troupe plan --read`, `troupe evaluate`.
rows-not-read = { $file } ließ sich nicht lesen: { $problem }
row-not-json = Zeile { $line } ist kein JSON.
row-no-object = Zeile { $line } ist kein JSON-Objekt.
row-no-request = In Zeile { $line } fehlt "user_request" mit Worten darin.
row-broke = Im Programm selbst ist bei Zeile { $line } etwas kaputtgegangen. Es steht im Protokoll.
rows-no-llm = Es gibt kein Sprachmodell, das planen könnte: Setze HF_TOKEN, OPENAI_BASE_URL oder OPENAI_API_KEY.
rows-not-labelled = Keine Zeile von { $file } ist eine Anfrage mit Lösung.
judge-garbled = { $model } hat nicht in der verlangten Form geurteilt.
rows-not-written = { $file } konnte nicht geschrieben werden: { $problem }
sheet-no-column = Dem Blatt fehlt die Spalte „{ $column }“.
sheet-no-mark = Zeile { $row }: „{ $cell }“ ist weder 1 noch 0. Ohne Meinung bleibt die Zelle leer.
