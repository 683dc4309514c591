# Ce que contiennent les fichiers qui montrent un résultat.
alt-chart = Diagramme de la certitude du modèle : { $labels }
alt-table = Les premières lignes d'un tableau ({ $what }) en image
alt-poster = Première image d'un film ({ $what })
alt-depth = Distance des choses : proches en clair, lointaines en sombre
output-cut = Le modèle a répondu plus que ce que je garde ; voici les { $count } premiers éléments.
sheet-read = Seule la feuille « { $sheet } » de { $file } a été lue, la première sur { $count }.
