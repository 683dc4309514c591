# Was in Dateien ist, die ein Ergebnis zeigen.
alt-chart = Diagramm, wie sicher sich das Modell ist: { $labels }
alt-table = Die ersten Zeilen einer Tabelle ({ $what }) als Bild
alt-poster = Erstes Bild eines Films ({ $what })
alt-depth = Wie weit die Dinge weg sind: Nahes hell, Fernes dunkel
output-cut = Das Modell hat mehr geantwortet, als ich behalte; hier sind die ersten { $count } Einträge.
sheet-read = Von { $file } wurde nur das Blatt „{ $sheet }“ gelesen, das erste von { $count }.
